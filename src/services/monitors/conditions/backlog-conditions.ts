import type { PartHealth } from '../../../core/health/own-health.ts';
import { type Detector, hourMs } from './condition.ts';

const dayMs = 24 * hourMs;

/** Nightly backups are made once a day, so one was missed when the newest is older than this, milliseconds. */
const maxBackupAgeMs = 2 * dayMs;
/** After days without power a backup is made within minutes of the start, milliseconds. */
const backupDelayMs = hourMs;

interface BackupSources {
  readonly health: () => readonly PartHealth[];
  /** Time of the newest verified nightly backup, Unix milliseconds; null without one. */
  readonly newestBackupMs: () => number | null;
}

/**
 * Nightly backups that are not made although none failed. A failed one is a problem of the part `backups`, which has an alarm of its
 * own.
 */
export function detectOldBackup({ health, newestBackupMs }: BackupSources): Detector {
  /** Without a backup the age counts from the first check with a set clock. */
  let firstMs: number | null = null;
  return (engine, now) => {
    if (!engine.reports.settings().nightlyBackups) return [];
    if (now.synced) firstMs ??= now.wallMs;
    const ageMs = now.wallMs - (newestBackupMs() ?? firstMs ?? now.wallMs);
    const hasFailed = health().some(({ name, problems }) => name === 'backups' && problems.length > 0);
    return [
      {
        kind: 'backup_old',
        subject: 'nightly',
        state: hasFailed || !now.synced ? 'unknown' : ageMs > maxBackupAgeMs ? 'bad' : 'good',
        lastsMs: backupDelayMs,
        // A new backup ends it.
        clearsAfterMs: 0,
        values: { days: Math.max(2, Math.floor(ageMs / dayMs)) },
      },
    ];
  };
}

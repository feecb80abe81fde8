import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import type { Upgrade } from '../../store/database.ts';
import { inspectDatabase, storeBackedUpFor } from '../../store/inspect-database.ts';
import { newestVersion } from '../../store/schema/migrations.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import { runArchiveJob } from './run-archive-job.ts';

/** A failed backup is tried again after this time, milliseconds: a full disk may have space again. */
const retryMs = 3_600_000;

/** Another process makes a backup, which takes seconds to minutes, milliseconds. */
const conflictRetryMs = 4_000;

interface UpgradeBackupOptions {
  readonly database: string;
  /** Path of the settings file; null if there is none. */
  readonly settings: string | null;
  readonly upgrade: Upgrade;
  /** False when the settings say to upgrade without a backup. */
  readonly isEnabled: boolean;
  readonly clock: Clock;
  /** Why the database is not opened yet; none when it may be. */
  readonly reportWaiting: ReportProblem;
  /** A backup that failed although the database is opened. */
  readonly reportMissing: ReportProblem;
  readonly log: Pick<Logger, 'info'>;
  /** Called when a backup has ended, well or not. */
  readonly onEnd: () => void;
}

/**
 * Makes a verified backup before the database is opened by a program of another version than the one that
 * opened it last, or takes a schema step. Counting goes on meanwhile, and pours wait in the journal.
 *
 * When it fails, a schema step waits until a backup succeeds, since there is no other way back. A program of
 * another version with the same schema opens the database nevertheless: the older one can still use it.
 */
export function createUpgradeBackup(options: UpgradeBackupOptions) {
  const { database, settings, upgrade, isEnabled, clock, reportWaiting, reportMissing, log, onEnd } = options;
  const closing = new AbortController();
  let work: Promise<void> | null = null;
  let isDone = false;
  let notBeforeMonoMs = 0;

  async function make(from: string, takesStep: boolean): Promise<void> {
    const now = clock.now();
    try {
      const { name, manifest, peakBytes } = await runArchiveJob<'make'>(
        {
          kind: 'make',
          database,
          settings,
          occasion: 'upgrade',
          serverVersion: upgrade.programVersion,
          createdMs: Math.max(0, Math.round(now.wallMs)),
          clockSynced: now.synced,
          target: 'folder',
        },
        { signal: closing.signal },
      );
      storeBackedUpFor(database, upgrade.programVersion);
      isDone = true;
      log.info(
        { backup: name, from, to: upgrade.programVersion, databaseBytes: manifest.databaseBytes, peakBytes },
        'backup before the upgrade made and verified',
      );
      reportMissing([]);
    } catch (cause) {
      if (closing.signal.aborted) return;
      if (cause instanceof AppError && cause.code === 'conflict') {
        // Another process makes a backup; it is waited for.
        notBeforeMonoMs = clock.now().monoMs + conflictRetryMs;
        return;
      }
      if (takesStep) {
        notBeforeMonoMs = clock.now().monoMs + retryMs;
        const [failed, retried] = [
          createProblem('upgrade_backup_failed'),
          createProblem('upgrade_backup_retried'),
        ];
        reportWaiting([failed, ...toProblems(cause), retried], cause);
      } else {
        isDone = true;
        reportMissing([createProblem('upgrade_backup_missing'), ...toProblems(cause)], cause);
      }
    }
  }

  return {
    /** True when the database may be opened now; otherwise a backup is started, is running or waits to be retried. */
    isReady(): boolean {
      if (!isEnabled || isDone) return true;
      if (work !== null || closing.signal.aborted) return false;
      const due = findUpgrade(database, upgrade);
      if (due === null) return true;
      if (clock.now().monoMs < notBeforeMonoMs) return false;
      reportWaiting([
        createProblem('upgrade_backup_running', { from: due.from ?? 'unknown', to: upgrade.programVersion }),
      ]);
      work = make(due.from ?? 'an unknown version', due.takesStep).finally(() => {
        work = null;
        onEnd();
      });
      return false;
    },
    /** Aborts a running backup; an incomplete archive is never listed. */
    async close(): Promise<void> {
      closing.abort();
      await work;
    },
  };
}

/** The upgrade that opening the database would be; null if there is none, or no usable database. */
function findUpgrade(database: string, { programVersion, steps }: Upgrade) {
  try {
    const newest = steps?.length ?? newestVersion;
    const { stored } = inspectDatabase(database, newest);
    if (stored === null || stored.backedUpFor === programVersion) return null;
    const takesStep = stored.schemaVersion < newest;
    // Without a version no daemon has opened it yet: a command has just created it.
    const isSame = stored.programVersion === null || stored.programVersion === programVersion;
    if (!takesStep && isSame) return null;
    return { from: stored.programVersion, takesStep };
  } catch {
    // There is no file, or it cannot be used: opening it tells why.
    return null;
  }
}

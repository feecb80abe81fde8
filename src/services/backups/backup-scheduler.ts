import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { businessDayAt, type DayRule } from '../../core/clock/business-days.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import type { BackupState, Backups, StoredBackup } from '../../http/admin-ports.ts';
import { overloadLimits } from '../../http/server/overload-limits.ts';
import {
  type Backup,
  backupsFolder,
  listBackups,
  readBackup,
  removeBackup,
} from '../../store/archive/backup-folder.ts';
import type { BackupOccasion } from '../../store/archive/manifest.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import { runArchiveJob } from './run-archive-job.ts';

/** A failed backup is tried again after this time, milliseconds: a full disk may have space again. */
const retryMs = 3_600_000;

/** A backup dated further in the future than this was made with a wrong clock and does not count. */
const wrongClockMs = 86_400_000;

interface BackupSchedulerOptions {
  readonly database: string;
  /** Path of the settings file; null if there is none. */
  readonly settings: string | null;
  readonly serverVersion: string;
  readonly clock: Clock;
  /** When the business day ends, and whether nightly backups are on; null while the database is closed. */
  readonly schedule: () => { readonly rule: DayRule; readonly isEnabled: boolean } | null;
  /** A second folder for nightly backups, such as a USB stick's; null for none. */
  readonly copyTo: string | null;
  readonly reportProblem: ReportProblem;
  readonly log: Pick<Logger, 'info'>;
}

/** Makes nightly backups and those that staff start. */
interface BackupScheduler extends Backups {
  /** Called about once a minute: makes a backup when a business day has ended, also a missed one. */
  everyMinute(): void;
  /** Resolves when the running work is done. */
  whenIdle(): Promise<void>;
  /** Aborts a running backup; an incomplete archive is never listed. */
  close(): Promise<void>;
}

export function createBackupScheduler(options: BackupSchedulerOptions): BackupScheduler {
  const { database, settings, serverVersion, clock, schedule, copyTo, reportProblem, log } = options;
  const folder = backupsFolder(database);
  const closing = new AbortController();
  let running: BackupState['running'] = null;
  let work: Promise<void> = Promise.resolve();
  let problems: readonly Problem[] = [];
  let notBeforeMonoMs = 0;
  /** When the newest nightly backup was made, Unix milliseconds; null until the folder has been read. */
  let newestMs: number | null = null;

  async function make(occasion: BackupOccasion): Promise<void> {
    const now = clock.now();
    const createdMs = Math.max(0, Math.round(now.wallMs));
    const signal = closing.signal;
    const { name, mismatches, manifest, peakBytes } = await runArchiveJob<'make'>(
      {
        kind: 'make',
        database,
        settings,
        occasion,
        serverVersion,
        createdMs,
        clockSynced: now.synced,
        target: 'folder',
      },
      { signal },
    );
    if (occasion === 'nightly') newestMs = createdMs;
    log.info({ backup: name, databaseBytes: manifest.databaseBytes, peakBytes }, 'backup made and verified');
    if (occasion === 'nightly' && copyTo !== null) {
      await runArchiveJob<'copy'>({ kind: 'copy', database, name: name!, folder: copyTo }, { signal }).catch(
        (cause: unknown) => {
          throw new AppError('unavailable', createProblem('backup_not_copied'), { cause });
        },
      );
    }
    if (mismatches.length > 0) {
      throw new AppError('unavailable', createProblem('totals_differ'));
    }
  }

  function startBackup(occasion: BackupOccasion): void {
    running = { occasion, sinceMs: Math.max(0, Math.round(clock.now().wallMs)) };
    work = make(occasion)
      .then(
        () => setProblems([]),
        (cause: unknown) => {
          if (closing.signal.aborted) return;
          notBeforeMonoMs = clock.now().monoMs + retryMs;
          const failed = occasion === 'nightly' ? 'nightly_backup_failed' : 'manual_backup_failed';
          setProblems([createProblem(failed), ...toProblems(cause)], cause);
        },
      )
      .finally(() => {
        running = null;
      });
  }

  function setProblems(current: readonly Problem[], cause?: unknown): void {
    problems = current;
    reportProblem(current, cause);
  }

  /** Reads the newest nightly backup from the folder, once; afterwards `newestMs` is kept up to date here. */
  async function findNewest(nowMs: number): Promise<void> {
    const credible = (await listBackups(folder)).filter(
      ({ manifest: { occasion, clockSynced, createdMs } }) =>
        occasion === 'nightly' && clockSynced && createdMs <= nowMs + wrongClockMs,
    );
    newestMs = credible[0]?.manifest.createdMs ?? 0;
  }

  function startIfDue(): void {
    const now = clock.now();
    const nightly = schedule();
    // Before the clock is set, the business day is unknown.
    if (running !== null || nightly === null || !nightly.isEnabled || !now.synced || closing.signal.aborted)
      return;
    if (newestMs === null) {
      work = findNewest(now.wallMs).then(startIfDue);
      return;
    }
    // After the clock was set back the newest backup may be in the future; it then does not count.
    const isDone =
      newestMs >= businessDayAt(now.wallMs, nightly.rule).sinceMs && newestMs <= now.wallMs + wrongClockMs;
    if (!isDone && now.monoMs >= notBeforeMonoMs) startBackup('nightly');
  }

  return {
    everyMinute: startIfDue,
    state: () => ({ running, problems, newestNightlyMs: newestMs || null }),
    async list() {
      return (await listBackups(folder)).map(toStoredBackup);
    },
    start() {
      if (running !== null) {
        throw new AppError('conflict', 'A backup is being made already: wait until it is done.', {
          reason: { name: 'backup_running' },
        });
      }
      startBackup('manual');
    },
    async open(name) {
      const backup = await readBackup(folder, name);
      if (backup === null) return null;
      const file = await open(join(folder, name), 'r');
      const { size } = await file.stat();
      return {
        stream: file.createReadStream({ highWaterMark: overloadLimits.fileReadBytes }),
        sizeBytes: size,
      };
    },
    remove: (name) => removeBackup(folder, name),
    async close() {
      closing.abort();
      await work.catch(() => {});
    },
    whenIdle: () => work,
  };
}

export const toStoredBackup = ({ name, sizeBytes, manifest }: Backup): StoredBackup => ({
  name,
  sizeBytes,
  createdMs: manifest.createdMs,
  clockSynced: manifest.clockSynced,
  occasion: manifest.occasion,
  pictureFiles: manifest.pictureFiles,
  serverName: manifest.serverName,
  serverVersion: manifest.serverVersion,
  programVersion: manifest.programVersion,
  schemaVersion: manifest.schemaVersion,
  format: manifest.format,
});

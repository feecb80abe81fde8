import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock/moment.ts';
import type { AdminService, RestoreResult } from '../../http/admin-ports.ts';
import { backupsFolder, listBackups, readBackup } from '../../store/archive/backup-folder.ts';
import { productVersion } from '../../system/product.ts';
import { createBackupScheduler, toStoredBackup } from '../backups/backup-scheduler.ts';
import { runArchiveJob } from '../backups/run-archive-job.ts';
import type { BaseServices } from '../base-services.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';
import { bugReport } from './bug-report.ts';

/** Creates the services for staff: backups, restore, recent log lines and bug report. */
export function createAdminService(
  options: Pick<
    BaseServices,
    'config' | 'settingsFile' | 'health' | 'reporters' | 'memory' | 'lastExit' | 'log'
  > & {
    readonly clock: Clock;
    /** What a bug report says of the settings of extensions, by their full names. */
    readonly reportedSettings: Readonly<Record<string, unknown>>;
    readonly database: Pick<DatabaseLifecycle, 'engine' | 'replace'>;
  },
) {
  const { config, settingsFile, clock, database, health, reporters, memory, lastExit = null, log } = options;
  const file = resolve(config.database);
  const copyTo = config.backups.copy_to === '' ? null : resolve(config.backups.copy_to);
  /** Both folders: on a new card the local one is empty and the backups are on the stick. */
  const folders = [backupsFolder(file), ...(copyTo === null ? [] : [copyTo])];
  const backups = createBackupScheduler({
    database: file,
    settings: settingsFile,
    serverVersion: productVersion(),
    clock,
    schedule() {
      const reports = database.engine()?.reports;
      return reports === undefined
        ? null
        : { rule: reports.rule(), isEnabled: reports.settings().nightlyBackups };
    },
    copyTo,
    reportProblem: reporters('backups'),
    log,
  });
  async function restorable() {
    const all = (await Promise.all(folders.map((folder) => listBackups(folder)))).flat();
    const byName = new Map(all.reverse().map((backup) => [backup.name, toStoredBackup(backup)]));
    return [...byName.values()].sort((a, b) => b.createdMs - a.createdMs);
  }

  async function findBackup(name: string): Promise<string> {
    for (const folder of folders) if ((await readBackup(folder, name)) !== null) return join(folder, name);
    throw new AppError('not_found', 'There is no backup of that name.', { reason: { name: 'not_found' } });
  }

  async function restore(
    from: { readonly name: string } | { readonly path: string },
  ): Promise<RestoreResult> {
    const archive = 'name' in from ? await findBackup(from.name) : from.path;
    const { prepared, manifest, mismatches } = await runArchiveJob<'prepare'>({
      kind: 'prepare',
      database: file,
      archive,
      serverVersion: productVersion(),
    });
    const nowMs = Math.max(0, Math.round(clock.now().wallMs));
    const { setAside, otherSettings } = await database.replace(() =>
      runArchiveJob<'swap'>({ kind: 'swap', database: file, settings: settingsFile, prepared, nowMs }),
    );
    log.info({ setAside, databaseBytes: manifest.databaseBytes }, 'the database was replaced by a backup');
    if (otherSettings !== null) {
      log.warn({ file: otherSettings }, 'the settings file in the backup differs and is not in use');
    }
    return {
      createdMs: manifest.createdMs,
      hasWrongTotals: mismatches.length > 0,
      hasOtherSettings: otherSettings !== null,
    };
  }
  return {
    backups,
    recentLog: memory.recent,
    restorable,
    restore,
    bugReport: async () =>
      bugReport({
        ofExtensions: options.reportedSettings,
        config,
        engine: database.engine(),
        health: health.report(),
        lines: memory.recent(),
        lastExit,
        clockSynced: clock.now().synced,
      }),
  } satisfies AdminService;
}

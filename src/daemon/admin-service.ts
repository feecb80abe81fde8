import { join, resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { Engine } from '../engine/engine.ts';
import type { AdminService, RestoreResult } from '../http/admin-ports.ts';
import { backupsFolder, listBackups, readBackup } from '../store/archive/backup-folder.ts';
import type { HealthRegistry } from '../system/health.ts';
import type { Logger } from '../system/log.ts';
import type { LogMemory } from '../system/log-memory.ts';
import { productVersion } from '../system/product.ts';
import { type BackupScheduler, createBackupScheduler, toStoredBackup } from './backups/backup-scheduler.ts';
import { runArchiveJob } from './backups/run-archive-job.ts';
import { bugReport } from './bug-report.ts';
import type { DatabaseLifecycle } from './database-lifecycle.ts';
import type { HealthReporters } from './monitors/health-reporters.ts';

/** Creates the services for staff: backups, restore, recent log lines and bug report. */
export function createAdminService(options: {
  readonly config: Config;
  readonly clock: Clock;
  /** Null while the database is closed. */
  readonly engine: () => Engine | null;
  readonly health: HealthRegistry;
  readonly reporters: HealthReporters;
  readonly memory: LogMemory;
  readonly log: Logger;
  /** Replaces the open database. */
  readonly replaceDatabase?: DatabaseLifecycle['replace'];
  /** Called when the replaced database is open, so that clients of the old one can be disconnected. */
  readonly onReplaced?: () => void;
}): { readonly backups: BackupScheduler; readonly admin: AdminService } {
  const { config, clock, engine, health, reporters, memory, log } = options;
  const database = resolve(config.database);
  const copyTo = config.backups.copy_to === '' ? null : resolve(config.backups.copy_to);
  /** Both folders: on a new card the local one is empty and the backups are on the stick. */
  const folders = [backupsFolder(database), ...(copyTo === null ? [] : [copyTo])];
  const backups = createBackupScheduler({
    database,
    serverVersion: productVersion(),
    clock,
    schedule() {
      const reports = engine()?.reports;
      return reports === undefined
        ? null
        : { rule: reports.rule(), isEnabled: reports.settings().nightlyBackups };
    },
    copyTo,
    reportProblem: reporters('backups'),
    log,
  });
  const admin: AdminService = {
    backups,
    recentLog: memory.recent,
    restorable,
    restore,
    bugReport: async () =>
      bugReport({
        config,
        engine: engine(),
        health: health.report(),
        lines: memory.recent(),
        clockSynced: clock.now().synced,
      }),
  };

  async function restorable() {
    const all = (await Promise.all(folders.map(listBackups))).flat();
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
    if (options.replaceDatabase === undefined) {
      throw new AppError('unavailable', 'This database has no file, so it cannot be replaced.');
    }
    const archive = 'name' in from ? await findBackup(from.name) : from.path;
    const { prepared, manifest, mismatches } = await runArchiveJob<'prepare'>({
      kind: 'prepare',
      database,
      archive,
    });
    const nowMs = Math.max(0, Math.round(clock.now().wallMs));
    const { setAside } = await options.replaceDatabase(() =>
      runArchiveJob<'swap'>({ kind: 'swap', database, prepared, nowMs }),
    );
    log.info({ setAside, databaseBytes: manifest.databaseBytes }, 'the database was replaced by a backup');
    options.onReplaced?.();
    return { createdMs: manifest.createdMs, hasWrongTotals: mismatches.length > 0 };
  }
  return { backups, admin };
}

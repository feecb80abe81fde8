import { resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import type { DaemonDesk } from '../http/admin-ports.ts';
import type { HealthBoard } from '../system/health.ts';
import type { Logger } from '../system/log.ts';
import type { LogMemory } from '../system/log-memory.ts';
import { productVersion } from '../system/product.ts';
import { type BackupKeeper, createBackupKeeper } from './backups/backup-keeper.ts';
import { bugReport } from './bug-report.ts';
import type { Tellers } from './tellers.ts';

/** What the daemon does for the office of the bar: backups, and answers for whoever looks for a fault. */
export function openDesk(parts: {
  readonly config: Config;
  readonly clock: Clock;
  /** Null while the ledger is closed. */
  readonly engine: () => Engine | null;
  readonly health: HealthBoard;
  readonly tellers: Tellers;
  readonly memory: LogMemory;
  readonly log: Logger;
}): { readonly backups: BackupKeeper; readonly desk: DaemonDesk } {
  const { config, clock, engine, health, tellers, memory, log } = parts;
  const backups = createBackupKeeper({
    database: resolve(config.database),
    serverVersion: productVersion(),
    clock,
    nights() {
      const reports = engine()?.reports;
      return reports === undefined
        ? null
        : { rule: reports.rule(), wanted: reports.settings().nightlyBackups };
    },
    copyTo: config.backups.copy_to === '' ? null : resolve(config.backups.copy_to),
    tell: tellers('backups'),
    log,
  });
  const desk: DaemonDesk = {
    backups,
    recentLog: memory.recent,
    bugReport: async () =>
      bugReport({
        config,
        engine: engine(),
        health: health.report(),
        lines: memory.recent(),
        clockSynced: clock.now().synced,
      }),
  };
  return { backups, desk };
}

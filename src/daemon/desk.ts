import { join, resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import type { DaemonDesk, Restored } from '../http/admin-ports.ts';
import { backupsFolder, listBackups, readBackup } from '../store/archive/backup-folder.ts';
import type { HealthBoard } from '../system/health.ts';
import type { Logger } from '../system/log.ts';
import type { LogMemory } from '../system/log-memory.ts';
import { productVersion } from '../system/product.ts';
import { type BackupKeeper, createBackupKeeper, storedBackup } from './backups/backup-keeper.ts';
import { runArchiveJob } from './backups/run-archive-job.ts';
import { bugReport } from './bug-report.ts';
import type { LedgerDoor } from './ledger-door.ts';
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
  /** Puts another ledger in the place of the one that is open. */
  readonly replaceLedger?: LedgerDoor['replace'];
  /** Told when another ledger is open: whoever watches the old one is sent away. */
  readonly onReplaced?: () => void;
}): { readonly backups: BackupKeeper; readonly desk: DaemonDesk } {
  const { config, clock, engine, health, tellers, memory, log } = parts;
  const database = resolve(config.database);
  const copyTo = config.backups.copy_to === '' ? null : resolve(config.backups.copy_to);
  /** On a new card the house's own folder is empty, and the stick holds what there is. */
  const places = [backupsFolder(database), ...(copyTo === null ? [] : [copyTo])];
  const backups = createBackupKeeper({
    database,
    serverVersion: productVersion(),
    clock,
    nights() {
      const reports = engine()?.reports;
      return reports === undefined
        ? null
        : { rule: reports.rule(), wanted: reports.settings().nightlyBackups };
    },
    copyTo,
    tell: tellers('backups'),
    log,
  });
  const desk: DaemonDesk = {
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
    const all = (await Promise.all(places.map(listBackups))).flat();
    const byName = new Map(all.reverse().map((backup) => [backup.name, storedBackup(backup)]));
    return [...byName.values()].sort((a, b) => b.createdMs - a.createdMs);
  }

  async function pathOf(name: string): Promise<string> {
    for (const place of places) if ((await readBackup(place, name)) !== null) return join(place, name);
    throw new AppError('not_found', 'There is no backup of that name.', { reason: { name: 'not_here' } });
  }

  async function restore(from: { readonly name: string } | { readonly path: string }): Promise<Restored> {
    if (parts.replaceLedger === undefined) {
      throw new AppError('unavailable', 'This ledger lies nowhere, so nothing can take its place.');
    }
    const archive = 'name' in from ? await pathOf(from.name) : from.path;
    const { prepared, manifest, doubts } = await runArchiveJob<'prepare'>({
      kind: 'prepare',
      database,
      archive,
    });
    const nowMs = Math.max(0, Math.round(clock.now().wallMs));
    const { setAside } = await parts.replaceLedger(() =>
      runArchiveJob<'swap'>({ kind: 'swap', database, prepared, nowMs }),
    );
    log.info({ setAside, ledgerBytes: manifest.ledgerBytes }, 'a backup was put in the place of the ledger');
    parts.onReplaced?.();
    return { createdMs: manifest.createdMs, isDoubtful: doubts.length > 0 };
  }
  return { backups, desk };
}

import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { CliIo } from '../../../cli/command.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import type { OpenDatabase } from '../../../cli/with-database.ts';
import { AppError } from '../../../core/app-error.ts';
import { runArchiveJob } from '../../../services/backups/run-archive-job.ts';
import { backupsFolder } from '../../../store/archive/backup-folder.ts';
import { createClock } from '../../../system/clock.ts';
import { productVersion } from '../../../system/product.ts';
import { lockInstance } from '../../../system/single-instance.ts';
import type { ImportStaging } from '../store/import-staging.ts';
import { createImportReport, type ImportReport } from './import-report.ts';
import { type PlaceOf, planImport, writeImport } from './run-import.ts';
import type { OpenImports } from './with-imports.ts';

/** Options that every import has. */
export const importOptions = {
  'dry-run': { type: 'boolean' },
  'skip-bad-rows': { type: 'boolean' },
  'no-backup': { type: 'boolean' },
} as const;

export interface ImportChoices {
  readonly 'dry-run'?: boolean | undefined;
  readonly 'skip-bad-rows'?: boolean | undefined;
  readonly 'no-backup'?: boolean | undefined;
}

/** Percent of progress between two messages. */
const progressStep = 10;

/**
 * Imports what is staged: first finds out what it would do, and only without faults makes a backup and writes. Returns the
 * exit code.
 */
export async function importStaged(
  { imports, now, loaded }: OpenImports,
  {
    io,
    source,
    isFile,
    needsKegs = true,
    staging,
    report,
    placeOf,
    choices,
    drinksThrough = 0,
  }: {
    readonly io: CliIo;
    readonly source: string;
    readonly isFile: boolean;
    /** Whether a drink that names an unknown keg is refused. */
    readonly needsKegs?: boolean;
    readonly staging: ImportStaging;
    /** With the rows that could not be staged. */
    readonly report: ImportReport;
    readonly placeOf: PlaceOf;
    readonly choices: ImportChoices;
    readonly drinksThrough?: number;
  },
): Promise<number> {
  const isDryRun = choices['dry-run'] ?? false;
  const actor = { userId: null, via: 'console' } as const;
  const start = (isDry: boolean) =>
    imports.start({ source, isFile, needsKegs, isDryRun: isDry, actor, calledBy: callerName(io.env) }, now);

  const staged = report.staged();
  planImport(start(true), staging, report, placeOf);
  io.err(report.badText());
  if (report.badCount > 0 && !choices['skip-bad-rows']) {
    io.err(
      `Nothing was imported: ${count(report.badCount)} cannot be. Correct them, or leave them out with --skip-bad-rows.\n`,
    );
    return exitCodes.badData;
  }
  // A drink that was left out would never be looked at again.
  const handledThrough = report.badCount > 0 ? 0 : drinksThrough;
  if (isDryRun || report.newCount === 0) {
    io.out(report.text(false));
    io.err(isDryRun ? 'Nothing was written: this was a dry run.\n' : 'There is nothing new to import.\n');
    if (!isDryRun) for (const _step of start(false).finish(report.counts, handledThrough));
    return exitCodes.ok;
  }
  if (!choices['no-backup']) await makeBackup(resolve(io.cwd, loaded.config.database), loaded, io);

  const done = createImportReport(staged);
  let shown = 0;
  await writeImport(start(false), {
    staging,
    report: done,
    placeOf,
    drinksThrough: handledThrough,
    showProgress(written, total) {
      const percent = Math.floor((written / total) * 100);
      if (percent < shown + progressStep) return;
      shown = percent;
      io.err(`${percent} %\n`);
    },
  });
  io.out(done.text(true));
  io.err(`To undo it: tapster import undo ${source}\n`);
  if (report.badCount > 0) io.err(`${count(report.badCount)} left out.\n`);
  return exitCodes.ok;
}

/** Runs `work` unless another import runs on the database; root must be its owner already. */
export async function withImportLock<T>(database: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockInstance(database, 'import');
  if (lock === null) {
    throw new AppError('unavailable', 'Another import runs on this database: wait until it has ended.');
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Makes the backup from which `tapster restore` undoes what follows. */
export async function makeBackup(
  database: string,
  { source, isDemo }: OpenDatabase['loaded'],
  io: CliIo,
): Promise<void> {
  io.err('Making a backup first …\n');
  const now = createClock().now();
  const { name } = await runArchiveJob<'make'>({
    kind: 'make',
    database,
    settings: isDemo ? null : source,
    occasion: 'manual',
    serverVersion: productVersion(),
    createdMs: Math.max(0, Math.round(now.wallMs)),
    clockSynced: now.synced,
    target: 'folder',
  });
  io.err(`Backup: ${join(backupsFolder(database), name!)}.\n`);
}

/** Who called the command, also through sudo; empty when the system does not know. */
export function callerName(env: CliIo['env']): string {
  if (env.SUDO_USER) return env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

const count = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`);

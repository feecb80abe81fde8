import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { loadConfig } from '../../daemon/load-config.ts';
import type { ArchiveResults } from '../../services/backups/archive-jobs.ts';
import type { JobOptions } from '../../services/backups/run-archive-job.ts';
import { runArchiveJob } from '../../services/backups/run-archive-job.ts';
import { backupsFolder } from '../../store/archive/backup-folder.ts';
import { storeBackedUpFor } from '../../store/inspect-database.ts';
import { createClock } from '../../system/clock.ts';
import { productVersion } from '../../system/product.ts';
import { findOwner } from '../act-as-owner.ts';
import { type CliIo, type Command, configOption, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireReadableDatabase } from '../permission.ts';

/** Makes one verified backup and prints its path. */
export const backupCommand: Command = {
  help: `Usage: tapster backup [--to FILE | --before-update] [--config FILE]

Makes one archive of settings file, database and pictures, also while the daemon runs and beer flows, reads it back, checks the
database in it, and prints the archive's path. Without --to it is written to backups/ beside the database, where the
newest seven are kept. It contains people's names and addresses: store it as safely as your keys.

  --to FILE        write it there instead; existing files are not overwritten
  --before-update  the updater calls it before it switches to this version, which then makes no backup at its start;
                   without a database, or where backups.before_upgrade is false, none is made

Exit codes: 0 done, 64 wrong call, 69 a backup is running already or there is no database, 73 cannot be written there, 74 the
disk fails, 77 no permission.
`,
  async run(args, io) {
    const { values } = readArgs(args, {
      ...configOption,
      to: { type: 'string' },
      'before-update': { type: 'boolean' },
    });
    const isBeforeUpdate = values['before-update'] === true && values.to === undefined;
    const { config, source, isDemo } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const database = resolve(io.cwd, config.database);
    const hasDatabase = requireReadableDatabase(database);
    if (isBeforeUpdate && (!config.backups.before_upgrade || !hasDatabase)) return exitCodes.ok;
    if (!hasDatabase) throw new AppError('unavailable', `There is no database at ${database} yet.`);
    const make = (target: 'folder' | 'descriptor', options: JobOptions) => {
      const now = createClock().now();
      return runArchiveJob<'make'>(
        {
          kind: 'make',
          database: resolve(io.cwd, config.database),
          settings: isDemo ? null : source,
          occasion: isBeforeUpdate ? 'upgrade' : 'manual',
          serverVersion: productVersion(),
          createdMs: Math.max(0, Math.round(now.wallMs)),
          clockSynced: now.synced,
          target,
        },
        { ...options, owner: findOwner(config.database) },
      );
    };
    if (values.to === undefined) {
      const { name, ...result } = await make('folder', {});
      if (isBeforeUpdate) storeBackedUpFor(database, productVersion());
      printResult(io, join(backupsFolder(database), name!), result);
      return exitCodes.ok;
    }
    const target = resolve(io.cwd, values.to);
    const part = `${target}.part`;
    const targetFile = openNew(target);
    try {
      const file = openSync(part, 'wx+', 0o600);
      try {
        const result = await make('descriptor', { output: file });
        renameSync(part, target);
        printResult(io, target, result);
        return exitCodes.ok;
      } finally {
        closeSync(file);
        rmSync(part, { force: true });
      }
    } catch (fault) {
      rmSync(target, { force: true });
      throw fault;
    } finally {
      closeSync(targetFile);
    }
  },
};

/** Creates the target at once, so that a file created during the backup is not overwritten. */
function openNew(target: string): number {
  try {
    return openSync(target, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new AppError('conflict', `${target} exists already and is not overwritten: choose another name.`, {
      cause,
    });
  }
}

function printResult(
  io: CliIo,
  path: string,
  { mismatches, hasSettings }: Pick<ArchiveResults['make'], 'mismatches' | 'hasSettings'>,
): void {
  io.out(`${path}\n`);
  if (!hasSettings) io.err('The backup has no settings file: there is none, or it cannot be read.\n');
  if (mismatches.length > 0) {
    io.err(
      'The backup is complete, but totals in it differ from their sums; run “tapster doctor” to see which.\n',
    );
  }
}

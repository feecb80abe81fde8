import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { AppError } from '../core/app-error.ts';
import type { JobOptions } from '../daemon/backups/run-archive-job.ts';
import { runArchiveJob } from '../daemon/backups/run-archive-job.ts';
import { backupsFolder } from '../store/archive/backup-folder.ts';
import { createClock } from '../system/clock.ts';
import { productVersion } from '../system/product.ts';
import { findOwner } from './act-as-owner.ts';
import { type CliIo, type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Makes one verified backup and prints where it is. */
export const backupCommand: Command = {
  help: `Usage: tapster backup [--to FILE] [--config FILE]

Makes one archive of ledger and pictures, also while the daemon runs and beer flows, reads it back whole, opens
the ledger in it, and prints the archive's path. Without --to it lies with the others in backups/ beside the database,
the newest seven of which are kept. It holds people's names and addresses: keep it as you keep the keys.

  --to FILE  write it there instead; nothing is overwritten

Exit codes: 0 done, 64 wrong call, 69 being made already, 73 cannot be written there, 74 the disk fails.
`,
  async run(args, io) {
    const { values } = readArgs(args, { ...configOption, to: { type: 'string' } });
    const { config } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const make = (target: 'folder' | 'handed-over', options: JobOptions) => {
      const now = createClock().now();
      return runArchiveJob<'make'>(
        {
          kind: 'make',
          database: resolve(io.cwd, config.database),
          occasion: 'by_hand',
          serverVersion: productVersion(),
          createdMs: Math.max(0, Math.round(now.wallMs)),
          clockSynced: now.synced,
          target,
        },
        { ...options, owner: findOwner(config.database) },
      );
    };
    if (values.to === undefined) {
      const { name, mismatches } = await make('folder', {});
      printResult(io, join(backupsFolder(resolve(io.cwd, config.database)), name!), mismatches);
      return exitCodes.ok;
    }
    const target = resolve(io.cwd, values.to);
    const part = `${target}.part`;
    const taken = openNew(target);
    try {
      const file = openSync(part, 'wx+', 0o600);
      try {
        const { mismatches } = await make('handed-over', { output: file });
        renameSync(part, target);
        printResult(io, target, mismatches);
        return exitCodes.ok;
      } finally {
        closeSync(file);
        rmSync(part, { force: true });
      }
    } catch (fault) {
      rmSync(target, { force: true });
      throw fault;
    } finally {
      closeSync(taken);
    }
  },
};

/** Takes the name, so that nobody else's file is overwritten by a backup that took its time. */
function openNew(target: string): number {
  try {
    return openSync(target, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new AppError('conflict', `${target} is there already, and nothing is overwritten.`, { cause });
  }
}

function printResult(io: CliIo, path: string, doubts: readonly string[]): void {
  io.out(`${path}\n`);
  if (doubts.length > 0) {
    io.err(
      'The backup is whole, but totals in it are not the sums they stand for; tapster doctor says which.\n',
    );
  }
}

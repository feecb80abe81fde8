import { closeSync, existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { AppError } from '../core/app-error.ts';
import { runArchiveJob } from '../daemon/backups/run-archive-job.ts';
import { backupsFolder, isBackupName } from '../store/archive/backup-folder.ts';
import { createClock } from '../system/clock.ts';
import { productVersion } from '../system/product.ts';
import { lockInstance } from '../system/single-instance.ts';
import { findOwner } from './act-as-owner.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Replaces the database by a backup and sets the former one aside. */
export const restoreCommand: Command = {
  help: `Usage: tapster restore FILE [--config FILE]

Replaces the database by the backup FILE; a bare name is also looked up in the backups beside the database. The daemon
must not run. Everything in the archive is checked before anything is changed; the present database and its pictures
are set aside in a folder beside it, never overwritten. A backup of an older Tapster is upgraded. Everybody has to log
in again.

  sudo systemctl stop tapster && sudo tapster restore tapster-20260502T020000Z-nightly.tar.gz

Exit codes: 0 done, 64 wrong call, 65 no backup or a damaged one, 66 no such file, 69 the daemon runs, 74 the disk fails.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, configOption, ['FILE']);
    const { config } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const database = resolve(io.cwd, config.database);
    const lock = await lockInstance(database);
    if (lock === null) {
      throw new AppError('unavailable', 'The daemon runs on this database: stop it first, then restore.');
    }
    const owner = findOwner(database);
    let archive: number;
    try {
      archive = openSync(resolveArchive(positionals[0]!, { cwd: io.cwd, database }), 'r');
    } catch (fault) {
      io.err(`The file ${positionals[0]} cannot be opened: ${(fault as Error).message}\n`);
      return exitCodes.noInput;
    }
    try {
      io.err('Checking the backup …\n');
      const { prepared, manifest, mismatches } = await runArchiveJob<'prepare'>(
        { kind: 'prepare', database, archive: null, serverVersion: productVersion() },
        { input: archive, owner },
      );
      const nowMs = Math.max(0, Math.round(createClock().now().wallMs));
      const { setAside } = await runArchiveJob<'swap'>(
        { kind: 'swap', database, prepared, nowMs },
        { owner },
      );
      io.err(`Restored the database of ${new Date(manifest.createdMs).toISOString()}.\n`);
      if (setAside !== null) io.err(`The former one is in ${setAside}.\n`);
      if (mismatches.length > 0)
        io.err('Some totals in it differ from their sums; run “tapster doctor” to see which.\n');
      return exitCodes.ok;
    } finally {
      closeSync(archive);
      lock.release();
    }
  },
};

/** Returns the path of a file, or of a backup in the backups' folder when only a bare name is given. */
function resolveArchive(
  name: string,
  { cwd, database }: { readonly cwd: string; readonly database: string },
): string {
  const path = resolve(cwd, name);
  return isBackupName(name) && !existsSync(path) ? join(backupsFolder(database), name) : path;
}

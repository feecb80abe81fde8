import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { requireWritable } from '../store/files.ts';
import { askForNewSite, hasDatabase } from '../store/site-files.ts';
import { lockInstance } from '../system/single-instance.ts';
import { actAsOwner } from './act-as-owner.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Lets a new site start where one has lost its database. */
export const newSiteCommand: Command = {
  help: `Usage: tapster new-site [--config FILE]

Starts a new bar where one has lost its database: the daemon creates an empty one at its next start and offers its set-up. It
must not run. Backups and pictures stay where they are; pours that wait in the journal are recorded in the new database.
Restore a backup instead if there is one: tapster restore.

Exit codes: 0 done, 64 wrong call, 65 there is a database, 69 the daemon runs, 73 the folder is missing, 77 no permission, 78 faults
in the configuration.
`,
  async run(args, io) {
    const { values } = readArgs(args, configOption);
    const { config } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const database = resolve(io.cwd, config.database);
    requireFolder(dirname(database));
    actAsOwner(database);
    requireWritable(dirname(database));
    // Before the daemon is stopped for nothing.
    if (hasDatabase(database)) throw databaseExists(database);
    const lock = await lockInstance(database);
    if (lock === null) {
      throw new AppError(
        'unavailable',
        'The daemon runs on this database: stop it first, then start a new bar.',
      );
    }
    try {
      if (!askForNewSite(database)) throw databaseExists(database);
    } finally {
      lock.release();
    }
    io.err(`A new bar starts with the database ${database}.\n`);
    return exitCodes.ok;
  },
};

/** A folder that is missing may be on a disk that is not plugged in: no new bar begins elsewhere. */
function requireFolder(folder: string): void {
  try {
    statSync(folder);
  } catch (cause) {
    throw new AppError('unavailable', `The folder ${folder} cannot be found: is its disk plugged in?`, {
      cause,
    });
  }
}

const databaseExists = (database: string): AppError =>
  new AppError('conflict', `There is a database, ${database}: move it away to start a new bar.`);

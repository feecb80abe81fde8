import { loadConfig } from '../config/load.ts';
import { AppError } from '../core/app-error.ts';
import { askForNewSite } from '../store/site-files.ts';
import { actAsOwner } from './act-as-owner.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Lets a new site start where one has lost its database. */
export const newSiteCommand: Command = {
  help: `Usage: tapster new-site [--config FILE]

Starts a new bar where one has lost its database: the daemon creates an empty one within seconds, or at its next start, and
offers its set-up. Backups and pictures stay where they are; pours that wait in the journal are recorded in the new database.
Restore a backup instead if there is one: tapster restore.

Exit codes: 0 done, 64 wrong call, 65 there is a database, 73 the folder is missing, 77 no permission, 78 faults in the
configuration.
`,
  async run(args, io) {
    const { values } = readArgs(args, configOption);
    const { database } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd }).config;
    actAsOwner(database);
    if (!askForNewSite(database)) {
      throw new AppError('conflict', `There is a database, ${database}: move it away to start a new bar.`);
    }
    io.err(`A new bar starts with the database ${database}.\n`);
    return exitCodes.ok;
  },
};

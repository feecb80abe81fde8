import { existsSync } from 'node:fs';
import { createCommands } from '../updater/commands.ts';
import { describeStatus } from '../updater/describe-status.ts';
import { parseOptions } from '../updater/options.ts';
import { type Command, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Prints the state of the updater. */
export const updateStatusCommand: Command = {
  help: `Usage: tapster update status

Shows the release that runs, the others that are kept, and how the last update went.

Exit codes: 0 done, 64 wrong call, 69 Tapster was not installed by its package.
`,
  async run(args, io) {
    readArgs(args, {});
    const { options } = parseOptions([]);
    if (!existsSync(options.releases)) {
      io.err(`There are no releases in ${options.releases}: Tapster was not installed by its package.\n`);
      return exitCodes.unavailable;
    }
    io.out(describeStatus(createCommands(options, () => {}).status()));
    return exitCodes.ok;
  },
};

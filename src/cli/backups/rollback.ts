import { AppError } from '../../core/app-error.ts';
import { createCommands, UpdaterFault } from '../../updater/commands.ts';
import { parseOptions } from '../../updater/options.ts';
import { type Command, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** Has the updater run another release; it does the work. */
export const rollbackCommand: Command = {
  help: `Usage: sudo tapster rollback [VERSION]

Runs the version before the last update again, or the named one if it is kept. It is checked first, a backup is made, and the
switch waits for idle taps. Drinks, kegs and settings stay as they are: no backup is restored. Only where Tapster was
installed by its package.

Exit codes: 0 the updater was told, 64 wrong call, 69 there is no such version, 77 it needs root.
`,
  async run(args, io) {
    const { positionals } = readArgs(args, {}, ['VERSION'], { areOptional: true });
    if (process.getuid?.() !== 0) {
      io.err('This needs root. Call it with sudo: sudo tapster rollback\n');
      return exitCodes.noPermission;
    }
    try {
      createCommands(parseOptions([]).options, (line) => io.out(`${line}\n`)).rollback(positionals[0]);
    } catch (fault) {
      if (fault instanceof UpdaterFault) throw new AppError('unavailable', fault.message);
      throw fault;
    }
    return exitCodes.ok;
  },
};

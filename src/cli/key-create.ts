import { consoleActor } from '../engine/engine.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { withDatabase } from './with-database.ts';

/** Creates an API key and prints only the key on standard output. */
export const keyCreateCommand: Command = {
  help: `Usage: tapster key create NAME [--config FILE]

Creates an API key for the account NAME, also while the daemon runs, and prints it. Only its hash is stored:
it cannot be shown again.

  key=$(tapster key create anna)

Exit codes: 0 done, 64 wrong call, 67 no such account, 69 or 7x the database cannot be used.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, configOption, ['NAME']);
    const { secret } = await withDatabase({ configPath: values.config, io }, ({ engine, now }) =>
      engine.users.createKey(positionals[0]!, 'made on the command line', now, consoleActor),
    );
    io.out(`${secret}\n`);
    return exitCodes.ok;
  },
};

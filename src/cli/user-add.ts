import { type Command, configOption, readArgs, UsageFault } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { readSecretLine } from './read-stdin.ts';
import { withDatabase } from './with-database.ts';

/** Creates an account; the first staff account completes the set-up. */
export const userAddCommand: Command = {
  help: `Usage: tapster user add NAME [--staff] [--superuser] --password-stdin [--config FILE]

Creates an account, also while the daemon runs. The password is the first line of standard input, so
that it is not in the shell's history. It has at least 10 characters and is not easily guessed:

  read -rs password && echo "$password" | tapster user add anna --staff --password-stdin

  --staff      may change taps, kegs and drinks, and write with an API key
  --superuser  may also change where mails, webhooks and links go, and the accounts of superusers

NAME has letters of one script, digits and _ . @ + - , with a letter or digit at both ends. Names that differ only in
case are the same.

Exit codes: 0 done, 64 wrong call, 65 name or password refused, 69 or 7x the database cannot be used.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(
      args,
      {
        ...configOption,
        staff: { type: 'boolean' },
        superuser: { type: 'boolean' },
        'password-stdin': { type: 'boolean' },
      },
      ['NAME'],
    );
    if (!values['password-stdin']) {
      throw new UsageFault('--password-stdin is missing: the password is read from standard input.');
    }
    const username = positionals[0]!;
    const password = await readSecretLine(io.stdin);
    const isSuperuser = values.superuser ?? false;
    const isStaff = values.staff ?? false;

    const added = await withDatabase({ configPath: values.config, io }, async ({ engine, now }) => {
      const hashed = await engine.users.passwords.hash(password);
      return engine.users.addUser({ username, password: hashed, isStaff, isSuperuser }, now);
    });
    io.err(`Added ${added.username}${isSuperuser ? ', superuser' : isStaff ? ', staff' : ''}.\n`);
    return exitCodes.ok;
  },
};

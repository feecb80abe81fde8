import { resolve } from 'node:path';
import { actAsOwner } from '../../../cli/act-as-owner.ts';
import { type Command, configOption, readArgs } from '../../../cli/command.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { loadConfig } from '../../../daemon/load-config.ts';
import { callerName, makeBackup, withImportLock } from './import-staged.ts';
import { repeatInSteps } from './run-import.ts';
import { type ImportParts, withImports } from './with-imports.ts';

/** What was imported can be removed while the feature is off. */
const evenIfOff = { evenIfOff: true };

const options = { ...configOption, 'no-backup': { type: 'boolean' } } as const;

/** Lists the sources of imports, or removes what came from one. */
export const importUndoCommand = (parts: ImportParts): Command => ({
  help: `Usage: tapster import undo [SOURCE] [--no-backup] [--config FILE]

Without SOURCE: lists from where drinks were imported, and how many of them are here.

With SOURCE: removes its drinks, spills and kegs, also while the daemon runs and beer flows. What was poured here stays, also a
keg that is on a tap or that was poured from here. Accounts and beverages stay; delete them on the page. The import can be
made again afterwards. Interrupted, it is continued by calling it again.

  --no-backup  do not make a backup first

  tapster import undo http://old-pi.local:8000

Exit codes: 0 done, 64 wrong call, 67 no such source, 69 or 7x the database cannot be used.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, options, ['SOURCE'], { areOptional: true });
    const loaded = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    actAsOwner(loaded.config.database);
    const database = resolve(io.cwd, loaded.config.database);
    const [source] = positionals;
    if (source === undefined) {
      await withImports(
        parts,
        loaded,
        ({ imports }) => {
          const sources = imports.sources();
          if (sources.length === 0) io.err('Nothing was imported.\n');
          for (const { name, drinks } of sources) io.out(`${name}  ${drinks} drinks\n`);
        },
        evenIfOff,
      );
      return exitCodes.ok;
    }
    return withImportLock(database, () =>
      withImports(
        parts,
        loaded,
        async ({ imports, now }) => {
          const actor = { userId: null, via: 'console' } as const;
          const undo = imports.undo({ source, actor, calledBy: callerName(io.env) }, now);
          if (!values['no-backup']) await makeBackup(database, loaded, io);
          const drinks = await repeatInSteps(undo.removeDrinks);
          const { removed, kept } = undo.finish();
          io.out(`Removed ${drinks} drinks and ${removed} kegs.\n`);
          if (kept > 0) io.err(`${kept} kegs stay, because they are on a tap or were poured from here.\n`);
          return exitCodes.ok;
        },
        evenIfOff,
      ),
    );
  },
});

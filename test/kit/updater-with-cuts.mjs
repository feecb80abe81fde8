// The built updater in a process that kills itself before its change number CUT_AT, as if the power were cut there.
import { createCommands } from '../../dist/updater/commands.js';
import { updaterFiles } from '../../dist/updater/files.js';
import { parseOptions } from '../../dist/updater/options.js';
import { createServiceManager } from '../../dist/updater/service-manager.js';

const cutAt = Number(process.env.CUT_AT ?? Number.POSITIVE_INFINITY);
let changes = 0;

/** Every function of `object`, with a possible cut before it. */
const withCuts = (object, names) =>
  Object.fromEntries(
    Object.entries(object).map(([name, call]) => [
      name,
      (...args) => {
        if (names.includes(name) && changes++ === cutAt) process.kill(process.pid, 'SIGKILL');
        return call(...args);
      },
    ]),
  );

const [command, ...rest] = process.argv.slice(2);
const { options } = parseOptions(rest);
const commands = createCommands(options, (line) => process.stdout.write(`${line}\n`), {
  files: withCuts(updaterFiles, Object.keys(updaterFiles)),
  service: withCuts(createServiceManager(options.systemctl), ['resetRestarts', 'restart']),
});
await commands[command]();
process.stdout.write(`changes: ${changes}\n`);

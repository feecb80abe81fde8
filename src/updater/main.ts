#!/usr/bin/env node
import { createCommands, UpdaterFault } from './commands.ts';
import { describeStatus } from './describe-status.ts';
import { parseOptions } from './options.ts';

const help = `Usage: main.js installed [OLD-VERSION] | resume | rollback [VERSION] | status

The updater of an installed package. It runs as root: "installed" is called by the package, "resume" is what
tapster-updater.service runs. People call "tapster rollback" and "tapster update status".
`;

process.exitCode = await main(process.argv.slice(2));

async function main([command = '', ...rest]: readonly string[]): Promise<number> {
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    const { words, options } = parseOptions(rest);
    const commands = createCommands(options, out);
    switch (command) {
      case 'installed':
        await commands.installed();
        return 0;
      case 'resume':
        await commands.resume();
        return 0;
      case 'rollback':
        commands.rollback(words[0]);
        return 0;
      case 'status':
        process.stdout.write(describeStatus(commands.status()));
        return 0;
      default:
        process.stderr.write(help);
        return 64;
    }
  } catch (fault) {
    process.stderr.write(
      `${fault instanceof UpdaterFault ? fault.message : String((fault as Error).stack ?? fault)}\n`,
    );
    return fault instanceof UpdaterFault ? 69 : 70;
  }
}

import { ConfigFault } from '../config/config-fault.ts';
import { AppError } from '../core/app-error.ts';
import { findClosest } from '../core/text/find-closest.ts';
import { extensions } from '../extensions/all.ts';
import { productVersion } from '../system/product.ts';
import { type CliIo, type CommandEntry, UsageFault } from './command.ts';
import { exitCodes, toExitCode } from './exit-codes.ts';

const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'count, store and serve until it is stopped (default without a command)',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'status',
    summary: 'print health and addresses of the running daemon, and the set-up code while the set-up is open',
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    name: 'check',
    summary: 'read the configuration and list every fault in it',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'doctor',
    summary: 'check board, pins, thermo sensors, database, clock, power, memory and disk',
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'https',
    summary: 'print the address over HTTPS and the fingerprint of this machine’s authority',
    load: async () => (await import('./https.ts')).httpsCommand,
  },
  {
    name: 'user add',
    summary: 'create an account',
    load: async () => (await import('./user-add.ts')).userAddCommand,
  },
  {
    name: 'key create',
    summary: 'create an API key for an account and print it',
    load: async () => (await import('./key-create.ts')).keyCreateCommand,
  },
  {
    name: 'backup',
    summary: 'make a verified backup of settings, database and pictures, also while the daemon runs',
    load: async () => (await import('./backups/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'list the backups, or restore one; what it replaces is set aside',
    load: async () => (await import('./backups/restore.ts')).restoreCommand,
  },
  {
    name: 'new-site',
    summary: 'start a new bar where one has lost its database',
    load: async () => (await import('./new-site.ts')).newSiteCommand,
  },
  {
    name: 'export',
    summary: 'print drinks, kegs, sessions or temperatures as CSV or JSON lines',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  ...extensions.flatMap((extension) => extension.commands),
  {
    name: 'update status',
    summary: 'show the installed releases and how the last update went',
    load: async () => (await import('./updates/update-status.ts')).updateStatusCommand,
  },
  {
    name: 'update retry',
    summary: 'try a version again that was refused or taken back',
    load: async () => (await import('./updates/update-retry.ts')).updateRetryCommand,
  },
  {
    name: 'rollback',
    summary: 'run the version before the last update again; the drinks stay',
    load: async () => (await import('./backups/rollback.ts')).rollbackCommand,
  },
  {
    name: 'simulate pour',
    summary: 'make simulated pulses in the running daemon',
    load: async () => (await import('./simulate-pour.ts')).simulatePourCommand,
  },
];

/**
 * Runs the command given by the arguments and returns the exit code. Each fault is printed as one sentence.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const [first] = argv;
  if (first === '--version' || first === '-v') {
    io.out(`${productVersion()}\n`);
    return exitCodes.ok;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    io.out(overview());
    return exitCodes.ok;
  }
  const found = findCommand(argv);
  if (found === null) return unknownCommand(argv, io);
  try {
    const command = await found.entry.load();
    if (found.args.includes('--help') || found.args.includes('-h')) {
      io.out(command.help);
      return exitCodes.ok;
    }
    return await command.run(found.args, io);
  } catch (fault) {
    return await printFault(fault, found.entry, io);
  }
}

function findCommand(argv: readonly string[]): { entry: CommandEntry; args: readonly string[] } | null {
  const [first, second] = argv;
  // `tapster --config FILE` runs the daemon.
  if (first === undefined || first.startsWith('-')) return { entry: commands[0]!, args: argv };
  for (const [wordCount, name] of [
    [2, `${first} ${second}`],
    [1, first],
  ] as const) {
    const entry = commands.find((one) => one.name === name);
    if (entry !== undefined) return { entry, args: argv.slice(wordCount) };
  }
  return null;
}

function unknownCommand(argv: readonly string[], io: CliIo): number {
  const typed = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const group = commands.filter((one) => one.name.startsWith(`${typed[0]} `));
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  if (group.length > 0 && wantsHelp) {
    io.out(overview());
    return exitCodes.ok;
  }
  const names = commands.map((one) => one.name);
  const suggestion =
    group[0]?.name ?? findClosest(typed.join(' '), names) ?? findClosest(typed[0] ?? '', names);
  const help = suggestion === null ? 'tapster --help lists them.' : `Did you mean "tapster ${suggestion}"?`;
  io.err(`There is no command "${typed.join(' ')}". ${help}\n`);
  return exitCodes.usage;
}

async function printFault(fault: unknown, entry: CommandEntry, io: CliIo): Promise<number> {
  if (fault instanceof UsageFault) {
    io.err(`${fault.message} See: tapster ${entry.name} --help\n`);
    return exitCodes.usage;
  }
  // A file that may not be read has no faults that anybody knows of.
  const code = toExitCode(fault);
  if (fault instanceof ConfigFault && code !== exitCodes.noPermission) {
    io.err(`${fault.message}\n`);
    return exitCodes.config;
  }
  // Loaded on demand, as the commands are.
  const refusal =
    code === exitCodes.noPermission
      ? (await import('./permission.ts')).describeRefusal(fault, entry.name)
      : null;
  if (refusal !== null) {
    io.err(`${fault instanceof AppError ? `${fault.message} ` : ''}${refusal}\n`);
    return code;
  }
  if (fault instanceof AppError) io.err(`${fault.message}${settingsHint(fault)}\n`);
  else if (code !== exitCodes.bug && fault instanceof Error) io.err(`Failed: ${fault.message}\n`);
  // For a bug the stack is printed, because developers need it and only this terminal shows it.
  else io.err(`A bug: ${fault instanceof Error ? fault.stack : String(fault)}\n`);
  return code;
}

/** How the settings file switches a feature on that is off. */
const settingsHint = ({ reason }: AppError): string =>
  reason?.name === 'feature_off'
    ? ` The settings file can do it, too: "features": { "${reason.feature}": true }.`
    : '';

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `Tapster counts the beer that your taps pour.

Usage: tapster [COMMAND] [OPTIONS]

${list}
  --config FILE  configuration; else $TAPSTER_CONFIG, else /etc/tapster/tapster.json, else the demo
  --help         this text, or a command's own
  --version      the version
`;
}

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The input and output of a command; tests pass their own. */
export interface CliIo {
  /** Writes the result, and nothing else, to standard output. */
  out(result: string | Uint8Array): void;
  /** Waits until a slow reader has taken the output; false when the reader is gone. */
  waitForDrain?(): Promise<boolean>;
  /** Writes messages for people to standard error. */
  err(text: string): void;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** One command of the program. */
export interface Command {
  /** Shown by `--help`, ends with a newline. */
  readonly help: string;
  /** Returns the exit code; throws a `UsageFault` for a wrong call. */
  run(args: readonly string[], io: CliIo): Promise<number>;
}

/** A command in the list of all. */
export interface CommandEntry {
  /** One or two words, as typed. */
  readonly name: string;
  readonly summary: string;
  /** Loaded on demand, so that the daemon does not keep the other commands in memory. */
  load(): Promise<Command>;
}

/** A wrong call, with one sentence that says what is wrong. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageFault';
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** The option `--config FILE` of every command that reads the configuration. */
export const configOption = { config: { type: 'string' } } as const satisfies Options;

/** Parses a command's options and positional arguments; those named in `wordNames` are required unless `areOptional`. */
export function readArgs<O extends Options>(
  args: readonly string[],
  options: O,
  wordNames: readonly string[] = [],
  { areOptional = false } = {},
) {
  const parsed = parse(args, options);
  const missing = wordNames[parsed.positionals.length];
  if (missing !== undefined && !areOptional) throw new UsageFault(`${missing} is missing.`);
  const extra = parsed.positionals[wordNames.length];
  if (extra !== undefined) throw new UsageFault(`"${extra}" is an extra argument.`);
  return parsed;
}

function parse<O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    // The first sentence names the option; the rest is about Node's own API.
    throw new UsageFault(`${fault.message.split(/\.\s/)[0]?.replace(/\.$/, '')}.`);
  }
}

/** Parses a decimal number within bounds. */
export function readNumber(text: string, name: string, min: number, max: number): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageFault(`${name} must be a number from ${min} to ${max}, not "${text.slice(0, 40)}".`);
}

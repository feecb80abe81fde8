import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The world a command runs in; a test brings its own. */
export interface CliIo {
  /** What was asked for goes here, and nothing else. */
  out(text: string): void;
  /** Waits until a slow reader has taken what was put out; false when nobody reads any more. */
  waitForDrain?(): Promise<boolean>;
  /** Everything that only a person reads. */
  err(text: string): void;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** One thing the program can be told to do. */
export interface Command {
  /** Shown by `--help`, ends with a newline. */
  readonly help: string;
  /** Returns the exit code; throws a `UsageFault` for a wrong call. */
  run(args: readonly string[], io: CliIo): Promise<number>;
}

/** A wrong call: what is wrong with it, in one sentence. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageFault';
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** `--config FILE`, which every command that needs the configuration takes. */
export const configOption = { config: { type: 'string' } } as const satisfies Options;

/** Reads a command's options and words; `words` are the names of the words it needs, all of them. */
export function readArgs<O extends Options>(
  args: readonly string[],
  options: O,
  wordNames: readonly string[] = [],
) {
  const parsed = parse(args, options);
  const missing = wordNames[parsed.positionals.length];
  if (missing !== undefined) throw new UsageFault(`${missing} is missing.`);
  const extra = parsed.positionals[wordNames.length];
  if (extra !== undefined) throw new UsageFault(`"${extra}" is one word too many.`);
  return parsed;
}

function parse<O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    // The first sentence names the option; the rest explains Node's own ways round it.
    throw new UsageFault(`${fault.message.split(/\.\s/)[0]?.replace(/\.$/, '')}.`);
  }
}

/** A number written as a whole word, within bounds. */
export function readNumber(text: string, name: string, min: number, max: number): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageFault(`${name} must be a number from ${min} to ${max}, not "${text.slice(0, 40)}".`);
}

import { isatty } from 'node:tty';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { createLogMemory, type LogMemory } from './log-memory.ts';
import { toTerminalLine } from './terminal-line.ts';

export type { Logger } from 'pino';

/** Log text waiting for a stalled journal; beyond it lines are dropped, because the beer must not wait for the log. */
const maxBufferedChars = 1024 * 1024;

/** Whatever carries these names is a secret, at the top or one level down. */
const secretNames = [
  'password',
  'secret',
  'key',
  'api_key',
  'apiKey',
  'token',
  'auth_token',
  'authToken',
  'authorization',
  'cookie',
];

/** Severity numbers of the journal, by pino's levels. */
const journalPriority: Readonly<Record<number, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

export interface LogOptions {
  readonly level: LoggerOptions['level'] & string;
  /** Plain lines for a person instead of JSON; by default when standard output is a terminal. */
  readonly isHumanReadable?: boolean;
  /** Put the journal's severity in front of each line; by default when systemd started us. */
  readonly isForJournal?: boolean;
  /** Where the lines go, each with its newline; standard output without it. */
  readonly write?: (line: string) => void;
}

/** The log and the way to get its last lines out before the process ends. */
export interface Log {
  readonly log: Logger;
  /** Its last lines, as they were written: secrets are struck out. */
  readonly memory: LogMemory;
  /** Writes what still waits; used at exit only, because it may block. */
  flush(): void;
}

/** Makes the log: JSON lines for the journal, plain ones on a terminal, secrets struck out in both. */
export function createLog(options: LogOptions): Log {
  const isHumanReadable = options.isHumanReadable ?? (options.write === undefined && isatty(1));
  const isForJournal = options.isForJournal ?? process.env.JOURNAL_STREAM !== undefined;
  const output = options.write === undefined ? standardOutput() : { write: options.write, flush: () => {} };
  const memory = createLogMemory();
  const destination = {
    write(line: string) {
      memory.add(line);
      if (isHumanReadable) output.write(toTerminalLine(line));
      else output.write(isForJournal ? `<${priority(line)}>${line}` : line);
    },
  };
  const log = pino(
    {
      level: options.level,
      // The journal knows process and host; saying it on every line wears the card.
      base: null,
      redact: {
        paths: [
          ...secretNames.flatMap((name) => [name, `*.${name}`]),
          'req.headers.authorization',
          'req.headers.cookie',
          'req.headers["x-kegbot-api-key"]',
          '*["x-kegbot-api-key"]',
        ],
        censor: '[secret]',
      },
    },
    destination,
  );
  return { log, memory, flush: () => output.flush() };
}

function standardOutput(): { write: (line: string) => void; flush: () => void } {
  // Not synchronous: a journal that waits for a slow card must not hold up the loop that counts.
  const stream = pino.destination({ dest: 1, sync: false, maxLength: maxBufferedChars });
  // A closed pipe (`tapster run | head`) is no reason to stop counting.
  stream.on('error', () => {});
  return {
    write: (line) => void stream.write(line),
    flush() {
      try {
        stream.flushSync();
      } catch {
        // Nobody is left to read it.
      }
    },
  };
}

function priority(line: string): number {
  // pino writes the level first: {"level":30,…
  return journalPriority[Number(/^\{"level":(\d+)/.exec(line)?.[1])] ?? 6;
}

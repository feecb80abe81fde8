import { isatty } from 'node:tty';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { LogFiles } from './log-files.ts';
import { createLogMemory, type LogMemory } from './log-memory.ts';
import { toTerminalLine } from './terminal-line.ts';

export type { Logger } from 'pino';

/**
 * Bound of the log text that waits for a stalled journal; more is dropped, because counting must not wait for
 * the log.
 */
const maxBufferedChars = 1024 * 1024;

/** Bound of the lines logged before `storeIn` is called; a daemon logs a few. */
const maxUnstored = 100;

/** Fields with these names are redacted, at the top level and one level below. */
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

/** Severities of the journal, by pino's levels. */
const journalPriority: Readonly<Record<number, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

export interface LogOptions {
  readonly level: LoggerOptions['level'] & string;
  /** Plain lines for people instead of JSON; the default when standard output is a terminal. */
  readonly isHumanReadable?: boolean;
  /** Prefixes each line with the journal's severity; the default under systemd. */
  readonly isForJournal?: boolean;
  /** Receives each line with its newline; standard output by default. */
  readonly write?: (line: string) => void;
}

/** The log, with its recent lines and the flush before the process ends. */
interface Log {
  readonly log: Logger;
  /** The last lines as written, with secrets redacted. */
  readonly memory: LogMemory;
  /** From now on also writes the lines to these files, and reads those of earlier runs into the memory. */
  storeIn(files: LogFiles): void;
  /** Writes what still waits; for exit only, because it may block. */
  flush(): void;
}

/** Creates the log: JSON lines for the journal, plain ones on a terminal, secrets redacted in both. */
export function createLog(options: LogOptions): Log {
  const isHumanReadable = options.isHumanReadable ?? (options.write === undefined && isatty(1));
  const isForJournal = options.isForJournal ?? process.env.JOURNAL_STREAM !== undefined;
  const output = options.write === undefined ? standardOutput() : { write: options.write, flush: () => {} };
  const memory = createLogMemory();
  /** Lines logged before the files are known; null when there are files. */
  let unstored: string[] | null = [];
  let files: LogFiles | null = null;
  const destination = {
    write(line: string) {
      memory.add(line);
      if (unstored !== null && unstored.length < maxUnstored) unstored.push(line);
      files?.add(line);
      if (isHumanReadable) output.write(toTerminalLine(line));
      else output.write(isForJournal ? `<${priority(line)}>${line}` : line);
    },
  };
  const log = pino(
    {
      level: options.level,
      // Without process id and host: the journal knows them, and writing them with every line wears the card.
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
  return {
    log,
    memory,
    storeIn(opened) {
      memory.addEarlier(opened.read());
      for (const line of unstored ?? []) opened.add(line);
      unstored = null;
      files = opened;
    },
    flush() {
      output.flush();
      files?.flush();
    },
  };
}

function standardOutput(): { write: (line: string) => void; flush: () => void } {
  // Asynchronous: a journal that waits for a slow card must not delay the event loop, which counts.
  const stream = pino.destination({ dest: 1, sync: false, maxLength: maxBufferedChars });
  // A closed pipe (`tapster run | head`) must not stop counting.
  stream.on('error', () => {});
  return {
    write: (line) => void stream.write(line),
    flush() {
      try {
        stream.flushSync();
      } catch {
        // The reader is gone.
      }
    },
  };
}

function priority(line: string): number {
  // pino writes the level first: `{"level":30,…`
  return journalPriority[Number(/^\{"level":(\d+)/.exec(line)?.[1])] ?? 6;
}

/** Lines kept in memory for a look from the page; the journal has them all. */
const maxLines = 300;
/** All of them together, characters, and one of them. */
const maxTotalChars = 256 * 1024;
const maxLineChars = 4_096;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A line of the log, taken apart. */
export interface RecentLine {
  readonly level: LogLevel;
  readonly timeMs: number;
  readonly message: string;
  /** The rest of it as JSON of one line; empty when there is none. */
  readonly details: string;
}

const levels: Readonly<Record<number, LogLevel>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** The last lines of the log, in bounded memory. */
export interface LogMemory {
  /** Takes one JSON line as it is written. */
  add(line: string): void;
  /** The newest first. */
  recent(): readonly RecentLine[];
}

export function createLogMemory(): LogMemory {
  const lines: string[] = [];
  let size = 0;
  return {
    add(line) {
      // A line cut in two is no JSON any more: of a long one its beginning is kept as a message.
      const stored = line.length <= maxLineChars ? line : shorten(line);
      lines.push(stored);
      size += stored.length;
      while (lines.length > maxLines || size > maxTotalChars) size -= lines.shift()!.length;
    },
    recent: () => lines.map(parseLine).reverse(),
  };
}

function shorten(line: string): string {
  const { level, time, msg } = JSON.parse(line) as Record<string, unknown>;
  const message = String(msg ?? '').slice(0, 1_000);
  return JSON.stringify({ level, time, msg: message, cut: line.slice(0, 2_000) });
}

function parseLine(line: string): RecentLine {
  const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return {
    level: levels[Number(level)] ?? 'info',
    timeMs: Number(time),
    message: String(msg ?? ''),
    details: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  };
}

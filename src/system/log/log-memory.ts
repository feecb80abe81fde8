/** Bound of the lines kept in memory for the page and the bug report; the journal may have more. */
const maxLines = 1_000;
/** Bounds of all lines together and of one line, characters. */
const maxTotalChars = 256 * 1024;
const maxLineChars = 4_096;

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A parsed log line. */
export interface RecentLine {
  /** Above 0, and rises from line to line. */
  readonly id: number;
  readonly level: LogLevel;
  readonly timeMs: number;
  readonly message: string;
  /** The other fields as one line of JSON; empty when there are none. */
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
  /** Adds one JSON line. */
  add(line: string): void;
  /** Adds lines of earlier runs before the others, the oldest first. */
  addEarlier(lines: readonly string[]): void;
  /** The stored lines, the newest first. */
  recent(): readonly RecentLine[];
}

export function createLogMemory(): LogMemory {
  const lines: string[] = [];
  // Leaves numbers for as many lines of earlier runs as are kept.
  let firstId = maxLines + 1;
  let size = 0;
  const dropOldest = () => {
    while (lines.length > maxLines || size > maxTotalChars) {
      size -= lines.shift()!.length;
      firstId += 1;
    }
  };
  return {
    add(line) {
      const stored = boundLine(line);
      lines.push(stored);
      size += stored.length;
      dropOldest();
    },
    addEarlier(earlier) {
      lines.unshift(...earlier);
      firstId -= earlier.length;
      size += earlier.reduce((sum, line) => sum + line.length, 0);
      dropOldest();
    },
    recent: () => lines.map((line, i) => parseLine(line, firstId + i)).reverse(),
  };
}

/** Bounds a line. A truncated one would not be valid JSON, so a long line is replaced by a shortened one. */
export const boundLine = (line: string): string => (line.length <= maxLineChars ? line : shorten(line));

function shorten(line: string): string {
  const { level, time, msg } = JSON.parse(line) as Record<string, unknown>;
  const message = String(msg ?? '').slice(0, 1_000);
  return JSON.stringify({ level, time, msg: message, cut: line.slice(0, 2_000) });
}

function parseLine(line: string, id: number): RecentLine {
  const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return {
    id,
    level: levels[Number(level)] ?? 'info',
    timeMs: Number(time),
    message: String(msg ?? ''),
    details: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  };
}

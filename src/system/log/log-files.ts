import { closeSync, fdatasyncSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { readTextFile } from '../small-files.ts';
import { boundLine } from './log-memory.ts';

/** Bounds of one file. Two files hold at least the last 1 000 lines unless their mean is above 512 characters. */
const maxFileLines = 1_000;
const maxFileBytes = 512 * 1024;
/** Bounds of the lines that wait to be written; the oldest are dropped. */
const maxWaitingLines = 1_000;
const maxWaitingChars = 256 * 1024;

/** Lines without a problem are written this late, milliseconds: each write wears the SD card. */
const infoDelayMs = 10 * 60_000;
/** Least time between two writes, milliseconds; warnings and errors are written at once or when it has passed. */
const minGapMs = 60_000;
/** Bytes written in an hour; further lines wait for the next one. This is 12 MiB on a day full of errors. */
const maxHourBytes = 512 * 1024;
const hourMs = 3_600_000;

/** pino's level of a warning. */
const warningLevel = 40;

/** The last log lines in two files, which survive a power cut where the system's journal is in memory. */
export interface LogFiles {
  /** The stored lines, the oldest first, without newlines. */
  read(): readonly string[];
  /** Adds a JSON line; it is written later. */
  add(line: string): void;
  /** Writes what waits; blocks, for the end of the process only. */
  flush(): void;
  /** Resolves when no write is running. */
  whenIdle(): Promise<void>;
}

/**
 * Opens the log files beside the database, `<database>.log` and `<database>.log.1`; a full one replaces the other.
 * Nothing here throws: without a writable disk the lines are dropped.
 */
export function openLogFiles(database: string): LogFiles {
  const path = `${database}.log`;
  const previousPath = `${path}.1`;
  let file = measure(readLines(path));
  let waiting: string[] = [];
  let waitingChars = 0;
  /** Lines that are being written; written again by `flush`, and therefore possibly twice in the file. */
  let writing: readonly string[] = [];
  let lastWrite: Promise<void> = Promise.resolve();
  let timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | null = null;
  let lastWriteMs = Number.NEGATIVE_INFINITY;
  let hour = { sinceMs: performance.now(), bytes: 0 };

  function schedule(delayMs: number): void {
    const nowMs = performance.now();
    const isHourFull = hour.bytes > maxHourBytes - maxWaitingChars && nowMs < hour.sinceMs + hourMs;
    const earliestMs = Math.max(lastWriteMs + minGapMs, isHourFull ? hour.sinceMs + hourMs : 0);
    const dueMs = Math.max(nowMs + delayMs, earliestMs);
    if (timer !== null && timer.dueMs <= dueMs) return;
    if (timer !== null) clearTimeout(timer.handle);
    const handle = setTimeout(startWrite, Math.max(0, dueMs - nowMs)).unref();
    timer = { dueMs, handle };
  }

  /** Takes the waiting lines; says whether the file must be renamed first. */
  function takeBatch() {
    const batch = waiting;
    waiting = [];
    waitingChars = 0;
    const added = measure(batch);
    const isFull = file.lines + added.lines > maxFileLines || file.bytes + added.bytes > maxFileBytes;
    file = isFull ? added : { lines: file.lines + added.lines, bytes: file.bytes + added.bytes };
    const nowMs = performance.now();
    if (nowMs >= hour.sinceMs + hourMs) hour = { sinceMs: nowMs, bytes: 0 };
    hour.bytes += added.bytes;
    lastWriteMs = nowMs;
    return { batch, isFull };
  }

  function startWrite(): void {
    timer = null;
    if (writing.length === 0 && waiting.length > 0) lastWrite = write(takeBatch());
  }

  async function write({ batch, isFull }: ReturnType<typeof takeBatch>): Promise<void> {
    writing = batch;
    try {
      if (isFull) await rename(path, previousPath).catch(() => {});
      const handle = await open(path, 'a', 0o600);
      try {
        await handle.appendFile(toText(batch));
        await handle.datasync();
      } finally {
        await handle.close();
      }
    } catch {
      // A full or read-only disk is reported by the database; the lines of this batch are lost.
    }
    writing = [];
    // A write that came due meanwhile was left out.
    if (waiting.length > 0) schedule(waiting.some(isProblem) ? 0 : infoDelayMs);
  }

  return {
    read: () => [...new Set([...readLines(previousPath), ...readLines(path)])].slice(-maxFileLines),
    add(line) {
      const stored = boundLine(line.trimEnd());
      waiting.push(stored);
      waitingChars += stored.length;
      while (waiting.length > maxWaitingLines || waitingChars > maxWaitingChars) {
        waitingChars -= waiting.shift()!.length;
      }
      schedule(isProblem(line) ? 0 : infoDelayMs);
    },
    whenIdle: () => lastWrite,
    flush() {
      if (timer !== null) clearTimeout(timer.handle);
      timer = null;
      waiting = [...writing, ...waiting];
      if (waiting.length === 0) return;
      const { batch, isFull } = takeBatch();
      try {
        const isRecent = wasJustWritten(path);
        if (isFull) renameIfThere(path, previousPath);
        const descriptor = openSync(path, 'a', 0o600);
        try {
          writeSync(descriptor, toText(batch));
          // A daemon that fails at every start is restarted every second: the system writes its lines within 30 s.
          if (!isRecent) fdatasyncSync(descriptor);
        } finally {
          closeSync(descriptor);
        }
      } catch {
        // As above.
      }
    },
  };
}

/** Whether a file was written in the last minute by the wall clock. */
export function wasJustWritten(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < minGapMs;
}

/** Starts with a newline, because a power cut may have left the last line incomplete. */
const toText = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`;

const isProblem = (line: string): boolean => Number(/^\{"level":(\d+)/.exec(line)?.[1]) >= warningLevel;

const measure = (lines: readonly string[]) => ({
  lines: lines.length,
  bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
});

/** The complete lines of a file. A power cut may leave a part of a line, or zero bytes. */
function readLines(path: string): readonly string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // Not a file of ours.
  if (size > 4 * maxFileBytes) return [];
  return (readTextFile(path) ?? '').split('\n').filter(isLogLine);
}

function isLogLine(text: string): boolean {
  try {
    const { level, time } = JSON.parse(text) as Record<string, unknown>;
    return typeof level === 'number' && typeof time === 'number';
  } catch {
    return false;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // There is no file yet.
  }
}

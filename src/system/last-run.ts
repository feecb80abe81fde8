import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { wasJustWritten } from './log/log-files.ts';
import { readTextFile } from './small-files.ts';

/** How a run of the daemon ended. */
export type ExitKind =
  | 'stopped' // by a signal, as asked for
  | 'start_failed' // it could not start
  | 'crashed' // an exception that nothing caught
  | 'watchdog' // systemd killed it because it hung
  | 'out_of_memory'
  | 'killed' // by another signal, or it ended with an unexpected code
  | 'power_cut'; // the machine ended without ending the daemon

/** The end of a run. */
export interface LastExit {
  readonly kind: ExitKind;
  /** The signal, the error, or what systemd reports; may be empty. */
  readonly detail: string;
  /** Unix milliseconds by the clock of that run; null when nobody was there to write it down. */
  readonly atMs: number | null;
}

/** The stored state of a run. */
interface RunState {
  readonly bootId: string;
  /** How the run ended; null while it runs, and after a power cut or a kill. */
  readonly end: LastExit | null;
  /** How the run before it ended; null for the first one. */
  readonly previous: LastExit | null;
}

/** A run that has begun. */
export interface Run {
  /** How the previous run ended; null for the first one, and when the state is unreadable. */
  readonly previous: LastExit | null;
  /** Stores how this run ends; of several calls the first counts. */
  end(kind: ExitKind, detail: string, atMs: number): void;
}

/** Longest stored detail, characters. */
const maxDetailChars = 1_000;

/** File in which the service's ExecStopPost stores `$SERVICE_RESULT $EXIT_CODE $EXIT_STATUS`. */
const serviceResultFile = 'service-result';

/**
 * Determines how the previous run ended and stores that a run has begun, in a file beside the database.
 * `stateDirectory` is systemd's `$STATE_DIRECTORY`, where the result of the service is stored. Nothing here throws: on
 * a disk that cannot be written the reason is lost.
 */
export function beginRun(options: {
  readonly database: string;
  readonly bootId: string;
  readonly stateDirectory?: string | undefined;
}): Run {
  const { database, bootId, stateDirectory } = options;
  const file = stateFile(database);
  const resultFile = stateDirectory === undefined ? null : join(stateDirectory, serviceResultFile);
  const previous = findExit(readState(file), bootId, resultFile === null ? null : readTextFile(resultFile));
  // Its existence at the next start means that it was written after this one.
  if (resultFile !== null) rmSync(resultFile, { force: true });
  let isEnded = false;
  writeState(file, { bootId, end: null, previous });
  return {
    previous,
    end(kind, detail, atMs) {
      if (isEnded) return;
      isEnded = true;
      writeState(file, { bootId, end: { kind, detail: detail.slice(0, maxDetailChars), atMs }, previous });
    },
  };
}

/** The last end of a run that is stored: of the present run if it has ended, else of the one before. */
export function readLastExit(database: string): LastExit | null {
  const state = readState(stateFile(database));
  return state?.end ?? state?.previous ?? null;
}

const stateFile = (database: string): string => `${database}.last-run`;

/** One sentence about the end of a run. */
export function describeExit({ kind, detail }: LastExit): string {
  const because = detail === '' ? '' : `: ${detail}`;
  switch (kind) {
    case 'stopped':
      return `It was stopped${detail === '' ? '' : ` by ${detail}`}.`;
    case 'start_failed':
      return `It could not start${because}`;
    case 'crashed':
      return `It crashed${because}`;
    case 'watchdog':
      return 'It hung and was restarted by the watchdog of systemd.';
    case 'out_of_memory':
      return `It ran out of memory${detail === '' ? '' : ` (${detail})`}.`;
    case 'killed':
      return `It was killed${detail === '' ? ' for an unknown reason' : ` (${detail})`}.`;
    case 'power_cut':
      return 'The machine went off without stopping it: a power cut, or the kernel crashed.';
  }
}

/** How the run ended. A state without an end is that of a run that was killed, or cut off with the machine. */
function findExit(state: RunState | null, bootId: string, serviceResult: string | null): LastExit | null {
  if (state === null) return null;
  if (state.end !== null) return state.end;
  const fromService = serviceResult === null ? null : toExit(serviceResult);
  if (fromService !== null) return fromService;
  return { kind: state.bootId === bootId ? 'killed' : 'power_cut', detail: '', atMs: null };
}

/** Reads `$SERVICE_RESULT $EXIT_CODE $EXIT_STATUS`; null when it is something else. */
function toExit(text: string): LastExit | null {
  const [, result, code, status] = /^([a-z-]+) ([a-z]+) ([A-Z0-9]+)$/.exec(text.trim()) ?? [];
  if (result === undefined) return null;
  const detail = code === 'exited' ? `exit code ${status}` : `signal ${status}, ${result}`;
  return { kind: toKind(result, status), detail, atMs: null };
}

function toKind(result: string, status: string | undefined): ExitKind {
  if (result === 'watchdog') return 'watchdog';
  // Node.js aborts when it reaches the limit of its heap.
  return result === 'oom-kill' || status === 'ABRT' ? 'out_of_memory' : 'killed';
}

function readState(file: string): RunState | null {
  try {
    const state = JSON.parse(readTextFile(file) ?? '') as Partial<RunState> | null;
    if (typeof state?.bootId !== 'string') return null;
    return { bootId: state.bootId, end: toStoredExit(state.end), previous: toStoredExit(state.previous) };
  } catch {
    return null;
  }
}

function toStoredExit(exit: LastExit | null | undefined): LastExit | null {
  return typeof exit?.kind === 'string' && typeof exit.detail === 'string' ? exit : null;
}

/** Replaces the file as a whole, so that a power cut leaves the old or the new state. */
function writeState(file: string, state: RunState): void {
  const part = `${file}.part`;
  try {
    // A daemon that fails at every start is restarted every second: the system writes its state within 30 s.
    const isRecent = wasJustWritten(file);
    const descriptor = openSync(part, 'w', 0o600);
    try {
      writeSync(descriptor, JSON.stringify(state));
      if (!isRecent) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, file);
  } catch {
    // A full or read-only disk is reported by the database.
  }
}

import type { Problem } from '../core/health/problems.ts';
/** Timers, injected so that tests can advance time. */
export interface Scheduler {
  /** Runs once after `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms`; returns a function that stops it. */
  every(ms: number, run: () => void): () => void;
}

/** The part of a pino logger that is used here. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Reports lasting problems; none when they are over. The cause goes to the log only. */
export type ReportProblem = (problems: readonly Problem[], cause?: unknown) => void;

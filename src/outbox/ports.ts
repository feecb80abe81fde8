/** Timers, injected so that a test can let an hour pass in none. */
export interface Scheduler {
  /** Runs once, `ms` from now; returns the way to call it off. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms`; returns the way to stop. */
  every(ms: number, run: () => void): () => void;
}

/** The part of a log that is written to here; a pino logger fits. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Where a lasting fault is told in a sentence, null when it is over. */
export type ReportProblem = (problem: string | null) => void;

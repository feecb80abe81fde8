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

/** Reports a lasting problem in one sentence; null when it is over. */
export type ReportProblem = (problem: string | null) => void;

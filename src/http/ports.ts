import type { Clock } from '../core/moment.ts';

/** A pour that runs at this moment. */
export interface RunningPour {
  readonly pourId: string;
  /** Ticks counted so far. */
  readonly ticks: number;
}

/** How far one meter's count can be trusted now. */
export interface MeterStatus {
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  readonly state: 'counting' | 'losing' | 'fault' | 'simulated';
  /** One sentence for the bar when the state is `losing` or `fault`. */
  readonly problem: string | null;
}

/** What one of our own thermometers said last. */
export interface LatestTemperature {
  readonly tempC: number;
  /** When that was, Unix milliseconds. */
  readonly timeMs: number;
  /** True after three misses in a row: nobody should trust the value any more. */
  readonly isStale: boolean;
}

/** One part of the daemon and what is wrong with it. */
export interface HealthPart {
  /** `counting`, `storing`, or the name of anything else that can fail. */
  readonly name: string;
  /** One sentence saying what does not work and what to do; null when all is well. */
  readonly problem: string | null;
  /** True when beer would not be counted or kept without it: `/healthz` then answers 503. */
  readonly vital: boolean;
}

/** How the parts are; `ok` while every vital part works. */
export interface HealthReport {
  readonly parts: readonly HealthPart[];
}

/** Simulated meters that can be made to pulse. */
export interface Simulator {
  /** Full names of the meters it can move. */
  readonly meters: readonly string[];
  /** Starts a train of `ticks` pulses at `hz` on a meter, and on those that echo it; returns at once. */
  pulse(train: {
    readonly meter: string;
    readonly ticks: number;
    readonly hz: number;
    readonly echoes?: readonly string[];
  }): void;
}

/** A relay that is open now. */
export interface OpenValve {
  /** Full name, `<controller>.<port>`. */
  readonly toggle: string;
  /** It shuts after this at the latest. */
  readonly secondsLeft: number;
  /** The grant it is open for, if any. */
  readonly grantId: string | null;
  readonly manual: boolean;
}

/** The relays of taps, as staff may move them. */
export interface ManualValves {
  /** Opens one for `ms`, whoever pours. Throws `unavailable` or `not_found` when it cannot be switched. */
  openManually(toggle: string, ms: number): void;
  /** Shuts one, whatever it was opened for. Throws `unavailable` when it cannot be switched. */
  shut(toggle: string): void;
  open(): readonly OpenValve[];
}

/** Sends a mail while somebody waits for the outcome. */
export interface MailTester {
  /** Resolves when the mail server has taken it; rejects with `conflict` and what is wrong. */
  sendTest(mail: { readonly address: string; readonly username: string }): Promise<void>;
}

/** Calls a webhook while somebody waits for the outcome. */
export interface WebhookTester {
  /** Resolves when it has taken the message; rejects with `not_found`, or `conflict` and what is wrong. */
  sendTest(id: number): Promise<void>;
}

/** How reporting to another house goes. */
export interface UpstreamAdmin {
  /** Host of that house, with its port. */
  readonly host: string;
  /** Our name there. */
  readonly device: string;
  state(): {
    readonly state: 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';
    readonly problem: string | null;
    readonly lastAnswerMs: number | null;
  };
  /** Our own meters, by full name. */
  meterNames(): readonly string[];
  /** Asks at once, whatever was answered before. */
  retryNow(): void;
}

/** The daemon's clock, which a person may set while nobody else has. */
export interface SettableClock extends Clock {
  /**
   * Takes a person's word for the time, Unix milliseconds; counts as synchronisation. Throws `invalid_request` for a
   * time that cannot be, `conflict` when the machine knows better.
   */
  setManually(wallMs: number): void;
}

/** Timers, injected so that a test can let fifteen seconds pass in none. */
export interface Scheduler {
  /** Runs once, `ms` from now; returns the way to call it off. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms`; returns the way to stop. */
  every(ms: number, run: () => void): () => void;
}

/** The part of a log this house writes to; a pino logger fits. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Real timers that never keep the process alive. */
export const realScheduler: Scheduler = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

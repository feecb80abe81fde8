import type { Clock, Moment } from '../core/clock/moment.ts';
import type { Problem } from '../core/health/problems.ts';
import type { SensorReading } from '../core/temperatures/sensor-reading.ts';

/** A pour that is running now. */
export interface RunningPour {
  readonly pourId: string;
  /** Ticks counted so far. */
  readonly ticks: number;
  /** Their times, `<ms>:<ticks>` pairs; absent where they are not exact. */
  readonly series?: string;
}

/** The state of one meter: whether its count can be trusted. */
export interface MeterStatus {
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  readonly state: 'counting' | 'losing' | 'fault' | 'simulated';
  /** What is wrong when the state is `losing` or `fault`. */
  readonly problem: Problem | null;
}

/** The latest reading of one of our own thermo sensors. */
export type LatestTemperature = SensorReading;

/** Generates pulses on simulated meters. */
export interface Simulator {
  /** Full names of the simulated meters. */
  readonly meters: readonly string[];
  /** Starts `ticks` pulses at `hz` on a meter and on the meters in `echoes`; returns at once. */
  pulse(train: {
    readonly meter: string;
    readonly ticks: number;
    readonly hz: number;
    readonly echoes?: readonly string[];
  }): void;
  /** Starts a pour with the transients of a real one, and foam and gas when its keg runs empty; returns at once. */
  pour(plan: SimulatedPourPlan): SimulatedPour;
}

/** A pour at a simulated tap. */
export interface SimulatedPourPlan {
  readonly meter: string;
  /** Calibration of its wheel without a model. */
  readonly ticksPerMl: number;
  /** Model of the catalogue; the end of its id is enough. */
  readonly model?: string | undefined;
  /** What is poured while there is beer. */
  readonly volumeMl: number;
  readonly flowMlPerS: number;
  readonly kegEmptiesAfterMl?: number | undefined;
  /** So much gas and foam come before the beer of a fresh keg. */
  readonly foamFirstMl?: number | undefined;
  /** How much faster gas flows than beer. */
  readonly gasRatio?: number | undefined;
  /** The same seed gives the same pulses. */
  readonly seed: number;
}

/** What comes of it. */
export interface SimulatedPour {
  readonly ticks: number;
  readonly durationMs: number;
  /** What truly passes the meter. */
  readonly beerMl: number;
  readonly gasMl: number;
}

/** A valve that is open now. */
export interface OpenValve {
  /** Full name, `<controller>.<port>`. */
  readonly toggle: string;
  /** The valve closes after this time at the latest. */
  readonly secondsLeft: number;
  /** The grant for which it is open, if any. */
  readonly grantId: string | null;
  readonly manual: boolean;
}

/** Manual control of the valves by staff. */
export interface ManualValves {
  /** Opens a valve for `ms`. Throws `unavailable` or `not_found` when it cannot be switched. */
  openManually(toggle: string, ms: number): void;
  /** Closes a valve, whatever opened it. Throws `unavailable` when it cannot be switched. */
  shut(toggle: string): void;
  open(): readonly OpenValve[];
}

/** Sends a test mail at once. */
export interface MailTester {
  /** Resolves when the mail server has accepted it; rejects with `conflict` and the reason. */
  sendTest(mail: { readonly address: string; readonly username: string }): Promise<void>;
}

/** Calls a webhook at once. */
export interface WebhookTester {
  /** Resolves when the receiver has accepted it; rejects with `not_found`, or `conflict` and the reason. */
  sendTest(id: number): Promise<void>;
}

/** What alarms say, and tests of their channels. */
export interface AlarmService {
  /** Sends a test message at once; rejects with `not_found`, or `conflict` and the reason. */
  sendTest(channelId: number): Promise<void>;
  /** Title and text of an alarm in a language, else in the site's. */
  describe(
    alarm: { readonly kind: string; readonly subject: string; readonly details: string },
    language: string | null,
  ): { readonly title: string; readonly paragraphs: readonly string[] };
}

/** The daemon's clock, which a person may set while the system clock is not synchronized. */
export interface SettableClock extends Clock {
  /**
   * Sets the time, Unix milliseconds; counts as synchronization. Throws `invalid_request` for an impossible time and
   * `conflict` when the system clock is synchronized.
   */
  setManually(wallMs: number): void;
}

/** Timers, injected so that tests need not wait. */
export interface Scheduler {
  /** Runs once, `ms` from now; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms`; returns a function that stops it. */
  every(ms: number, run: () => void): () => void;
}

/** The log methods used here; a pino logger has them. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What only a demo can do. */
export interface DemoService {
  /**
   * Replaces the database by that of a first start: all drinks, kegs, accounts and settings of the demo are deleted.
   * Throws `too_many` within a minute of the reset before.
   */
  reset(now: Moment): Promise<void>;
}

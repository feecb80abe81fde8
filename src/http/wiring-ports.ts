import type { Problem } from '../core/health/problems.ts';
/** The topic of a finding about the wiring; the page translates each. */
export type WiringTopic =
  // of a pin
  | 'line_fault'
  | 'bounce'
  | 'above_model'
  | 'below_model'
  | 'stray'
  | 'mains'
  | 'echo'
  | 'lost'
  | 'unproven'
  | 'reversed'
  | 'stuck'
  | 'never'
  | 'counts'
  | 'other_use'
  | 'no_header_pin'
  | 'no_meters'
  // of a thermo sensor
  | 'temperature'
  | 'checksum'
  | 'stuck_low'
  | 'power_on'
  | 'absent'
  | 'unread'
  | 'silent'
  | 'no_bus'
  // of a reader
  | 'unreadable'
  | 'unreadable_board'
  // of a board, a reader, a relay
  | 'in_trouble'
  | 'heard'
  | 'unheard'
  | 'works';

/** One finding, worded for staff. */
export interface WiringFinding {
  readonly topic: WiringTopic;
  readonly status: 'ok' | 'warn' | 'fail' | 'unknown';
  /** The observation, one sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The observation in every language, when it is a problem that was reported elsewhere, too. */
  readonly problem?: Problem;
}

/** The present wiring state of a flow meter of this machine or its serial boards. */
export interface WiredMeter {
  /** Full name, `<controller>.<port>`. */
  readonly meter: string;
  /** GPIO line; null for a board that counts by itself. */
  readonly pin: number | null;
  /** Header pin of that line; null if unknown. */
  readonly headerPin: number | null;
  readonly level: 0 | 1 | null;
  /** Edges within the last second; null until a full second has been observed. */
  readonly hz: number | null;
  /** Since the start: counted, rejected as bounce, and lost (null if the driver cannot know). */
  readonly ticks: number;
  readonly refused: number;
  readonly lost: number | null;
  /** The pattern of the edges of the last 10 s. */
  readonly shape: 'quiet' | 'few' | 'steady' | 'bounce' | 'stray';
  /** The meter whose pulses also appear here, through crosstalk in the cable. */
  readonly echoOf: string | null;
  /** The most serious first; never empty. */
  readonly findings: readonly WiringFinding[];
}

/** Any other connected part. */
export interface WiredPart {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
}

/** A thermo sensor with its last valid reading. */
export interface WiredSensor extends WiredPart {
  readonly tempC: number | null;
  /** Unix milliseconds. */
  readonly timeMs: number | null;
}

/** A token reader and the number of tokens presented since the start. */
export interface WiredReader extends WiredPart {
  readonly shown: number;
  /** Lines and frames since the start that were no card. */
  readonly unreadable: {
    readonly count: number;
    /** Unix milliseconds of the latest; null without one. */
    readonly timeMs: number | null;
    /** The latest, as far as it is visible, at most 64 characters; null without one. */
    readonly text: string | null;
  };
}

/** The present state of the wiring. */
export interface WiringReport {
  /** The name of a pin driver, `simulated` or `none`. */
  readonly driver: string;
  /** What the driver uses and can prove, one text for each group of lines. */
  readonly description: readonly Problem[];
  readonly findings: readonly WiringFinding[];
  readonly meters: readonly WiredMeter[];
  readonly relays: readonly WiredPart[];
  readonly probes: readonly WiredSensor[];
  readonly boards: readonly WiredPart[];
  readonly readers: readonly WiredReader[];
}

/** Reports the state of the wiring. It changes a few times per second at most. */
export interface WiringService {
  snapshot(): WiringReport;
}

/** What was found about one part of the wiring; the page has its words for each in the reader's language. */
export type WiringTopic =
  // of a pin
  | 'line_fault'
  | 'bounce'
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
  // of a probe
  | 'temperature'
  | 'checksum'
  | 'stuck_low'
  | 'power_on'
  | 'absent'
  | 'unread'
  | 'silent'
  | 'no_bus'
  // of a board, a reader, a relay
  | 'in_trouble'
  | 'heard'
  | 'unheard'
  | 'works';

/** One thing found, in words for the person who keeps the bar. */
export interface WiringFinding {
  readonly topic: WiringTopic;
  readonly verdict: 'ok' | 'warn' | 'fail' | 'unknown';
  /** What was seen, one plain sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** A flow meter of this machine or its serial boards, as its wire is now. */
export interface WiredMeter {
  /** Full name, `<controller>.<port>`. */
  readonly meter: string;
  /** GPIO line; null on a board that counts for itself. */
  readonly pin: number | null;
  /** Pin of the header where that line comes out; null where it is not known. */
  readonly headerPin: number | null;
  readonly level: 0 | 1 | null;
  /** Edges within the last second; null until somebody has looked for as long. */
  readonly hz: number | null;
  /** Since the start: counted, refused as bounce, and known to be missed (null where nobody can know). */
  readonly ticks: number;
  readonly refused: number;
  readonly lost: number | null;
  /** How the edges of the last ten seconds look. */
  readonly shape: 'quiet' | 'few' | 'steady' | 'bounce' | 'stray';
  /** The meter whose pulses these are as well, heard through the cable. */
  readonly echoOf: string | null;
  /** Gravest first, never none. */
  readonly findings: readonly WiringFinding[];
}

/** Anything else that hangs on a wire. */
export interface WiredPart {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
}

/** A thermometer with its last good reading. */
export interface WiredProbe extends WiredPart {
  readonly tempC: number | null;
  /** Unix milliseconds. */
  readonly timeMs: number | null;
}

/** A reader, and how many tokens were shown to it since the start. */
export interface WiredReader extends WiredPart {
  readonly shown: number;
}

/** The wiring as it is now. */
export interface WiringReport {
  /** `cdev`, `onoff`, `pigpio`, `simulated` or `none`. */
  readonly driver: string;
  /** What that driver counts on and can prove, one sentence. */
  readonly describe: string;
  readonly findings: readonly WiringFinding[];
  readonly meters: readonly WiredMeter[];
  readonly relays: readonly WiredPart[];
  readonly probes: readonly WiredProbe[];
  readonly boards: readonly WiredPart[];
  readonly readers: readonly WiredReader[];
}

/** Shows the wiring. Looking more often than a few times a second shows nothing new. */
export interface WiringService {
  snapshot(): WiringReport;
}

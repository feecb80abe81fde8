import type { Problem } from '../core/health/problems.ts';
import type { CounterReading } from '../core/pours/counter-position.ts';

/** Edges of one line since the last drain, oldest first. */
export interface LineBatch {
  /** Full meter name of the line, `<controller>.<port>`. */
  readonly meter: string;
  /** Kernel-monotonic milliseconds of each edge, with fractions; ascending except for rare late arrivals. */
  readonly stampsMonoMs: ArrayLike<number>;
  /** Edges known to be lost on this line since the last drain; null when the source cannot know. */
  readonly lost: number | null;
  /** The board's own total after these edges; absent for GPIO lines. */
  readonly counter?: CounterReading;
}

/** Result of draining a pulse source. */
export interface Drained {
  /** One entry per line with edges or losses; a quiet line may be absent. */
  readonly lines: readonly LineBatch[];
  /** The source is complete up to this time: no earlier edge will follow. Idleness is measured against it. */
  readonly untilMonoMs: number;
}

/**
 * A source of pulses. Edges are queued outside the main loop until drained, so a stall delays ticks but loses
 * none.
 */
export interface PulseInput {
  /** The name of a pin driver, or `simulated`. */
  readonly driver: string;
  /** Chip, lines, and whether losses can be detected: one text for each group of lines that were opened together. */
  readonly description: readonly Problem[];
  /** Lines that could not be opened, each with its problem; the others count. */
  readonly faults: readonly LineFault[];
  drain(): Drained;
  /** Present state of each line, for `tapster doctor` and the web page. */
  lines(): readonly LineState[];
  /** Releases every line. Edges that are not drained are lost, so drain first. */
  close(): Promise<void>;
}

/** Why one line does not count. */
export interface LineFault {
  /** Full meter or toggle name. */
  readonly name: string;
  /** What is wrong and what to do, with board, kernel, chip and owner where known. */
  readonly problem: Problem;
}

/** State of one line as `tapster doctor` shows it. */
export interface LineState {
  readonly name: string;
  /** Header or BCM number as configured. */
  readonly pin: number;
  /** Edges received since opening. */
  readonly received: number;
  /** Edges known to be lost since opening; null when the source cannot know. */
  readonly lost: number | null;
  /** Those of `lost` that our own buffer had no space for; absent where it cannot overflow. */
  readonly dropped?: number;
  /** Present level; null when the source cannot read it. */
  readonly level: 0 | 1 | null;
}

/** When an open relay shuts by itself. */
export interface RelayLimits {
  readonly maxMs: number;
  /** Ticks of `meter` after which it shuts. */
  readonly maxTicks?: number;
  /** A meter of the relay's own controller. */
  readonly meter?: string;
}

/** Relays. Every relay is off after opening, after closing, and when heartbeats stop. */
export interface ToggleOutput {
  /** Opens the relay named `<controller>.<port>`; it shuts by itself after `maxMs` at the latest. */
  open(name: string, limits: RelayLimits): void;
  /** Switches the relay off; does nothing when it is off. */
  shut(name: string): void;
  isOpen(name: string): boolean;
  /** False while the relay's board is not connected; absent where this cannot be known. */
  isConnected?(name: string): boolean;
  /**
   * Call at least every second while the main loop runs; after two seconds without a call every relay is
   * shut.
   */
  heartbeat(): void;
  close(): Promise<void>;
}

/** One sensor's temperature, or why there is none. */
export type ThermoReading =
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  | { readonly kind: 'refused'; readonly sensor: string; readonly reason: string }
  | { readonly kind: 'stale'; readonly sensor: string; readonly reason: string };

/** A group of temperature sensors. Reading never blocks the main loop. */
export interface ThermoBus {
  /** Reads every sensor that is present. */
  read(): Promise<readonly ThermoReading[]>;
}

/** Edges of one line since the last drain, oldest first. */
export interface LineBatch {
  /** Full meter name of the line, `<controller>.<port>`. */
  readonly meter: string;
  /** Kernel-monotonic milliseconds of each edge, with fractions; ascending but for rare late arrivals. */
  readonly stampsMonoMs: ArrayLike<number>;
  /** Edges the source knows were missed on this line since the last drain; null where it cannot know. */
  readonly lost: number | null;
}

/** What a pulse source hands over when asked. */
export interface Drained {
  /** One entry a line with anything to tell; a quiet line may be absent. */
  readonly lines: readonly LineBatch[];
  /** How far the source has certainly looked: no edge before this will still come. Idle is judged against it. */
  readonly untilMonoMs: number;
}

/** A source of pulses. Edges wait outside the JavaScript loop until drained, so a stall costs lateness, never ticks. */
export interface PulseInput {
  /** `cdev`, `onoff`, `pigpio` or `simulated`. */
  readonly driver: string;
  /** One sentence for a person: which chip, which lines, and what this source can prove. */
  readonly describe: string;
  /** Lines that could not be opened, each with one plain sentence; the others count all the same. */
  readonly faults: readonly LineFault[];
  drain(): Drained;
  /** What is known of each line now, for the doctor and the page. */
  lines(): readonly LineState[];
  /** Releases every line. Edges not drained before are gone, so drain first. */
  close(): Promise<void>;
}

/** Why one line does not count. */
export interface LineFault {
  /** Full meter or toggle name. */
  readonly name: string;
  /** What is wrong and what to do, naming board, kernel, chip and owner where known. */
  readonly problem: string;
}

/** One line as the doctor shows it. */
export interface LineState {
  readonly name: string;
  /** Header or BCM number as configured. */
  readonly pin: number;
  /** Edges received since opening. */
  readonly received: number;
  /** Edges known to be missed since opening; null where the source cannot know. */
  readonly lost: number | null;
  /** Present level, null where the source cannot read it. */
  readonly level: 0 | 1 | null;
}

/** Relays. Everything is off at opening, at closing, and when the daemon falls silent. */
export interface ToggleOutput {
  /** Opens the relay named `<controller>.<port>`; it closes by itself after `maxMs` at the latest. */
  open(
    name: string,
    limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  ): void;
  /** Switches it off; harmless when it is off already. */
  shut(name: string): void;
  isOpen(name: string): boolean;
  /** False while the board it hangs on is away, where that can be known. */
  isConnected?(name: string): boolean;
  /** Told at least every second while the main loop lives; two seconds of silence shut every relay. */
  heartbeat(): void;
  close(): Promise<void>;
}

/** One probe's answer, or why it had none. */
export type ThermoReading =
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  | { readonly kind: 'refused'; readonly sensor: string; readonly reason: string }
  | { readonly kind: 'stale'; readonly sensor: string; readonly reason: string };

/** A bus of thermometers. Reading never blocks the loop. */
export interface ThermoBus {
  /** Reads every probe present now. */
  read(): Promise<readonly ThermoReading[]>;
}

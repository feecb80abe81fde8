import type { GasFinding, OpenRate } from '../measurement/gas-detector.ts';
import type { CounterPosition } from './counter-position.ts';

/** How a drink was reported. */
export const pourSources = [
  'pin', // our own GPIO lines
  'serial', // a serial board at this machine
  'device', // a network kegboard, by device events
  'post', // another controller, by a post to the legacy API
  'manual', // staff, by hand
  'import', // taken over from another system
] as const;

export type PourSource = (typeof pourSources)[number];

/**
 * Why a pour is held for review instead of being recorded on keg and session. The page has the texts for
 * people. Extensions declare reasons of their own, for pours that they set aside.
 */
export const heldReasons = [
  'unbound_meter', // the meter exists but no tap owns it
  'impossible_flow', // faster than beer can run
  'electrical_noise', // too many edges closer together than the meter can produce
  'simultaneous', // another tap started and stopped inside the same 20 ms, or its edges explain these
  'no_end', // ran longer than the maximum pour duration
  'too_large', // more was reported than the keg, or any keg, holds
  'gas', // probably gas of an empty keg: fast from the first tick
  'possible_repeat', // nobody can tell whether another controller sent a recorded pour again
] as const;

export type HeldReason = (typeof heldReasons)[number];

/** What is known of a meter and its tap when a pour starts. */
export interface PourFacts {
  /** Fewer ticks than this are a drip. */
  readonly minTicks: number;
  /** What never ticks as fast is a drip, ticks per second; absent or 0: at any rate. */
  readonly minTicksPerS?: number;
  /** What ticks for less than this without a pause was poured by no tap, milliseconds; absent or 0 where that is not known. */
  readonly leastOpenMs?: number;
  /** Null where it is not known: no gas is found then. */
  readonly openRate: OpenRate | null;
  /** Ticks of beer that the keg certainly has left: before them nothing is gas. `Infinity` where no gas is looked for. */
  readonly certainTicks: number;
}

/** A completed pour from the tracker. Times are kernel-monotonic milliseconds, with fractions. */
export interface Pour {
  /** Ticks counted, at least the meter's minimum. */
  readonly ticks: number;
  /** Stamp of the first tick. */
  readonly startedMonoMs: number;
  /** From the first tick to the last; the idle time-out is not part of it. */
  readonly durationMs: number;
  /** Times of the ticks: `<ms>:<ticks>` pairs separated by blanks, at most 256. */
  readonly series: string;
  /** True when the maximum pour duration cut it off. */
  readonly reachedMaxDuration: boolean;
  /** Gas and foam in it; null for beer alone. Absent where it was not judged while it ran: its series tells. */
  readonly gas?: GasFinding | null;
}

/** Result of one tracker step. One batch may end one pour and start the next. */
export type PourStep =
  | { readonly kind: 'started'; readonly startedMonoMs: number }
  | {
      readonly kind: 'flowing';
      readonly ticks: number;
      readonly lastTickMonoMs: number;
      /** Gas so far; absent without any. */
      readonly gas?: GasFinding;
      /** True when it ran faster than its tap does; absent otherwise. */
      readonly isFast?: true;
    }
  | {
      readonly kind: 'ended';
      readonly pour: Pour;
      /** True when the rhythm of the ticks is not that of a wheel; absent where the stamps do not show it. */
      readonly isNoise?: boolean;
      /** True when it is that of a wheel; absent where the stamps do not show it, false also for too few ticks. */
      readonly isWheel?: boolean;
      /** True when it ran faster than its tap does; absent otherwise. */
      readonly isFast?: true;
    }
  | {
      readonly kind: 'drip';
      readonly ticks: number;
      readonly startedMonoMs: number;
      readonly durationMs: number;
    };

/** A completed pour to be recorded, with everything that judging and recording need. */
export interface EndedPour extends Pour {
  /** Assigned when the pour started; recording the same id twice has no effect. */
  readonly pourId: string;
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  /** Boot in which `startedMonoMs` was read. */
  readonly bootId: string;
  /** Edges rejected by the filter during the pour. */
  readonly rejectedEdges: number;
  /**
   * Ticks the source knows it missed on this GPIO line; 0 when proven complete, null where nothing can be
   * proven.
   */
  readonly ticksLost: number | null;
  /** Doubts from the pulses alone; the flow is checked where the calibration is known. */
  readonly doubts: readonly HeldReason[];
  /** True when beer flowed although the tap's valve was shut; absent: false. */
  readonly flowWhileShut?: boolean;
  /** True when the pour was finished from the journal after a power cut or crash. */
  readonly recovered: boolean;
  /**
   * True when nobody saw the ticks fall: a board counted them while it could not be read. They end at the time
   * when they became known, and have no duration.
   */
  readonly unobserved?: boolean;
  /** The board's own total at the last tick; absent for GPIO lines. */
  readonly position?: CounterPosition;
  /**
   * End of the pour at its last checkpoint, Unix milliseconds; for pours of another boot, whose stamps are
   * not comparable.
   */
  readonly endedWallMs?: number;
  /** Whether the clock was set at that checkpoint; present whenever `endedWallMs` is. */
  readonly endedWallSynced?: boolean;
}

/** Why a pour is held for review instead of being charged. The words for people live with the page. */
export type HeldReason =
  | 'unbound_meter' // the meter exists but no tap owns it
  | 'impossible_flow' // faster than beer can run
  | 'electrical_noise' // too many edges closer together than the meter can make them
  | 'simultaneous' // another tap started and stopped inside the same 20 ms
  | 'no_end' // ran longer than the longest pour allowed
  | 'too_large'; // another controller reported more than a keg could give

/** A pour as its tracker saw it end. Times are kernel-monotonic milliseconds, with fractions. */
export interface Pour {
  /** Ticks counted, at least the meter's minimum. */
  readonly ticks: number;
  /** Stamp of the first tick. */
  readonly startedMonoMs: number;
  /** From the first tick to the last; the idle wait is our doubt, not the drinker's time. */
  readonly durationMs: number;
  /** When the ticks fell: `<ms>:<ticks>` pairs parted by blanks, at most 256 of them. */
  readonly series: string;
  /** True when the longest pour allowed cut it off. */
  readonly ranOut: boolean;
}

/** What one step of a tracker found out. One batch may end one pour and start the next. */
export type PourStep =
  | { readonly kind: 'started'; readonly startedMonoMs: number }
  | { readonly kind: 'flowing'; readonly ticks: number; readonly lastTickMonoMs: number }
  | { readonly kind: 'ended'; readonly pour: Pour }
  | {
      readonly kind: 'drip';
      readonly ticks: number;
      readonly startedMonoMs: number;
      readonly durationMs: number;
    };

/** An ended pour on its way to the ledger, with all that the judge and the ledger need to know of it. */
export interface EndedPour extends Pour {
  /** Given when the pour opened; recording it twice has no effect. */
  readonly pourId: string;
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  /** The boot in which `startedMonoMs` was read. */
  readonly bootId: string;
  /** Edges the filter refused during the pour. */
  readonly rejectedEdges: number;
  /** Ticks the source knows it missed on this line; 0 when proven complete, null where nothing can be proven. */
  readonly ticksLost: number | null;
  /** Doubts that only the pulse train itself shows; the flow is judged where the calibration is known. */
  readonly doubts: readonly HeldReason[];
  /** True when the pour was finished from the journal after a power cut or crash. */
  readonly recovered: boolean;
  /** Unix milliseconds of its end as its last checkpoint took it; for pours of another boot, whose stamps mean nothing in this one. */
  readonly endedWallMs?: number;
  /** Whether the clock was set at that checkpoint; present whenever `endedWallMs` is. */
  readonly endedWallSynced?: boolean;
}

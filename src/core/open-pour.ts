import type { Moment } from './moment.ts';
import type { EndedPour } from './pour.ts';

/** A pour that still runs: what the page shows of it, and what its checkpoint keeps. */
export interface OpenPour {
  /** Given at the first tick. */
  readonly pourId: string;
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  /** The boot in which the stamps were read. */
  readonly bootId: string;
  /** Ticks so far; below `minTicks` it may yet turn out a drip. */
  readonly ticks: number;
  /** Ticks that make it a pour. */
  readonly minTicks: number;
  /** Stamp of the first tick. */
  readonly startedMonoMs: number;
  /** Stamp of the newest tick. */
  readonly lastTickMonoMs: number;
  /** The series so far, as in `Pour`. */
  readonly series: string;
  /** Edges the filter refused so far. */
  readonly rejectedEdges: number;
  /** Ticks known to be missed so far; null once nothing can be proven. */
  readonly ticksLost: number | null;
}

/** A pour as the journal holds it, and the moment of that checkpoint. */
export type JournaledPour =
  | { readonly kind: 'open'; readonly pour: OpenPour; readonly at: Moment }
  | { readonly kind: 'ended'; readonly pour: EndedPour; readonly at: Moment };

import type { Moment } from './moment.ts';
import type { EndedPour } from './pour.ts';
import type { OpenPour } from './pour-tracker.ts';

/** A pour that runs on a known meter: what the page shows of it, and what its checkpoint keeps. */
export interface MeterPour extends OpenPour {
  /** Given at the first tick. */
  readonly pourId: string;
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  /** The boot in which the stamps were read. */
  readonly bootId: string;
  /** Ticks that make it a pour; with fewer it may yet turn out a drip. */
  readonly minTicks: number;
  /** Edges the filter refused so far. */
  readonly rejectedEdges: number;
  /** Ticks known to be missed so far; null once nothing can be proven. */
  readonly ticksLost: number | null;
}

/** A pour as the journal holds it, and the moment of that checkpoint. */
export type JournaledPour =
  | { readonly kind: 'open'; readonly pour: MeterPour; readonly at: Moment }
  | { readonly kind: 'ended'; readonly pour: EndedPour; readonly at: Moment };

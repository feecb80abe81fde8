import type { Moment } from '../clock/moment.ts';
import type { CounterPosition } from './counter-position.ts';
import type { EndedPour } from './pour.ts';
import type { OpenPour } from './pour-tracker.ts';

/** A pour running on a known meter: what the page shows and the checkpoint stores. */
export interface MeterPour extends OpenPour {
  /** Assigned at the first tick. */
  readonly pourId: string;
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  /** Boot in which the stamps were read. */
  readonly bootId: string;
  /** Ticks that make it a pour; with fewer it may still be a drip. */
  readonly minTicks: number;
  /** What never ticks as fast is a drip, ticks per second; absent: at any rate. */
  readonly minTicksPerS?: number;
  /** Edges rejected by the filter so far. */
  readonly rejectedEdges: number;
  /** Ticks known to be missed so far; null once completeness cannot be proven. */
  readonly ticksLost: number | null;
  /** The board's own total so far; absent for GPIO lines. */
  readonly position?: CounterPosition;
}

/** A pour as stored in the journal, with the moment of its checkpoint. */
export type JournaledPour =
  | { readonly kind: 'open'; readonly pour: MeterPour; readonly at: Moment }
  | { readonly kind: 'ended'; readonly pour: EndedPour; readonly at: Moment };

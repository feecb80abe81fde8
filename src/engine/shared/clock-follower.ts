import { wallAt } from '../../core/clock/clock-rules.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Store } from '../../store/store.ts';

/**
 * What a subject does when a wrong clock is corrected, besides the times that its tables declare. Called in the transaction before
 * any time moves, so that it can read what is to move; the function that it returns is called once the times of drinks and
 * of the tables are the true ones.
 */
export type ClockFollower = (store: Store, now: Moment) => () => void;

/** The true time of an instant of this boot, Unix milliseconds. */
export const toCorrectedMs = (now: Moment, monoMs: number): number =>
  Math.max(0, Math.round(wallAt(now, monoMs)));

import { type KeptCounter, toKeptCounter } from '../../core/pours/counter-position.ts';
import type { JournaledPour } from '../../core/pours/meter-pour.ts';

/** The boards' totals at the ends of journaled pours, whose ticks will not be counted again. */
export function journaledCounters(journaled: readonly JournaledPour[]): KeptCounter[] {
  return journaled.flatMap(({ pour, at }) => {
    const { meter, position } = pour;
    return position === undefined ? [] : [toKeptCounter(meter, position, at)];
  });
}

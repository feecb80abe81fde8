import type { Instant } from '../../../core/clock/instant.ts';
import type { Keg } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { wallInstant } from './keg-spans.ts';

/** Less than a drop: sums of parts are exact to the nanolitre. */
const emptyMl = 0.001;

/** Beer that left a keg. */
interface Taken {
  readonly volumeMl: number;
  readonly timeMs: number;
  /** When the last of it flowed. */
  readonly end: () => Instant;
}

/** A keg of a series, which did not end before that time. */
type SeriesKeg = Pick<Keg, 'id' | 'fullVolumeMl'> & { readonly notBeforeMs: number };

/**
 * When the kegs of a series were emptied, one after the other, by drinks and spills in the order in which they flowed; fewer when they
 * have beer left. A spill of a keg that staff named is of that keg, whenever it was entered.
 */
export function findEmptied(store: Store, series: readonly SeriesKeg[]): readonly Instant[] {
  const kegIds = series.map(({ id }) => id);
  const spills = kegIds.flatMap((kegId) => store.drinks.spills.ofKeg(kegId));
  const toTaken = (spill: (typeof spills)[number]): Taken => ({
    ...spill,
    end: () => spillEnd(store, spill.id),
  });
  const flowed = [
    ...store.drinks.inOrder(kegIds).map(({ id, volumeMl, pourTimeMs: timeMs }) => ({
      volumeMl,
      timeMs,
      end: () => store.drinks.flowEnd(id),
    })),
    ...spills.filter(({ isKegNamed }) => !isKegNamed).map(toTaken),
  ].sort(byTime);
  const ends: Instant[] = [];
  for (const keg of series) {
    const named = spills.filter(({ kegId, isKegNamed }) => isKegNamed && kegId === keg.id).map(toTaken);
    const emptied = findEnd(keg, flowed, named);
    if (emptied === null) break;
    ends.push(emptied.end());
    flowed.splice(0, flowed.findLastIndex((one) => emptied.counted.has(one)) + 1);
  }
  return ends;
}

/** What emptied a keg, with all that was counted until then. */
function findEnd(
  { fullVolumeMl, notBeforeMs }: SeriesKeg,
  flowed: readonly Taken[],
  named: readonly Taken[],
): { readonly end: () => Instant; readonly counted: ReadonlySet<Taken> } | null {
  // Entered for a time at which it was empty: spilled before, nobody knows when.
  let untimed: readonly Taken[] = [];
  for (;;) {
    const timed = named.filter((one) => !untimed.includes(one));
    const inOrder = [...flowed, ...timed].sort(byTime);
    let leftMl = fullVolumeMl - untimed.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
    const last = inOrder.findIndex(({ volumeMl, timeMs }) => {
      leftMl -= volumeMl;
      return leftMl <= emptyMl && timeMs >= notBeforeMs;
    });
    if (last === -1) return null;
    const late = inOrder.slice(last + 1).filter((one) => timed.includes(one));
    if (late.length === 0) return { end: inOrder[last]!.end, counted: new Set(inOrder.slice(0, last + 1)) };
    untimed = [...untimed, ...late];
  }
}

/** When a spill was: that of a drink as the drink flowed, another one by the clock of its boot while that is not set. */
function spillEnd(store: Store, id: number): Instant {
  const { timeMs, flow } = store.drinks.spills.timeOf(id);
  if (flow !== null) return { wallMs: timeMs, bootId: flow.bootId, monoMs: flow.endMonoMs };
  const noted = store.provisionalTimes.find('spill', id);
  return noted === null ? wallInstant(timeMs) : { wallMs: timeMs, ...noted };
}

const byTime = (one: Taken, other: Taken): number => one.timeMs - other.timeMs;

import type { Pair, ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { Share, TailDrink } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';
import { sum, withTail } from './statistics-tail.ts';

/** Most kegs, drinkers and sessions listed: the newest ones. */
const maxListed = 100;

/** The latest drinkers, in the order of their first pours. */
export function findDrinkers(
  store: Store,
  letter: ViewLetter,
  subject: number,
  tail: readonly TailDrink[],
): Share[] {
  if (letter === 'u') {
    const { volumeNl } = store.statistics.totals('u', subject);
    return [{ part: subject, pours: 0, volumeNl: volumeNl + sum(tail), firstId: 0, lastId: 0 }];
  }
  const pair = `${letter}u` as const;
  const stored = store.statistics.latestDrinkers(pair, subject, maxListed);
  return withTail(store, pair, { subject, stored, tail })
    .sort((a, b) => b.lastId - a.lastId)
    .slice(0, maxListed)
    .sort((a, b) => a.firstId - b.firstId);
}

/** The newest kegs or sessions, in the order of first use. */
export function findNewest(
  store: Store,
  pair: Exclude<Pair, `${string}u`>,
  subject: number,
  tail: readonly TailDrink[],
): Share[] {
  const stored = store.statistics.newestShares(pair, subject, maxListed);
  return withTail(store, pair, { subject, stored, tail })
    .sort((a, b) => b.part - a.part)
    .slice(0, maxListed)
    .sort((a, b) => a.firstId - b.firstId);
}

/** Whether a view has any unattributed pour. */
export const hasGuest = (
  store: Store,
  letter: 'a' | 'k' | 's',
  subject: number,
  tail: readonly TailDrink[],
): boolean =>
  tail.some(({ userId }) => userId === null) ||
  store.statistics.share(`${letter}u`, subject, 0) !== undefined;

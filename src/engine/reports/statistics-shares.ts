import type { Pair, ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { PendingDrink, Share } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';
import { totalNl, withPending } from './statistics-pending.ts';

/** Most kegs, drinkers and sessions listed: the newest ones. */
const maxListed = 100;

/** The latest drinkers, in the order of their first pours. */
export function findDrinkers(
  store: Store,
  letter: ViewLetter,
  subject: number,
  pending: readonly PendingDrink[],
): Share[] {
  if (letter === 'u') {
    const { volumeNl } = store.statistics.totals('u', subject);
    return [{ part: subject, pours: 0, volumeNl: volumeNl + totalNl(pending), firstId: 0, lastId: 0 }];
  }
  const pair = `${letter}u` as const;
  const stored = store.statistics.latestDrinkers(pair, subject, maxListed);
  return withPending(store, pair, { subject, stored, pending })
    .sort((a, b) => b.lastId - a.lastId)
    .slice(0, maxListed)
    .sort((a, b) => a.firstId - b.firstId);
}

/** The newest kegs or sessions, in the order of first use. */
export function findNewest(
  store: Store,
  pair: Exclude<Pair, `${string}u`>,
  subject: number,
  pending: readonly PendingDrink[],
): Share[] {
  const stored = store.statistics.newestShares(pair, subject, maxListed);
  return withPending(store, pair, { subject, stored, pending })
    .sort((a, b) => b.part - a.part)
    .slice(0, maxListed)
    .sort((a, b) => a.firstId - b.firstId);
}

/** Whether a view has any unattributed pour. */
export const hasGuest = (
  store: Store,
  letter: 'a' | 'k' | 's',
  subject: number,
  pending: readonly PendingDrink[],
): boolean =>
  pending.some(({ userId }) => userId === null) ||
  store.statistics.share(`${letter}u`, subject, 0) !== undefined;

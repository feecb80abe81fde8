import type { ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { PendingDrink, Share } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';
import { isInView, toMl } from './statistics-pending.ts';

/** Largest sessions scanned for one of the view's own, before its own sessions are read. */
const maxScanned = 512;

/** Number of sessions of a view. */
export function countSessions(
  store: Store,
  letter: ViewLetter,
  subject: number,
  pending: readonly PendingDrink[],
): number {
  const { listCounters, statistics } = store;
  switch (letter) {
    case 'a':
      return listCounters.read('sessions');
    case 'k':
      return listCounters.read('sessions of keg', subject);
    case 's':
      return 1;
    case 'u': {
      const pendingSessionIds = [...new Set(pending.map(({ sessionId }) => sessionId))];
      const added = pendingSessionIds.filter((id) => statistics.share('us', subject, id) === undefined);
      return listCounters.read('sessions of user', subject) + added.length;
    }
  }
}

/**
 * The largest session of a view. Sessions with pending drinks are larger than their stored total, so they
 * are checked separately.
 */
export function findLargestSession(
  store: Store,
  letter: 'a' | 'u' | 'k',
  subject: number,
  all: readonly PendingDrink[],
) {
  const { statistics } = store;
  const isMember = (id: number) =>
    letter === 'a' || statistics.share(`${letter}s`, subject, id) !== undefined;
  const grown = new Map<number, number>();
  for (const { sessionId, volumeNl } of all) grown.set(sessionId, (grown.get(sessionId) ?? 0) + volumeNl);
  const pendingSessionIds = new Set(
    all.filter((drink) => isInView(drink, letter, subject)).map(({ sessionId }) => sessionId),
  );
  const candidates = [...grown]
    .filter(([id]) => pendingSessionIds.has(id) || isMember(id))
    .map(([part, nl]) => ({ part, volumeNl: nl + (statistics.share('as', 0, part)?.volumeNl ?? 0) }));
  const stored = findLargestAdded(store, letter, subject, { isMember, except: grown });
  const [first] = [...candidates, ...(stored ? [stored] : [])].sort(
    (a, b) => b.volumeNl - a.volumeNl || b.part - a.part,
  );
  return { id: first!.part, volumeMl: toMl(first!.volumeNl) };
}

/** Regulars appear among the largest sessions; users with few drinks have few sessions of their own. */
function findLargestAdded(
  store: Store,
  letter: 'a' | 'u' | 'k',
  subject: number,
  { isMember, except }: { isMember(id: number): boolean; readonly except: ReadonlyMap<number, number> },
): Share | undefined {
  const { statistics } = store;
  for (const session of statistics.largestSessions(maxScanned)) {
    if (!except.has(session.part) && isMember(session.part)) return session;
  }
  if (letter === 'a') return undefined;
  const own = statistics.largestSessionsBy(`${letter}s`, subject, except.size + 1);
  return own.find(({ part }) => !except.has(part));
}

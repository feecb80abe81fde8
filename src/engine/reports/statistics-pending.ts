import type { Pair, ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { PendingDrink, Share } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';

// Pending drinks are not in the stored totals yet; they are read one by one and added to the totals.

/** Column of a drink that decides whether it belongs to a view, by the view's letter. */
export const columns = { u: 'userId', k: 'kegId', s: 'sessionId' } as const;

/** Whether a drink belongs to a view. */
export const isInView = (drink: PendingDrink, letter: ViewLetter, subject: number): boolean =>
  letter === 'a' || drink[columns[letter]] === subject;

/** Total of drinks, nanolitres. */
export const totalNl = (drinks: readonly PendingDrink[]): number =>
  drinks.reduce((nl, drink) => nl + drink.volumeNl, 0);

export const toMl = (nanolitres: number): number => nanolitres / 1e6;

/** The largest drink, pending ones included; the first one where several are equal. */
export function findGreatest(
  { greatestId, greatestMl }: { readonly greatestId: number | null; readonly greatestMl: number | null },
  pending: readonly PendingDrink[],
) {
  const first =
    greatestId === null || greatestMl === null ? null : { drinkId: greatestId, volumeMl: greatestMl };
  const largest = pending.reduce<typeof first>(
    (best, { id, volumeMl }) =>
      best !== null && best.volumeMl >= volumeMl ? best : { drinkId: id, volumeMl },
    first,
  );
  return largest!;
}

/** The stored shares with the pending drinks added. */
export function withPending(
  store: Store,
  pair: Pair,
  {
    subject,
    stored,
    pending,
  }: { subject: number; stored: readonly Share[]; pending: readonly PendingDrink[] },
): Share[] {
  const shares = new Map(stored.map((share) => [share.part, share]));
  const column = columns[pair[1] as keyof typeof columns];
  for (const drink of pending) {
    const part = pair[1] === 'u' ? (drink.userId ?? 0) : drink[column];
    if (part === null) continue;
    const before = shares.get(part) ?? store.statistics.share(pair, subject, part);
    shares.set(part, {
      part,
      pours: (before?.pours ?? 0) + 1,
      volumeNl: (before?.volumeNl ?? 0) + drink.volumeNl,
      firstId: before?.firstId ?? drink.id,
      lastId: drink.id,
    });
  }
  return [...shares.values()];
}

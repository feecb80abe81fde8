import type { ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { PendingDrink } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';
import { toMl } from './statistics-pending.ts';

/** Calendar slots below this are weekdays, the others are years. */
const weekdays = 7;

/** A view's volumes by weekday and by year. */
export function toCalendar(
  store: Store,
  letter: ViewLetter,
  subject: number,
  pending: readonly PendingDrink[],
) {
  const nl = new Map(
    store.statistics.calendar(letter, subject).map(({ slot, volumeNl }) => [slot, volumeNl]),
  );
  for (const { year, weekday, volumeNl } of pending) {
    for (const slot of volumeNl > 0 ? [weekday, year] : []) nl.set(slot, (nl.get(slot) ?? 0) + volumeNl);
  }
  const slots = [...nl].sort(([a], [b]) => a - b).map(([slot, volume]) => [slot, toMl(volume)] as const);
  return {
    byWeekday: new Map(slots.filter(([slot]) => slot < weekdays)),
    byYear: new Map(slots.filter(([slot]) => slot >= weekdays)),
  };
}

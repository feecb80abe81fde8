import type { Drink } from '../../../core/records.ts';
import type { RecordedReport } from '../../../store/drinks/reported-pours-table.ts';
import type { Store } from '../../../store/store.ts';
import { toCancelledKey } from '../corrections/row-image.ts';

/** The drink of a pour of our own meters that was recorded earlier, or its last values when it was cancelled. */
export const findRecordedPour = (store: Store, pourId: string): Drink | null =>
  store.drinks.byPourId(pourId) ?? store.drinks.cancelledPour(pourId);

/** The drink of a report that was recorded as one, or its last values when it was cancelled. */
export function findReportedDrink(store: Store, { drinkId }: RecordedReport): Drink | null {
  if (drinkId === null) return null;
  return store.drinks.byId(drinkId) ?? store.drinks.cancelledPour(toCancelledKey(drinkId));
}

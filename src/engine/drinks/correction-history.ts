import { type DrinkCorrectionRow, reportShortened } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';

/** Corrections listed for a drink, the newest. */
const maxListed = 100;

/** What a correction changed on a drink. A field that it does not know is null. */
export interface CorrectedValues {
  readonly volumeMl: number | null;
  readonly kegId: number | null;
  readonly username: string | null;
}

/** A correction of one drink. */
export interface DrinkCorrection {
  readonly id: number;
  /** Unix milliseconds. */
  readonly timeMs: number;
  /** As in the audit log, such as `drink.split`. */
  readonly action: string;
  /** Who corrected it; null for the daemon, the console and an erased user. */
  readonly by: string | null;
  readonly isUndone: boolean;
  /** Null when the correction created or removed the drink, or when it is not known. */
  readonly before: CorrectedValues | null;
  readonly after: CorrectedValues | null;
  /** What of the report did not fit, by field, and why; only of the entry that says so, which cannot be undone. */
  readonly leftOut: Readonly<Record<string, string>> | null;
}

/** The corrections of a drink, newest first, at most 100. */
export const listDrinkCorrections = (store: Store, drinkId: number): readonly DrinkCorrection[] =>
  store.drinks.corrections.byDrink(drinkId, maxListed).map((row) => ({
    id: row.id,
    timeMs: row.timeMs,
    action: row.action,
    by: row.username,
    isUndone: row.undoneBy !== null,
    before: readValues(row, 'before', drinkId),
    after: readValues(row, 'after', drinkId),
    leftOut: row.action === reportShortened ? JSON.parse(row.after ?? '{}').left_out : null,
  }));

function readValues(
  row: DrinkCorrectionRow,
  side: 'before' | 'after',
  drinkId: number,
): CorrectedValues | null {
  const volumeMl = side === 'before' ? row.beforeMl : row.afterMl;
  if (volumeMl !== null) return { volumeMl, kegId: null, username: null };
  const drinks: unknown = JSON.parse(row[side] ?? '{}').drinks;
  const drink = Array.isArray(drinks) ? drinks.find((one) => one?.id === drinkId) : undefined;
  if (drink === undefined) return null;
  return {
    volumeMl: drink.volume_ml ?? null,
    kegId: drink.keg_id ?? null,
    username: drink.user_id ?? null,
  };
}

import { AppError } from '../core/app-error.ts';
import { openStore } from '../store/store.ts';
import { checkDatabase } from './check-database.ts';

/**
 * Opens a ledger that nobody uses, bringing its schema up to date, and looks at all of it. Throws `unavailable` when the
 * file is damaged. Totals that are not their sums come back as sentences: the drinks themselves are kept one by one, so
 * such a ledger is still worth having.
 */
export function verifyDatabase(file: string): readonly string[] {
  const store = openStore({ file });
  try {
    const [damage] = store.faults();
    if (damage !== undefined) {
      throw new AppError('unavailable', 'The ledger in it is damaged.', { cause: new Error(damage) });
    }
    return checkDatabase(store).map(
      ({ what, stored, computed }) => `${what}: kept ${stored}, summed ${computed}`,
    );
  } finally {
    store.close();
  }
}

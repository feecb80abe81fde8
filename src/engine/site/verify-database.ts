import { AppError } from '../../core/app-error.ts';
import { openStore } from '../../store/store.ts';
import { checkDatabase } from './check-database.ts';

/**
 * Opens a database that is not in use, migrates its schema and checks it completely. Throws `unavailable`
 * when the file is damaged. Totals that differ from their sums are returned as sentences: drinks are stored
 * one by one, so such a database is still usable.
 */
export function verifyDatabase(file: string): readonly string[] {
  const store = openStore({ file, lowMemory: true });
  try {
    const [damage] = store.faults();
    if (damage !== undefined) {
      throw new AppError('unavailable', 'The database in it is damaged.', { cause: new Error(damage) });
    }
    return checkDatabase(store).map(
      ({ what, stored, computed }) => `${what}: stored ${stored}, summed ${computed}`,
    );
  } finally {
    store.close();
  }
}

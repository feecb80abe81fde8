import { AppError } from '../../core/app-error.ts';
import type { Upgrade } from '../../store/database.ts';
import type { StoreExtension } from '../../store/extension.ts';
import { inspectDatabase } from '../../store/inspect-database.ts';
import { openStore } from '../../store/store.ts';
import { checkDatabase } from './check-database.ts';

/**
 * Checks a database that is not in use. Throws `unavailable` when the file is damaged. Totals that differ from
 * their sums are returned as sentences: drinks are stored one by one, so such a database is still usable.
 *
 * With `upgrade` it takes the schema steps it lacks first. Without it a database of an older schema stays as it
 * is, and its totals are not compared: their tables are another program's. The totals of `extensions` are compared too.
 */
export function verifyDatabase(
  file: string,
  { extensions, upgrade }: { readonly extensions: readonly StoreExtension[]; readonly upgrade?: Upgrade },
): readonly string[] {
  const { version, newest, damage } = inspectDatabase(file, upgrade?.steps?.length);
  if (version > 0 && version < newest && upgrade === undefined) {
    rejectDamage(damage());
    return [];
  }
  const store = openStore({ file, lowMemory: true, upgrade, extensions });
  try {
    rejectDamage(store.faults());
    return checkDatabase(store).map(
      ({ what, stored, computed }) => `${what}: stored ${stored}, summed ${computed}`,
    );
  } finally {
    store.close();
  }
}

function rejectDamage([damage]: readonly string[]): void {
  if (damage === undefined) return;
  throw new AppError('unavailable', 'The database in it is damaged.', { cause: new Error(damage) });
}

import { validationError } from '../../../engine/shared/bounds.ts';
import type { SalesDatabase } from '../store/sales-store.ts';
import type { Till } from '../store/tills-table.ts';
import { maxTills, validateTillName } from './sales-bounds.ts';

/** Adds a till; `field` names it in errors. Call it in a transaction. */
export function addTill(store: SalesDatabase, name: string, field: string): Till {
  const validated = validateTillName(name, field);
  if (store.tills.byName(validated) !== null)
    throw validationError(field, 'is taken by another till', { name: 'taken' });
  if (store.tills.all().length >= maxTills)
    throw validationError(field, `is not needed: there are ${maxTills} tills`);
  return store.tills.byId(store.tills.add(validated))!;
}

/** A till as the audit log shows it; null when there is none. */
export function tillSnapshot(store: SalesDatabase, id: number) {
  const found = store.tills.byId(id);
  return (
    found && {
      name: found.name,
      format: found.format,
      ignored: found.ignoredCategories,
      included_tax: found.includedTaxBasisPoints,
    }
  );
}

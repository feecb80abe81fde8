import type { Drink } from '../../../core/records.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import { featureOff } from '../../extension.ts';
import type { ActorContext } from '../actor-context.ts';
import type { EngineParts } from '../parts.ts';
import type { SetAsidePours } from '../recording-hooks.ts';

type Parts = Pick<EngineParts, 'store' | 'hooks'>;

/** What the extension does that set the pour aside, on or off; null for other pours. */
export const setAsidePoursOf = (parts: Parts, drink: Drink): SetAsidePours | null =>
  drink.isSetAside ? requireSetAsidePours(parts, drink.heldReason!) : null;

/**
 * Tells the extensions whose pours are among these rows that they were restored. The function that it returns is called once that is
 * in the audit log.
 */
export function restoreSetAside(parts: Parts, rows: readonly Row[]): (context: ActorContext) => void {
  const setAside = rows.filter((row) => row.is_set_aside === 1);
  const reasons = [...new Set(setAside.map((row) => String(row.held_reason)))];
  const follow = reasons.map((reason) =>
    requireSetAsidePours(parts, reason).restored(setAside.filter((row) => row.held_reason === reason)),
  );
  return (context) => {
    for (const one of follow) one(context);
  };
}

function requireSetAsidePours({ store, hooks }: Parts, reason: string): SetAsidePours {
  const found = hooks.setAsidePours().find((one) => one.reason === reason);
  if (found !== undefined) return found;
  throw featureOff(store.drinks.heldReasons.featureOf(reason) ?? reason);
}

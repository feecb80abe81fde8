import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { type Page, type PageRequest, readPage } from '../../shared/paging.ts';
import type { EngineParts } from '../../shared/parts.ts';
import type { WithActor } from './correct.ts';
import { requireDrink, requireValidDrink } from './corrected-drink.ts';
import { reassign } from './edit.ts';
import { undoLatest } from './undo-latest.ts';

/** How long after a pour a member may claim it, and after the claim take it back, milliseconds. */
const claimMs = 10 * 60_000;

/** Until when a drink may be claimed, Unix milliseconds. */
export const claimableUntilMs = (drink: Drink): number => drink.pourTimeMs + claimMs;

/** A page of the unattributed drinks that can still be claimed. */
export function claimable(store: Store, page: PageRequest, now: Moment): Page<Drink> {
  const time = store.drinks.between(
    { sinceMs: now.wallMs - claimMs, untilMs: now.wallMs + claimMs + 1 },
    true,
  );
  const filter = { scan: { is_valid: 1, user_id: null }, time };
  return readPage(page, store.drinks.count(filter), (slice) => store.drinks.filteredPage(filter, slice));
}

/** Assigns an unattributed drink to the member who claims it. Throws `conflict` when it is too late. */
export function claim(
  parts: EngineParts,
  id: number,
  { username, actor }: { readonly username: string } & WithActor,
  now: Moment,
): void {
  const drink = requireValidDrink(parts.store, id);
  if (drink.username !== null) {
    throw new AppError('conflict', `Drink ${id} belongs to somebody already: ask staff to change it.`, {
      reason: { name: 'drink_has_user', drink: id },
    });
  }
  const agoMs = now.wallMs - drink.pourTimeMs;
  if (agoMs > claimMs || agoMs < -claimMs) {
    throw new AppError('conflict', `Drink ${id} was poured too long ago: ask staff to assign it.`, {
      reason: { name: 'drink_too_old', drink: id },
    });
  }
  reassign(parts, id, { username, ...omitUndefined({ actor }) }, now, 'drink.claimed');
}

/**
 * Takes a claim back, while it is recent and nobody has corrected the drink since; else throws `conflict`.
 */
export function unclaim(
  parts: EngineParts,
  id: number,
  { username, actor }: { readonly username: string } & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const drink = requireDrink(store, id);
  const latestId = store.drinks.corrections.latestByDrink(id);
  const latest = latestId === null ? null : store.reports.audit.byId(latestId);
  const isTheirClaim = drink.username === username && latest?.action === 'drink.claimed';
  if (!isTheirClaim || now.wallMs - latest.timeMs > claimMs) {
    throw new AppError('conflict', `Drink ${id} is not a recent claim of yours: ask staff to change it.`, {
      reason: { name: 'claim_expired', drink: id },
    });
  }
  undoLatest(parts, id, actor === undefined ? {} : { actor }, now);
}

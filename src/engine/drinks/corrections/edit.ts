import type { Moment } from '../../../core/clock/moment.ts';
import { maxVolumeMl, validateNumber, validateText } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { correct, type WithActor } from './correct.ts';
import { recomputeTotals, requireAccountId, requireDrink } from './corrected-drink.ts';

/** Editable fields of a drink; absent ones stay. */
interface DrinkEdit {
  /** At most 1000 characters; an empty text removes it. */
  readonly shout?: string;
  readonly volumeMl?: number;
}

/** Edits a drink. A new volume changes keg and session; the ticks stay. */
export function edit(
  parts: EngineParts,
  id: number,
  { actor, ...changes }: DrinkEdit & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const shout =
    changes.shout === undefined
      ? undefined
      : validateText('shout', changes.shout, { min: 0, max: 1_000, kind: 'lines' }) || null;
  const ml =
    changes.volumeMl === undefined
      ? undefined
      : validateNumber('volume_ml', changes.volumeMl, { min: 0, max: maxVolumeMl });
  correct(parts, { action: 'drink.edited', drinkIds: [id], actor }, now, () => {
    const drink = requireDrink(store, id);
    if (shout !== undefined) store.drinks.setShout(id, shout);
    if (ml !== undefined && ml !== drink.volumeMl) {
      store.drinks.setVolume(id, ml);
      recomputeTotals(store, drink);
    }
    return undefined;
  });
}

/** Assigns a drink and its events to an account, or to none. */
export function reassign(
  parts: EngineParts,
  id: number,
  { username, actor }: { readonly username: string | null } & WithActor,
  now: Moment,
  action: 'drink.reassigned' | 'drink.claimed' = 'drink.reassigned',
): void {
  const { store } = parts;
  correct(parts, { action, drinkIds: [id], actor }, now, () => {
    const drink = requireDrink(store, id);
    const userId = requireAccountId(store, username);
    if (userId === store.drinks.userId(drink.id)) return undefined;
    store.drinks.setUser(id, userId);
    store.drinks.events.setUser(id, userId);
    return undefined;
  });
}

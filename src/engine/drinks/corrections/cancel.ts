import type { Moment } from '../../../core/clock/moment.ts';
import { beerTicksOf } from '../../../core/measurement/pour-volume.ts';
import { addSpill } from '../../kegs/spills.ts';
import type { EngineParts } from '../../shared/parts.ts';
import type { DrinkView } from '../../shared/views.ts';
import { correct, type WithActor } from './correct.ts';
import { deleteDrink, recomputeTotals, requireDrink, toDrinkView } from './corrected-drink.ts';

/** Removes a drink from all totals. Returns it as it was, `isValid` false. */
export function cancel(
  parts: EngineParts,
  id: number,
  { spilled, actor }: { readonly spilled: boolean } & WithActor,
  now: Moment,
): DrinkView {
  const { store } = parts;
  let before: DrinkView | undefined;
  const action = spilled ? 'drink.spilled' : 'drink.cancelled';
  correct(parts, { action, drinkIds: [id], actor }, now, () => {
    before = toDrinkView(store, requireDrink(store, id));
    const { drink } = before;
    deleteDrink(store, drink);
    const { tapId, kegId, volumeMl, meter } = drink;
    const ticks = Math.round(beerTicksOf(drink));
    const spill = spilled
      ? addSpill(store, { tapId, kegId, ticks, volumeMl, meter, pourId: null }, now)
      : null;
    recomputeTotals(store, drink);
    return { spillIds: spill === null ? [] : [spill.id] };
  });
  return { ...before!, drink: { ...before!.drink, isValid: false } };
}

import type { Moment } from '../../../core/clock/moment.ts';
import { beerTicksOf } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
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
    // It was spilled when it flowed.
    const timeMs = drink.timeCertain ? drink.pourTimeMs : undefined;
    const spills = spilled ? toSpills(drink).map((spill) => addSpill(store, spill, now, timeMs)) : [];
    recomputeTotals(store, drink);
    return { spillIds: spills.map(({ id }) => id) };
  });
  return { ...before!, drink: { ...before!.drink, isValid: false } };
}

/** One for each keg that it came from. What came from one keg follows what was on the tap then, as the drink did. */
function toSpills({ tapId, meter, parts, kegId, isKegAssigned, ...counted }: Drink) {
  return (parts ?? [{ kegId, ...counted }]).map((part) => ({
    tapId,
    meter,
    kegId: part.kegId,
    ticks: Math.round(beerTicksOf(part)),
    volumeMl: part.volumeMl,
    pourId: null,
    isKegAssigned: isKegAssigned || parts !== null,
  }));
}

import type { Instant } from '../../../core/clock/instant.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { beerTicksOf } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
import { toSpilledParts } from '../../kegs/placement/place-drinks.ts';
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
    const flowEnd = store.drinks.flowEnd(id);
    deleteDrink(store, drink);
    // It was spilled when it flowed.
    const timeMs = drink.timeCertain ? drink.pourTimeMs : undefined;
    const spill = spilled ? addSpill(store, toSpill(drink, flowEnd), now, timeMs) : null;
    recomputeTotals(store, drink);
    return { spillIds: spill === null ? [] : [spill.id] };
  });
  return { ...before!, drink: { ...before!.drink, isValid: false } };
}

/** It is divided as the drink was, and follows what was on the tap then, as the drink did. */
function toSpill(drink: Drink, { bootId, monoMs: endMonoMs }: Instant) {
  const { tapId, kegId, meter, volumeMl, isKegAssigned, parts } = drink;
  const { series, durationMs, ticks, gasTicks, foamTicks } = drink;
  return {
    tapId,
    meter,
    kegId,
    volumeMl,
    isKegAssigned,
    pourId: null,
    ticks: Math.round(beerTicksOf(drink)),
    parts: toSpilledParts(parts),
    flow: isKegAssigned ? null : { series, durationMs, ticks, gasTicks, foamTicks, bootId, endMonoMs },
  };
}

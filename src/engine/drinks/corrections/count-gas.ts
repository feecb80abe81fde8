import type { Moment } from '../../../core/clock/moment.ts';
import { pourVolume } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import type { Actor } from '../../shared/audit.ts';
import { maxVolumeMl } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { correct } from './correct.ts';
import { recomputeTotals, requireDrink } from './corrected-drink.ts';

/** Counts the gas of a drink as beer, since its keg was not empty. A volume that was given stays. */
export function countGasAsBeer(parts: EngineParts, id: number, actor: Actor | undefined, now: Moment): void {
  const { store } = parts;
  correct(parts, { action: 'drink.edited', drinkIds: [id], actor }, now, () => {
    const drink = requireDrink(store, id);
    const { ticks, gasTicks, volumeGiven, volumeMl } = drink;
    if (gasTicks === 0 || gasTicks >= ticks) return undefined;
    const beerMl = volumeGiven ? volumeMl : volumeMl * gasShare(store, drink);
    store.drinks.setMeasure(id, {
      ...drink,
      gasTicks: 0,
      gasOnsetMs: null,
      volumeMl: Math.min(beerMl, maxVolumeMl),
    });
    recomputeTotals(store, drink);
    return undefined;
  });
}

/** Volume with the gas as a multiple of that without; the factor at the time of the pour cancels out. */
function gasShare(store: Store, drink: Drink): number {
  const meter = drink.meter === null ? null : store.meters.byName(drink.meter);
  const beerMl = meter?.curve ? pourVolume(meter, drink).volumeMl : 0;
  if (meter === null || beerMl === 0) return drink.ticks / (drink.ticks - drink.gasTicks);
  return pourVolume(meter, { ...drink, gasTicks: 0 }).volumeMl / beerMl;
}

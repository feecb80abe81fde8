import type { Moment } from '../../../core/clock/moment.ts';
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
    const beerMl = volumeGiven ? volumeMl : (volumeMl * ticks) / (ticks - gasTicks);
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

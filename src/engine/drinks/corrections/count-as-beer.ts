import type { Moment } from '../../../core/clock/moment.ts';
import { beerTicksOf, pourVolume } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { maxVolumeMl } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { answerByPours } from '../suspected-kegs.ts';
import { correct, type WithActor } from './correct.ts';
import { recomputeTotals, requireDrink, requireValidDrink } from './corrected-drink.ts';

/** Counts the gas of a drink as beer, since its keg was not empty. A volume that was given stays. Call it within a correction. */
export function countGasAsBeer(store: Store, id: number): void {
  const drink = requireDrink(store, id);
  countTicks(store, drink, drink.foamTicks);
}

/**
 * Counts every tick of a drink as beer, also those that were taken for gas or for the foam of a fresh keg. A volume that was given stays.
 * Does nothing where all are counted. Once no gas is left that led to it, nobody is asked any more whether the keg is empty. Throws `conflict` for a held drink.
 */
export function countAsBeer(parts: EngineParts, id: number, { actor }: WithActor, now: Moment): void {
  correct(parts, { action: 'drink.edited', drinkIds: [id], actor }, now, () => {
    const drink = requireValidDrink(parts.store, id);
    countTicks(parts.store, drink, 0);
    answerByPours(parts.store, drink.tapId);
    return undefined;
  });
}

/** Counts all ticks of a drink; of those of foam, `foamTicks` still count a quarter. */
function countTicks(store: Store, drink: Drink, foamTicks: number): void {
  if (drink.gasTicks === 0 && drink.foamTicks === foamTicks) return;
  const counted = { ...drink, gasTicks: 0, gasOnsetMs: null, foamTicks };
  const volumeMl = drink.volumeGiven ? drink.volumeMl : volumeOfCounted(store, drink, counted);
  store.drinks.setMeasure(drink.id, { ...counted, volumeMl: Math.min(volumeMl, maxVolumeMl) });
  recomputeTotals(store, drink);
}

/** With fewer ticks of beer, which are whole numbers, their volume does not show the factor to a hundredth. */
const minBeerTicks = 50;

/**
 * Volume of all the beer by that of the beer so far, so that the meter’s factor at the time of the pour cancels out; by its present one
 * where too little was counted.
 */
function volumeOfCounted(store: Store, drink: Drink, counted: Drink): number {
  const meter = drink.meter === null ? null : store.taps.meters.byName(drink.meter);
  const beerTicks = beerTicksOf(drink);
  if (beerTicks < minBeerTicks && meter !== null)
    return drink.volumeMl + pourVolume(meter, counted) - pourVolume(meter, drink);
  const isByCurve = meter !== null && meter.curve !== null;
  const volumeOf = (one: Drink) => (isByCurve ? pourVolume(meter, one) : beerTicksOf(one));
  const before = volumeOf(drink);
  return before > 0 ? (drink.volumeMl * volumeOf(counted)) / before : drink.volumeMl;
}

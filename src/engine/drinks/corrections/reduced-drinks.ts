import type { Moment } from '../../../core/clock/moment.ts';
import { foamBeerShare } from '../../../core/measurement/fresh-foam.ts';
import { beerTicksOf } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';

/** A drink whose volume is less than its meter counted, since a part of it was taken for gas or foam. */
export interface ReducedDrink {
  readonly drink: Drink;
  /** What was left out, as if it were beer, by the meter’s present factor, millilitres. */
  readonly leftOutMl: number;
}

/** Less is within the uncertainty of a drink, millilitres. */
const minLeftOutMl = 20;
const maxAgeMs = 30 * 86_400_000;
/** Drinks that are read: more than a bar has in 30 days, of which each keg has a few. */
const maxRead = 1_000;

/**
 * The drinks of the last 30 days of which gas or foam was left out, newest first. A volume that was given is not changed by it, and gas of a
 * keg that staff have ended was gas.
 */
export function listReducedDrinks(store: Store, { wallMs }: Moment): readonly ReducedDrink[] {
  return store.drinks.withGasOrFoam(maxRead).flatMap((drink) => {
    const meter = drink.meter === null ? null : store.taps.meters.byName(drink.meter);
    // Of a meter that was deleted the drink itself shows the factor.
    const ticksPerMl = meter?.ticksPerMl ?? beerTicksOf(drink) / drink.volumeMl;
    const isOld = drink.pourTimeMs < wallMs - maxAgeMs;
    if (drink.volumeGiven || isOld || isEndOfKeg(store, drink)) return [];
    const ticks = drink.gasTicks + (1 - foamBeerShare) * drink.foamTicks;
    const leftOutMl = ticks / ticksPerMl;
    return leftOutMl >= minLeftOutMl ? [{ drink, leftOutMl }] : [];
  });
}

const isEndOfKeg = (store: Store, { kegId, gasTicks }: Drink): boolean =>
  gasTicks > 0 && kegId !== null && store.kegs.byId(kegId)?.ranDry === true;

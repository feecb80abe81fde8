import { pourStarts } from '../../core/measurement/pour-starts.ts';
import { pourVolume } from '../../core/measurement/pour-volume.ts';
import { coverage, pourUncertainty, sumUncertainty } from '../../core/measurement/uncertainty.ts';
import type { Drink, Keg, Session } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { kegUncertaintyMl, toMeterSums } from '../kegs/keg-remainder.ts';
import { toMeterUncertainty } from '../kegs/meter-uncertainty.ts';

/** Uncertainty of a drink (half width of the 95 % interval, millilitres), or why it is unknown. */
export type DrinkUncertainty =
  | { readonly ml: number }
  | { readonly ml: null; readonly reason: 'volume_given' | 'meter_unknown' };

/** Two factors closer than this are the same, as a share: volumes are stored with 15 digits. */
const sameFactor = 1e-6;

/** Computes uncertainties from what is stored of meters; nothing of them is stored with the drinks. */
export function createUncertainties(store: Store) {
  return {
    drink(drink: Drink): DrinkUncertainty {
      if (drink.volumeGiven) return { ml: null, reason: 'volume_given' };
      const meter = drink.meter === null ? null : store.taps.meters.byName(drink.meter);
      if (meter === null) return { ml: null, reason: 'meter_unknown' };
      const { volumeMl } = drink;
      const todayMl = pourVolume(meter, drink);
      // Another factor than today's was used: the difference is known, and not corrected.
      const difference = volumeMl > 0 ? Math.abs(todayMl / volumeMl - 1) : 0;
      const ml = pourUncertainty(toMeterUncertainty(store, meter, drink.pourTimeMs), {
        volumeMl,
        starts: pourStarts(drink),
        endedInGas: drink.gasTicks > 0 ? 1 : 0,
        ticksLost: drink.ticksLost ?? 0,
        foamTicks: drink.foamTicks,
        factorDifference: difference > sameFactor ? difference / coverage : 0,
      });
      return { ml };
    },

    /** Of what is left in the keg, millilitres. A pour that is held at its tap may have been its beer. */
    keg: (keg: Keg): number => kegUncertaintyMl(store, keg),

    /** Of all drinks of the session together, millilitres. A pour that was held meanwhile may belong to it. */
    session({ id, startTimeMs, endTimeMs }: Pick<Session, 'id' | 'startTimeMs' | 'endTimeMs'>): number {
      const heldMl = store.drinks.meterTotals.heldMl({
        tapId: null,
        sinceMs: startTimeMs,
        untilMs: endTimeMs,
      });
      return sumUncertainty(toMeterSums(store, store.drinks.meterTotals.ofSession(id)), heldMl);
    },
  };
}

export type Uncertainties = ReturnType<typeof createUncertainties>;

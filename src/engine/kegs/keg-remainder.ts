import { remainingMl } from '../../core/kegs/keg-volume.ts';
import {
  type MeterSum,
  type MeterUncertainty,
  remainderUncertainty,
  uUnknownFactor,
} from '../../core/measurement/uncertainty.ts';
import type { Keg } from '../../core/records.ts';
import type { MeterTotal } from '../../store/drinks/meter-totals-table.ts';
import type { Store } from '../../store/store.ts';
import { toMeterUncertainty } from './meter-uncertainty.ts';

/** Half widths of the 95 % interval by which a keg may be emptier than counted: three standard deviations. */
const certainWidths = 1.5;
/** Beer that no count knows, as a share of the full keg: lost at the tapping, blown out with the foam, or left out by the brewery. */
const uncountedShare = 0.05;

/** Half width of the 95 % interval of what is left in a keg, millilitres. A pour that is held at its tap may have been its beer. */
export function kegUncertaintyMl(store: Store, keg: Keg): number {
  const span = { sinceMs: keg.startedTimeMs, untilMs: Number.MAX_SAFE_INTEGER };
  const heldMl = store.taps
    .ofKeg(keg.id)
    .reduce((sum, { tapId }) => sum + store.drinks.meterTotals.heldMl({ tapId, ...span }), 0);
  return remainderUncertainty(keg, toMeterSums(store, store.drinks.meterTotals.ofKeg(keg.id)), heldMl);
}

/**
 * What is certainly left in the kegs of a tap by the count and its uncertainty, millilitres; 0 when they may be empty. Reads all
 * drinks of kegs that are not empty by the count.
 */
export function certainlyLeftMl(store: Store, kegIds: readonly number[]): number {
  const kegs = kegIds.map((id) => store.kegs.byId(id)!);
  const leftMl = sum(kegs.map((keg) => remainingMl(keg) - uncountedShare * keg.fullVolumeMl));
  if (leftMl <= 0) return 0;
  return Math.max(0, leftMl - certainWidths * sum(kegs.map((keg) => kegUncertaintyMl(store, keg))));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Totals with what is known of their meters. Volumes that were given are taken as those of an unknown meter. */
export function toMeterSums(
  store: Store,
  totals: readonly Omit<MeterTotal, 'beerTicks'>[],
): readonly MeterSum[] {
  return totals.map(({ meter: name, pours, volumeMl, ticksLost, foamTicks, ...starts }) => {
    const meter = name === null ? null : store.taps.meters.byName(name);
    const sum = { pours, volumeMl, ticksLost, foamTicks, endedInGas: starts.endedInGas };
    return meter === null
      ? { ...sum, ...unknownMeter }
      : { ...sum, starts, ...toMeterUncertainty(store, meter, starts.untilMs) };
  });
}

/** Its pulses are taken to be without number, so that they add nothing. */
export const unknownMeter: MeterUncertainty = {
  ticksPerMl: Number.POSITIVE_INFINITY,
  uFactor: uUnknownFactor,
};

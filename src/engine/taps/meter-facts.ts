import { daySpan } from '../../core/clock/local-days.ts';
import { isFreshKeg } from '../../core/measurement/fresh-foam.ts';
import { type TapRate, toOpenRate } from '../../core/measurement/tap-rate.ts';
import type { PourFacts } from '../../core/pours/pour.ts';
import type { MeterConfig, Tap } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { certainlyLeftMl } from '../kegs/keg-remainder.ts';
import type { EngineParts } from '../shared/parts.ts';

/** What is known of a meter and its tap, and what stood in for the tap’s rate. */
export interface MeterFacts extends PourFacts {
  readonly openRate: TapRate | null;
  /** Whether gas of the line and foam may come before the beer. */
  readonly isKegFresh: boolean;
}

/** The kegs that a flow came from first and last; they are no longer on the tap where they were changed since. */
export interface FlowKegs {
  readonly first: number | null;
  readonly last: number | null;
}

/** What a pour is measured with. */
export type MeasuringParts = Pick<EngineParts, 'store' | 'hooks' | 'settings'>;

/** Hand, beer and wheel have to start: the ticks of this volume take longer, at 85 mL/s as well. */
const leastOpen = { ml: 10, ms: 180 };

const nothingKnown = { openRate: null, certainTicks: Number.POSITIVE_INFINITY, isKegFresh: false } as const;

/**
 * What a pour on this meter is judged by: the least that is a drink, the tap’s rate while it is fully open, and what its keg
 * certainly has left; the keg is that on the tap, or those that a pour has come from.
 */
export function findMeterFacts(
  { store, hooks, settings }: MeasuringParts,
  meter: MeterConfig | null,
  flowed: FlowKegs | null = null,
): MeterFacts {
  const { minPourTicks = 1, minPourMl = 0, minPourMlPerS = 0 } = settings;
  if (meter === null) return { minTicks: minPourTicks, ...nothingKnown };
  const { tapId, ticksPerMl, calibrated } = meter;
  // A guessed factor may be six times too high, so that a small beer would be a drip.
  const least = {
    minTicks: Math.max(minPourTicks, calibrated ? Math.ceil(minPourMl * ticksPerMl) : 0),
    minTicksPerS: calibrated ? minPourMlPerS * ticksPerMl : 0,
    leastOpenMs: calibrated && minPourMl >= leastOpen.ml ? leastOpen.ms : 0,
  };
  if (tapId === null) return { ...least, ...nothingKnown };
  // A pump is faster than beer: nothing tells gas while the line is cleaned.
  if (hooks.closedState(tapId) === 'cleaning') return { ...least, ...nothingKnown };
  const openRate = findTapRate(store, { ...meter, tapId });
  const { kegId, kegIdsBehind } = store.taps.byId(tapId)!;
  const { first, last } = flowed ?? { first: kegId, last: kegId };
  // Without a keg there is nobody to ask, and nothing that could be empty.
  if (first === null || last === null) return { ...least, ...nothingKnown, openRate };
  const keg = store.kegs.byId(first)!;
  const lastKegs = last === kegId ? [kegId, ...kegIdsBehind] : [last];
  return {
    ...least,
    openRate,
    certainTicks: Math.floor(certainlyLeftMl(store, lastKegs) * ticksPerMl),
    // The line of a series is full of the beer of the keg before.
    isKegFresh: !keg.inSeries && isFreshKeg(keg),
  };
}

/** The rate of a tap while it is fully open. */
export function findTapRate(
  store: Store,
  { tapId, name, ticksPerMl, calibrated, modelHz }: MeterConfig & { readonly tapId: number },
): TapRate {
  return toOpenRate(store.taps.rates.best(tapId, name), { ticksPerMl, isCalibrated: calibrated, modelHz });
}

type LossMeter = Pick<MeterConfig, 'name' | 'ticksPerMl'>;

/**
 * The meter that counted what a tap lost on a day: its meter, unless the newest drinks until then are all of another one, in whose place
 * it came later. Null without a meter.
 */
export function findLossMeter(
  store: Store,
  { id, meter }: Pick<Tap, 'id' | 'meter'>,
  localDay: number,
): LossMeter | null {
  if (meter === null) return null;
  const { untilMs } = daySpan(localDay, store.site.read().timeZone);
  const names = store.taps.kegMeasures.lastMeters(id, untilMs);
  if (names.length === 0 || names.includes(meter.name)) return meter;
  return store.taps.meters.byName(names[0]!) ?? meter;
}

import { findUnevenTicks } from '../../../core/measurement/fresh-foam.ts';
import { findGas, type GasFinding } from '../../../core/measurement/gas-detector.ts';
import { findSputteringGas, isGasPour } from '../../../core/measurement/gas-pour.ts';
import { pourVolume } from '../../../core/measurement/pour-volume.ts';
import type { RateDefault } from '../../../core/measurement/tap-rate.ts';
import { defaultTicksPerMl } from '../../../core/pours/calibration.ts';
import type { EndedPour } from '../../../core/pours/pour.ts';
import { checkFlow } from '../../../core/pours/pour-judgement.ts';
import { parseTickSeries, sumTicks } from '../../../core/pours/tick-series.ts';
import type { MeterConfig } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { maxTicks, validateNumber } from '../../shared/bounds.ts';
import {
  type FlowKegs,
  findMeterFacts,
  type MeasuringParts,
  type MeterFacts,
} from '../../taps/meter-facts.ts';

/**
 * A serial board stamps ticks in batches, so the duration of a short pour is not more exact than this,
 * milliseconds.
 */
const serialResolutionMs = 100;

const unknownMeter = { ticksPerMl: defaultTicksPerMl, curve: null };

/** What the ticks of one pour mean. */
interface MeasuredPour {
  /** All of them. */
  readonly ticks: number;
  readonly gasTicks: number;
  /** Of the gas and foam before the beer of a fresh keg. */
  readonly foamTicks: number;
  readonly gasOnsetMs: number | null;
  /** What stood in for the tap's usual rate; null where it was known, or nothing was looked for. */
  readonly rateDefault: RateDefault | null;
  /** Beer, millilitres. */
  readonly volumeMl: number;
  /** Why it is held: its flow is impossible for beer, or it is probably gas alone, since its keg was empty before. */
  readonly doubt: 'impossible_flow' | 'gas' | null;
}

/** What counted a pour, and when. */
interface PourOrigin {
  readonly meter: MeterConfig | null;
  readonly source: 'pin' | 'serial';
  /** It is known to be no drink: nothing tells gas and foam from water by a pump. */
  readonly isSetAside?: boolean;
  /** The kegs that it came from; null: unknown. */
  readonly kegs: FlowKegs | null;
}

/** Measures a pour of our own meters: beer, the gas that followed it, and the foam before it. */
export function measurePour(
  parts: MeasuringParts,
  pour: EndedPour,
  { meter, source, kegs, isSetAside = false }: PourOrigin,
): MeasuredPour {
  const { store, settings } = parts;
  const bounds = { min: 0, max: maxTicks, whole: true };
  const ticks = validateNumber('ticks', Math.min(pour.ticks, maxTicks), bounds);
  const facts = findMeterFacts(parts, meter, kegs);
  const judged = isSetAside
    ? justBeer
    : judge(pour, facts, {
        isSuspected: () => isSuspected(store, meter, kegs),
        hasExactStamps: source === 'pin',
      });
  const { gas, isGasOnly } = judged;
  const gasTicks = gas === null ? 0 : Math.min(gas.ticks, ticks);
  const beerTicks = ticks - gasTicks;
  const foamTicks = Math.min(judged.foamTicks, beerTicks);
  const { pourId, series } = pour;
  const poured = { source, ticks, gasTicks, foamTicks, series, pourId };
  const volumeMl = pourVolume(meter ?? unknownMeter, poured);
  // Unobserved ticks have no duration.
  const flow = pour.unobserved
    ? null
    : checkFlow({
        volumeMl,
        durationMs: toBeerMs(pour.durationMs, gas, facts),
        maxFlowMlPerS: settings.maxFlowMlPerS,
        ticks: beerTicks,
        ...(source === 'serial' ? { stampResolutionMs: serialResolutionMs } : {}),
      });
  return {
    ticks,
    gasTicks,
    foamTicks,
    gasOnsetMs: gas?.onsetMs ?? null,
    rateDefault: pour.unobserved ? null : (facts.openRate?.defaultBy ?? null),
    volumeMl,
    doubt: isGasOnly ? 'gas' : flow,
  };
}

/** What the flow of a pour shows. */
interface JudgedFlow {
  readonly gas: GasFinding | null;
  /** Of the gas and foam before the beer of a fresh keg. */
  readonly foamTicks: number;
  /** All of it is counted, and held: staff say whether it was gas. */
  readonly isGasOnly: boolean;
}

const justBeer: JudgedFlow = { gas: null, foamTicks: 0, isGasOnly: false };

/** The gas in a pour, and the foam before the beer of a fresh keg. */
function judge(
  pour: EndedPour,
  facts: MeterFacts,
  { isSuspected, hasExactStamps }: { readonly isSuspected: () => boolean; readonly hasExactStamps: boolean },
): JudgedFlow {
  const { openRate, certainTicks, isKegFresh, minTicks } = facts;
  const jump = pour.gas === undefined ? judgeSeries(pour, facts) : pour.gas;
  const pairs = pour.unobserved ? null : parseTickSeries(pour.series);
  if (pairs === null || openRate === null || pour.doubts.length > 0) return { ...justBeer, gas: jump };
  const mayEnd = hasExactStamps && jump?.class !== 'gas' && pour.ticks > certainTicks;
  const gas = (mayEnd ? findSputteringGas(pairs, { openRate, certainTicks }) : null) ?? jump;
  if (gas?.class === 'gas' && pour.ticks - gas.ticks < minTicks) return { ...justBeer, isGasOnly: true };
  if (certainTicks === 0) {
    const isAsked = isSuspected();
    // After its gas a keg has no beer: nor has the beginning of such a pour, which may be foam.
    const mayBeGas = isAsked || gas?.class !== 'gas';
    const rest = { openRate, durationMs: pour.durationMs, isSuspected: isAsked, hasExactStamps };
    if (mayBeGas && isGasPour(pairs, rest)) return { ...justBeer, isGasOnly: true };
  }
  const foamTicks = isKegFresh && hasExactStamps ? findUnevenTicks(pairs, openRate) : 0;
  // A jump within the foam is part of it.
  const isFoam = gas !== null && sumTicks(pairs.filter(({ ms }) => ms < gas.onsetMs)) < foamTicks;
  return { ...justBeer, gas: isFoam ? null : gas, foamTicks };
}

/** Whether staff are asked if the keg is empty that the pour came from last. */
function isSuspected(store: Store, meter: MeterConfig | null, kegs: FlowKegs | null): boolean {
  const kegId = kegs?.last ?? null;
  return (
    kegId !== null &&
    store.taps.emptyKegs.all().some((one) => one.tapId === meter?.tapId && one.kegId === kegId)
  );
}

/** Time in which beer flowed: before the gas, and after it when a pocket of gas passed. */
function toBeerMs(durationMs: number, gas: GasFinding | null, { openRate }: MeterFacts): number {
  if (gas?.class !== 'gas') return durationMs;
  const gasMs = openRate === null ? durationMs : (gas.ticks / (gas.ratio * openRate.ticksPerS)) * 1_000;
  return Math.max(Math.min(gas.onsetMs, durationMs), durationMs - gasMs);
}

/** A pour that was finished from the journal, or that no tracker judged. */
function judgeSeries(pour: EndedPour, { openRate, certainTicks }: MeterFacts): GasFinding | null {
  const pairs = openRate === null || pour.unobserved ? null : parseTickSeries(pour.series);
  return pairs === null || openRate === null || pour.doubts.includes('electrical_noise')
    ? null
    : findGas(pairs, openRate, { certainTicks });
}

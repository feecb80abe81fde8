import { judgeFreshPour } from '../../core/measurement/fresh-foam.ts';
import { findGas, type GasFinding } from '../../core/measurement/gas-detector.ts';
import { pourVolume } from '../../core/measurement/pour-volume.ts';
import type { RateDefault } from '../../core/measurement/tap-rate.ts';
import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import { checkFlow } from '../../core/pours/pour-judgement.ts';
import { parseTickSeries } from '../../core/pours/tick-series.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { maxTicks, validateNumber } from '../shared/bounds.ts';
import type { EngineSettings } from '../shared/parts.ts';
import { findMeterFacts, type MeterFacts } from '../taps/meter-facts.ts';

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
  readonly flow: 'impossible_flow' | null;
  /** True when the keg was empty before: what little is left is no drink. */
  readonly isGasOnly: boolean;
}

/** What counted a pour, and when. */
interface PourOrigin {
  readonly meter: MeterConfig | null;
  readonly source: 'pin' | 'serial';
  /** Nothing tells gas and foam from water by a pump. */
  readonly isCleaning?: boolean;
}

/** Measures a pour of our own meters: beer, the gas that followed it, and the foam before it. */
export function measurePour(
  { store, settings }: { readonly store: Store; readonly settings: EngineSettings },
  pour: EndedPour,
  { meter, source, isCleaning = false }: PourOrigin,
): MeasuredPour {
  const bounds = { min: 0, max: maxTicks, whole: true };
  const ticks = validateNumber('ticks', Math.min(pour.ticks, maxTicks), bounds);
  const facts = findMeterFacts(store, meter, settings);
  const { gas, foamTicks: foam } = isCleaning
    ? { gas: null, foamTicks: 0 }
    : judgeGas(pour, facts, source === 'pin');
  const gasTicks = gas === null ? 0 : Math.min(gas.ticks, ticks);
  const beerTicks = ticks - gasTicks;
  const foamTicks = Math.min(foam, beerTicks);
  const { pourId, series } = pour;
  const poured = { source, ticks, gasTicks, foamTicks, series, pourId };
  const { volumeMl } = pourVolume(meter ?? unknownMeter, poured);
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
  const isGasOnly = gasTicks > 0 && pour.doubts.length === 0 && beerTicks < facts.minTicks;
  const rateDefault = pour.unobserved ? null : (facts.openRate?.defaultBy ?? null);
  return {
    ticks,
    gasTicks,
    foamTicks,
    gasOnsetMs: gas?.onsetMs ?? null,
    rateDefault,
    volumeMl,
    flow,
    isGasOnly,
  };
}

/** Time in which beer flowed: before the gas, and after it when a pocket of gas passed. */
function toBeerMs(durationMs: number, gas: GasFinding | null, { openRate }: MeterFacts): number {
  if (gas?.class !== 'gas') return durationMs;
  const gasMs = openRate === null ? durationMs : (gas.ticks / (gas.ratio * openRate.ticksPerS)) * 1_000;
  return Math.max(Math.min(gas.onsetMs, durationMs), durationMs - gasMs);
}

/** The gas in a pour, and the foam before the beer of a fresh keg. */
function judgeGas(pour: EndedPour, facts: MeterFacts, hasExactStamps: boolean) {
  const { openRate, lineGasTicks: allowedTicks } = facts;
  const gas = pour.gas === undefined ? judgeSeries(pour, facts) : pour.gas;
  const pairs = allowedTicks > 0 && !pour.unobserved ? parseTickSeries(pour.series) : null;
  if (pairs === null || openRate === null || pour.doubts.length > 0) return { gas, foamTicks: 0 };
  return judgeFreshPour(pairs, { openRate, gas, allowedTicks, hasExactStamps });
}

/** A pour that was finished from the journal, or that no tracker judged. */
function judgeSeries(pour: EndedPour, { openRate }: MeterFacts): GasFinding | null {
  const pairs = openRate === null || pour.unobserved ? null : parseTickSeries(pour.series);
  return pairs === null || openRate === null || pour.doubts.includes('electrical_noise')
    ? null
    : findGas(pairs, openRate);
}

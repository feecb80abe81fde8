import { volumeOfTicks } from '../pours/calibration.ts';
import type { EndedPour, PourSource } from '../pours/pour.ts';
import { parseTickSeries, sumTicks, type TickPair } from '../pours/tick-series.ts';
import { foamBeerShare } from './fresh-foam.ts';
import { curveVolume, type MeterCurve, scaleCurve } from './meter-curve.ts';

/** What turns a meter's ticks into millilitres. */
export interface MeterFactor {
  readonly ticksPerMl: number;
  /** Null while one factor is used at all rates. */
  readonly curve: MeterCurve | null;
}

/** The ticks of one pour or of a part of it. */
export interface PouredTicks {
  readonly source: PourSource;
  /** All of them, also those of gas. */
  readonly ticks: number;
  readonly gasTicks: number;
  /** Of the gas and foam before the beer of a fresh keg. */
  readonly foamTicks: number;
  readonly series: string | null;
  /** Null for the part that was split off another drink. */
  readonly pourId: string | null;
}

/** Ticks that count as beer: without gas, and with a quarter of those of foam. */
export const beerTicksOf = ({
  ticks,
  gasTicks,
  foamTicks,
}: Pick<PouredTicks, 'ticks' | 'gasTicks' | 'foamTicks'>): number =>
  ticks - gasTicks - (1 - foamBeerShare) * foamTicks;

/**
 * Volume of the beer of a pour. The curve needs exact stamps, which only pins have, and a series that holds just the ticks of
 * the pour; all else has the one factor.
 */
export function pourVolume(meter: MeterFactor, pour: PouredTicks): number {
  const { curve, ticksPerMl } = meter;
  const pairs = curve === null || pour.source !== 'pin' ? null : beerPairs(pour);
  if (curve === null || pairs === null) return volumeOfTicks(beerTicksOf(pour), ticksPerMl);
  const foamMl = volumeOfTicks(foamBeerShare * pour.foamTicks, ticksPerMl);
  if (pairs.length === 0) return foamMl;
  // A pour has its additional ticks once, however many drinks it was split into.
  return curveVolume(pairs, pour.pourId === null ? { ...curve, offsetTicks: 0 } : curve) + foamMl;
}

/** Whether the volume of a pour is computed by the meter's curve. */
export const isByCurve = ({ curve }: MeterFactor, pour: PouredTicks): boolean =>
  curve !== null && pour.source === 'pin' && beerPairs(pour) !== null;

/** A pour that runs, or has just ended and is not recorded yet. */
export interface RunningTicks {
  readonly pourId: string;
  readonly ticks: number;
  /** The times of its ticks; absent where they are not exact. */
  readonly series?: string | undefined;
}

/** The times of an ended pour's ticks; undefined for boards, which send them in batches, with their own totals. */
export const exactSeries = ({ position, unobserved, series }: EndedPour): string | undefined =>
  position === undefined && !unobserved ? series : undefined;

/** Volume of a running pour so far. */
export function runningVolumeMl(meter: MeterFactor, { pourId, ticks, series }: RunningTicks): number {
  if (meter.curve === null || series === undefined) return volumeOfTicks(ticks, meter.ticksPerMl);
  return pourVolume(meter, { source: 'pin', ticks, gasTicks: 0, foamTicks: 0, series, pourId });
}

/** The meter with another factor; its curve keeps its shape. */
export function withFactor<T extends MeterFactor>(meter: T, ticksPerMl: number): T {
  const curve = meter.curve && scaleCurve(meter.curve, ticksPerMl / meter.ticksPerMl);
  return { ...meter, ticksPerMl, curve };
}

/** The ticks of beer over time, without foam, which comes first, and gas, which comes last; null where they are not known. */
export function beerPairs({
  ticks,
  gasTicks,
  foamTicks,
  series,
}: Omit<PouredTicks, 'source' | 'pourId'>): readonly TickPair[] | null {
  const pairs = series === null ? null : parseTickSeries(series);
  if (pairs === null || sumTicks(pairs) !== ticks) return null;
  pairs.sort((a, b) => a.ms - b.ms);
  if (gasTicks === 0 && foamTicks === 0) return pairs;
  let [foam, left] = [foamTicks, ticks - gasTicks];
  return pairs.flatMap((pair) => {
    const taken = Math.min(left, pair.ticks);
    const skipped = Math.min(foam, taken);
    left -= taken;
    foam -= skipped;
    return taken > skipped ? [{ ms: pair.ms, ticks: taken - skipped }] : [];
  });
}

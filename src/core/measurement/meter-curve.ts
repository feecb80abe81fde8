import type { TickPair } from '../pours/tick-series.ts';

/** Calibration factor at one rate. */
export interface CurvePoint {
  /** Ticks per second. */
  readonly hz: number;
  readonly ticksPerMl: number;
}

/** A meter whose factor depends on the rate. */
export interface MeterCurve {
  /** 1 to 8 points in ascending order of the rate. */
  readonly points: readonly CurvePoint[];
  /** Ticks that each pour has besides its volume. */
  readonly offsetTicks: number;
}

/** A volume by the curve. */
interface CurveVolume {
  readonly volumeMl: number;
  /** Standard uncertainty of the ticks outside the points, as a share of the volume. */
  readonly uLinear: number;
}

export const maxCurvePoints = 8;

/** Standard uncertainty of a factor outside the points, as a share. */
const uOutside = 0.02;
/** Rate is averaged over so many buckets on either side: a slow meter has two ticks in 100 ms. */
const neighbours = 2;
const minBucketMs = 100;

/** Factor at a rate: interpolated linearly, and that of the nearest point outside of them. */
export function factorAtRate({ points }: Pick<MeterCurve, 'points'>, hz: number): number {
  const next = points.findIndex((point) => point.hz >= hz);
  if (next === -1) return points.at(-1)!.ticksPerMl;
  if (next === 0) return points[0]!.ticksPerMl;
  const [low, high] = [points[next - 1]!, points[next]!];
  const share = (hz - low.hz) / (high.hz - low.hz);
  return low.ticksPerMl + share * (high.ticksPerMl - low.ticksPerMl);
}

/** Whether points can be a curve: 1 to 8, rates ascending, all above 0. */
export function isCurve(points: readonly CurvePoint[]): boolean {
  if (points.length === 0 || points.length > maxCurvePoints) return false;
  return points.every(
    ({ hz, ticksPerMl }, i) => hz > 0 && ticksPerMl > 0 && (i === 0 || hz > points[i - 1]!.hz),
  );
}

/** Volume of a pour by its tick series: each bucket has the factor of its rate. */
export function curveVolume(pairs: readonly TickPair[], curve: MeterCurve): CurveVolume {
  const { points, offsetTicks } = curve;
  const rates = bucketRates(pairs);
  let [ticks, volumeMl, outsideMl] = [0, 0, 0];
  for (const [i, pair] of pairs.entries()) {
    const hz = rates[i]!;
    const ml = pair.ticks / factorAtRate(curve, hz);
    ticks += pair.ticks;
    volumeMl += ml;
    if (points.length > 1 && (hz < points[0]!.hz || hz > points.at(-1)!.hz)) outsideMl += ml;
  }
  if (ticks === 0) return { volumeMl: 0, uLinear: 0 };
  const beerTicks = Math.max(0, ticks - offsetTicks);
  return { volumeMl: (volumeMl * beerTicks) / ticks, uLinear: (uOutside * outsideMl) / volumeMl };
}

/** Ticks per second around each bucket. Buckets without ticks are not in the series, but their time counts. */
function bucketRates(pairs: readonly TickPair[]): readonly number[] {
  const gaps = pairs.slice(1).map(({ ms }, i) => ms - pairs[i]!.ms);
  const bucketMs = Math.max(minBucketMs, gaps.length === 0 ? 0 : Math.min(...gaps));
  return pairs.map(({ ms }) => {
    const reachMs = neighbours * bucketMs;
    const near = pairs.filter((one) => Math.abs(one.ms - ms) <= reachMs);
    // At the ends of the pour there is less than the whole window.
    const spanMs = near.at(-1)!.ms - near[0]!.ms + bucketMs;
    return near.reduce((sum, one) => sum + one.ticks, 0) / (spanMs / 1_000);
  });
}

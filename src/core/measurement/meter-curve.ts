import { sumTicks, type TickPair } from '../pours/tick-series.ts';

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

export const maxCurvePoints = 8;
/** Ticks per millilitre that any meter may have. */
export const factorRange = { min: 0.001, max: 1_000 } as const;

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
  // As a difference, a small factor beside a large one would lose its digits.
  return (1 - share) * low.ticksPerMl + share * high.ticksPerMl;
}

/** Whether points can be a curve: 1 to 8, rates ascending, all above 0. */
export function isCurve(points: readonly CurvePoint[]): boolean {
  if (points.length === 0 || points.length > maxCurvePoints) return false;
  return points.every(
    ({ hz, ticksPerMl }, i) => hz > 0 && ticksPerMl > 0 && (i === 0 || hz > points[i - 1]!.hz),
  );
}

/** The curve with all factors multiplied by `share`: a meter that counts more does so at every rate. */
export function scaleCurve({ points, offsetTicks }: MeterCurve, share: number): MeterCurve {
  if (share === 1) return { points, offsetTicks };
  const scale = (ticksPerMl: number) =>
    Math.min(Math.max(ticksPerMl * share, factorRange.min), factorRange.max);
  return { points: points.map(({ hz, ticksPerMl }) => ({ hz, ticksPerMl: scale(ticksPerMl) })), offsetTicks };
}

/** The points with the factor `ticksPerMl` at the rate `hz`, in the same ratios to one another as before. */
export function scaleToFactor(
  points: readonly CurvePoint[],
  { hz, ticksPerMl }: CurvePoint,
): readonly CurvePoint[] {
  return scaleCurve({ points, offsetTicks: 0 }, ticksPerMl / factorAtRate({ points }, hz)).points;
}

/**
 * A curve through two measured points. Between them it follows a wheel with constant friction, whose factor is linear in the
 * inverse of the rate; a straight line would be 0.7 % off in the middle of a YF-21.
 */
export function curveThrough(low: CurvePoint, high: CurvePoint): readonly CurvePoint[] {
  const between = [1 / 3, 2 / 3].map((share) => {
    const hz = low.hz * (high.hz / low.hz) ** share;
    const weight = (1 / low.hz - 1 / hz) / (1 / low.hz - 1 / high.hz);
    return { hz, ticksPerMl: low.ticksPerMl + weight * (high.ticksPerMl - low.ticksPerMl) };
  });
  return [low, ...between, high];
}

/** Volume of each bucket by the factor of its rate, without regard to the ticks that a pour has besides its volume. */
export function bucketVolumes(
  pairs: readonly TickPair[],
  curve: Pick<MeterCurve, 'points'>,
): readonly number[] {
  const rates = bucketRates(pairs);
  return pairs.map(({ ticks }, i) => ticks / factorAtRate(curve, rates[i]!));
}

/** Volume of a pour by its tick series: each bucket has the factor of its rate. */
export function curveVolume(pairs: readonly TickPair[], curve: MeterCurve): number {
  const volumeMl = bucketVolumes(pairs, curve).reduce((sum, ml) => sum + ml, 0);
  const ticks = sumTicks(pairs);
  return ticks === 0 ? 0 : (volumeMl * Math.max(0, ticks - curve.offsetTicks)) / ticks;
}

/** The rate at which a pour's ticks fell on average, ticks per second; 0 without ticks. */
export function meanRate(pairs: readonly TickPair[]): number {
  const rates = bucketRates(pairs);
  let [ticks, weighted] = [0, 0];
  for (const [i, pair] of pairs.entries()) {
    ticks += pair.ticks;
    weighted += pair.ticks * rates[i]!;
  }
  return ticks === 0 ? 0 : weighted / ticks;
}

/**
 * Ticks per second around each bucket, of pairs in the order of their time. Buckets without ticks are not in the series, but
 * their time counts.
 */
function bucketRates(pairs: readonly TickPair[]): readonly number[] {
  let gap = Number.POSITIVE_INFINITY;
  for (let i = 1; i < pairs.length; i++) gap = Math.min(gap, pairs[i]!.ms - pairs[i - 1]!.ms);
  const bucketMs = Math.max(minBucketMs, Number.isFinite(gap) ? gap : 0);
  const reachMs = neighbours * bucketMs;
  let [from, to, ticks] = [0, 0, 0];
  return pairs.map(({ ms }) => {
    while (to < pairs.length && pairs[to]!.ms - ms <= reachMs) ticks += pairs[to++]!.ticks;
    while (ms - pairs[from]!.ms > reachMs) ticks -= pairs[from++]!.ticks;
    // At the ends of the pour there is less than the whole window.
    const spanMs = pairs[to - 1]!.ms - pairs[from]!.ms + bucketMs;
    return ticks / (spanMs / 1_000);
  });
}

import { type MeterCurve, scaleCurve } from '../../core/measurement/meter-curve.ts';

/** A curve as `flow_meters.curve` stores it: with the factor that the meter had when it was set. */
interface StoredCurve {
  readonly ticks_per_ml: number;
  readonly points: readonly { readonly hz: number; readonly ticks_per_ml: number }[];
  readonly offset_ticks: number;
}

/** The curve of a meter that has this factor now: whoever sets another factor scales the curve. */
export function parseCurve(stored: string | null, ticksPerMl: number): MeterCurve | null {
  if (stored === null) return null;
  const curve = JSON.parse(stored) as StoredCurve;
  const points = curve.points.map(({ hz, ticks_per_ml }) => ({ hz, ticksPerMl: ticks_per_ml }));
  return scaleCurve({ points, offsetTicks: curve.offset_ticks }, ticksPerMl / curve.ticks_per_ml);
}

export function formatCurve(curve: MeterCurve | null, ticksPerMl: number): string | null {
  if (curve === null) return null;
  const stored: StoredCurve = {
    ticks_per_ml: ticksPerMl,
    points: curve.points.map((point) => ({ hz: point.hz, ticks_per_ml: point.ticksPerMl })),
    offset_ticks: curve.offsetTicks,
  };
  return JSON.stringify(stored);
}

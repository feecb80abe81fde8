import type { MeterCurve } from '../../../api/generated.ts';
import { formatDecimal } from '../../../app/format.ts';
import { parseDecimal } from '../calibration/measurement.ts';

type Point = MeterCurve['points'][number];

/** A point of a curve as text: flow in mL/s, ticks per litre. */
export interface CurveRow {
  readonly flow: string;
  readonly ticks: string;
  /** The stored point, with all its digits, until the row is edited. */
  readonly point?: Point;
}

export const emptyRow: CurveRow = { flow: '', ticks: '' };

export const toCurveRows = (curve: MeterCurve | null): readonly CurveRow[] =>
  (curve?.points ?? []).map((point) => ({
    flow: formatDecimal(point.hz / point.ticks_per_ml, 1),
    ticks: formatDecimal(point.ticks_per_ml * 1_000, 1),
    point,
  }));

/** The points of the rows, slowest first; null while a row is incomplete, not a positive number, or there are two at one rate. */
export function toPoints(rows: readonly CurveRow[]): readonly Point[] | null {
  const points = rows.map(toPoint);
  if (points.includes(null)) return null;
  const sorted = points.flatMap((point) => point ?? []).toSorted((a, b) => a.hz - b.hz);
  return sorted.some(({ hz }, i) => hz === sorted[i - 1]?.hz) ? null : sorted;
}

function toPoint({ flow, ticks, point }: CurveRow): Point | null {
  if (point !== undefined) return point;
  const [mlPerS, ticksPerL] = [parseDecimal(flow), parseDecimal(ticks)];
  if (mlPerS === null || ticksPerL === null || mlPerS <= 0 || ticksPerL <= 0) return null;
  return { hz: (mlPerS * ticksPerL) / 1_000, ticks_per_ml: ticksPerL / 1_000 };
}

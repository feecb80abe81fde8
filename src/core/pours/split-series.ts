import { maxSeriesPairs, parseTickSeries, type TickPair, TickSeries } from './tick-series.ts';

/**
 * Splits the tick series of a pour after its first `ticks`, when a second glass was filled in one pour. Both
 * parts keep the pour's time base. Two nulls when the series does not sum to `total` ticks.
 */
export function splitTickSeries(
  series: string | null,
  { ticks, total }: { readonly ticks: number; readonly total: number },
): readonly [string | null, string | null] {
  const pairs = series === null ? null : parseTickSeries(series);
  if (pairs === null || pairs.reduce((sum, pair) => sum + pair.ticks, 0) !== total) return [null, null];
  const first: TickPair[] = [];
  const second: TickPair[] = [];
  let remaining = ticks;
  for (const pair of pairs) {
    const taken = Math.min(remaining, pair.ticks);
    remaining -= taken;
    if (taken > 0) first.push({ ms: pair.ms, ticks: taken });
    if (taken < pair.ticks) second.push({ ms: pair.ms, ticks: pair.ticks - taken });
  }
  return [formatPairs(first), formatPairs(second)];
}

/** A series describes one pour; parts more than a day apart do not belong together. */
const maxOffsetMs = 24 * 3_600_000;

/** Merges two series, the second starting `offsetMs` after the first. Null when either is unknown. */
export function joinTickSeries(first: string | null, second: string | null, offsetMs: number): string | null {
  const [early, late] = [first, second].map((series) => (series === null ? null : parseTickSeries(series)));
  if (!early || !late || offsetMs > maxOffsetMs) return null;
  const byMs = new Map<number, number>();
  for (const { ms, ticks } of early) byMs.set(ms, (byMs.get(ms) ?? 0) + ticks);
  for (const { ms, ticks } of late) byMs.set(ms + offsetMs, (byMs.get(ms + offsetMs) ?? 0) + ticks);
  const pairs = [...byMs].map(([ms, ticks]) => ({ ms, ticks })).sort((a, b) => a.ms - b.ms);
  const series = new TickSeries();
  series.addPairs(pairs);
  return pairs.length <= maxSeriesPairs ? formatPairs(pairs) : series.toString();
}

const formatPairs = (pairs: readonly TickPair[]): string | null =>
  pairs.length === 0 ? null : pairs.map(({ ms, ticks }) => `${ms}:${ticks}`).join(' ');

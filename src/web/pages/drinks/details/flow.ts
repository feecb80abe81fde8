/** Ticks from `ms` after the first tick on. */
interface TickPair {
  readonly ms: number;
  readonly ticks: number;
}

/** The mean flow of an interval. */
interface FlowStep {
  /** Start of the interval, milliseconds after the first tick. */
  readonly startMs: number;
  readonly mlPerS: number;
}

/** More bars than this cannot be told apart on a phone. */
const maxSteps = 60;
/** Intervals are multiples of this: the width of the daemon's shortest interval. */
const stepMs = 100;

/**
 * The flow of a pour in equal intervals; empty with fewer than two times, which show nothing. The volume is shared out
 * by the ticks of beer, so that a corrected volume gives the corrected flow; `gasTicks` of the series, and three quarters of those of foam, are no part of it.
 */
export function toFlow(series: readonly TickPair[], volumeMl: number, gasTicks = 0): readonly FlowStep[] {
  const totalTicks = series.reduce((sum, { ticks }) => sum + ticks, 0);
  const lastMs = series.at(-1)?.ms ?? 0;
  if (series.length < 2 || lastMs === 0 || totalTicks <= gasTicks) return [];
  const widthMs = Math.ceil((lastMs + 1) / maxSteps / stepMs) * stepMs;
  const ticks = new Array<number>(Math.floor(lastMs / widthMs) + 1).fill(0);
  for (const pair of series) ticks[Math.floor(pair.ms / widthMs)]! += pair.ticks;
  return ticks.map((count, index) => ({
    startMs: index * widthMs,
    mlPerS: ((count / (totalTicks - gasTicks)) * volumeMl * 1000) / widthMs,
  }));
}

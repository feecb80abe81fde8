import { parseTickSeries } from '../../../core/pours/tick-series.ts';

/** More than a pitcher, and more than anybody pours at once, millilitres. */
const largeMl = 5_000;
/** Faster than beer is served; pumps of cleaning machines reach 127 mL/s. */
const fastMlPerS = 80;
/** A fast pour of less than this may be a glass, millilitres. */
const leastFastMl = 1_000;
/** Without opening hours nothing tells a fast pitcher from a rinse, millilitres. */
const leastFastInServiceMl = 2_000;
/** A pump does not pause; guests and hands do, milliseconds. */
const steadyGapMs = 3_000;
/** Pours of one cleaning follow one another within this time, milliseconds. */
const sameCleaningMs = 60 * 60_000;

/** A pour that may have been a cleaning. */
export interface PatternPour {
  readonly id: number;
  readonly tapId: number;
  readonly timeMs: number;
  readonly durationMs: number;
  readonly volumeMl: number;
  readonly series: string | null;
}

/** Limits by which the store reads candidates. */
export const patternBounds = { largeMl, fastMlPerS, leastFastMl } as const;

/** Whether a pour looks like water or cleaner: large, or fast and outside of service, and steady. `isServed` null: not known. */
export function looksLikeCleaning(pour: PatternPour, isServed: boolean | null): boolean {
  const isFast = pour.durationMs > 0 && pour.volumeMl / (pour.durationMs / 1_000) > fastMlPerS;
  if (!isSteady(pour)) return false;
  if (pour.volumeMl > largeMl) return isServed !== true || isFast;
  return isFast && pour.volumeMl >= (isServed === false ? leastFastMl : leastFastInServiceMl);
}

/** True where the ticks never paused; where their times are not known, too. */
function isSteady({ series }: PatternPour): boolean {
  const pairs = series === null ? null : parseTickSeries(series);
  if (pairs === null) return true;
  // Long pours have coarse pairs: a pause is longer than three of them.
  const spanMs = (pairs.at(-1)?.ms ?? 0) - (pairs[0]?.ms ?? 0);
  const gapMs = Math.max(steadyGapMs, (3 * spanMs) / Math.max(1, pairs.length - 1));
  return pairs.every(({ ms }, i) => i === 0 || ms - pairs[i - 1]!.ms <= gapMs);
}

/** Pours of one tap that follow one another are one cleaning; oldest first. */
export function groupPours(pours: readonly PatternPour[]): readonly (readonly PatternPour[])[] {
  const groups: PatternPour[][] = [];
  for (const pour of [...pours].sort((a, b) => a.tapId - b.tapId || a.timeMs - b.timeMs)) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    const belongs = previous?.tapId === pour.tapId && pour.timeMs - previous.timeMs <= sameCleaningMs;
    if (belongs && last!.length < maxGroup) last!.push(pour);
    else groups.push([pour]);
  }
  return groups;
}

const maxGroup = 50;

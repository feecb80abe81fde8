import { type Instant, msBetween } from '../clock/instant.ts';
import { foamBeerShare } from '../measurement/fresh-foam.ts';
import type { TickPair } from '../pours/tick-series.ts';

/** A time in which a tap poured from a keg. */
export interface KegSpan {
  readonly kegId: number;
  readonly started: Instant;
  /** Null: it is on the tap now. */
  readonly ended: Instant | null;
}

/** Beer that flowed through a tap. */
export interface Flow {
  /** Of the last tick. */
  readonly end: Instant;
  readonly durationMs: number;
  /** When it flowed, from the first tick; null where only the duration is known. */
  readonly pairs: readonly TickPair[] | null;
}

/** What was counted of a flow. */
export interface CountedFlow {
  readonly ticks: number;
  /** The last ticks: they are in no volume. */
  readonly gasTicks: number;
  /** The first ticks, of which a quarter is in the volume. */
  readonly foamTicks: number;
  readonly volumeMl: number;
}

/** What of a drink came from one keg; the parts of a drink are in the order in which they flowed. */
export interface DrinkPart extends CountedFlow {
  /** Null: no keg was on the tap. */
  readonly kegId: number | null;
}

/** A stretch of a flow that came from one keg. */
interface Stretch {
  readonly kegId: number | null;
  /** From the first tick, exclusive of the stretch before, milliseconds. */
  readonly untilMs: number;
}

/**
 * The kegs that a flow came from, in order. `spans` are those of its tap, newest first: where two overlap, the newer one counts.
 * What flows within one pour while no keg is on the tap is the beer of the keg before, or else of the next one.
 */
export function divideFlow(spans: readonly KegSpan[], { end, durationMs }: Flow): readonly Stretch[] {
  const startMs = -durationMs;
  const edges = spans.map(({ kegId, started, ended }) => ({
    kegId,
    fromMs: msBetween(end, started) - startMs,
    untilMs: ended === null ? Number.POSITIVE_INFINITY : msBetween(end, ended) - startMs,
  }));
  const cuts = edges
    .flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
    .filter((ms) => ms > 0 && ms < durationMs);
  const ends = [...new Set([...cuts, durationMs])].sort((a, b) => a - b);
  // What flowed at the instant of a change is of the keg before it.
  const kegAt = (ms: number): number | null =>
    (
      edges.find(({ fromMs, untilMs }) => fromMs < ms && ms <= untilMs) ??
      edges.find(({ fromMs, untilMs }) => fromMs <= ms && ms <= untilMs)
    )?.kegId ?? null;
  const found = ends.map((untilMs, i) => ({
    kegId: kegAt(((ends[i - 1] ?? 0) + untilMs) / 2),
    untilMs,
  }));
  // A keg that was put on the tap as the flow ended.
  if (found.every(({ kegId }) => kegId === null)) return [{ kegId: kegAt(durationMs), untilMs: durationMs }];
  const withoutGaps = found.map(({ untilMs }, i) => ({ kegId: nearestKeg(found, i), untilMs }));
  return withoutGaps.filter(({ kegId }, i) => kegId !== withoutGaps[i + 1]?.kegId || i === ends.length - 1);
}

/** The keg of a stretch, else of the one before, else of the next one that has any. */
function nearestKeg(stretches: readonly Stretch[], index: number): number | null {
  const before = stretches.slice(0, index + 1).findLast(({ kegId }) => kegId !== null);
  return (before ?? stretches.slice(index).find(({ kegId }) => kegId !== null))?.kegId ?? null;
}

/**
 * Divides what was counted by the stretches: by its ticks, where it is known when they came, else by time. The parts add up to the
 * whole, to the nanolitre. Stretches without a tick have no part.
 */
export function toDrinkParts(
  stretches: readonly Stretch[],
  { durationMs, pairs }: Flow,
  counted: CountedFlow,
): readonly DrinkPart[] {
  const { ticks, gasTicks, foamTicks, volumeMl } = counted;
  const shareUntil = (ms: number): number => {
    if (ms >= durationMs) return 1;
    if (pairs === null || ticks === 0) return durationMs === 0 ? 1 : Math.max(0, ms / durationMs);
    return pairs.reduce((sum, pair) => (pair.ms < ms ? sum + pair.ticks : sum), 0) / ticks;
  };
  const total = beerTicks(counted, 1);
  const upTo = (share: number): CountedFlow => {
    const until = Math.min(ticks, Math.round(share * ticks));
    return {
      ticks: until,
      gasTicks: Math.max(0, until - (ticks - gasTicks)),
      foamTicks: Math.min(foamTicks, until),
      volumeMl:
        share >= 1
          ? volumeMl
          : toNanolitre(volumeMl * (total === 0 ? share : beerTicks(counted, share) / total)),
    };
  };
  let done: CountedFlow = { ticks: 0, gasTicks: 0, foamTicks: 0, volumeMl: 0 };
  const parts = stretches.map(({ kegId, untilMs }) => {
    const before = done;
    done = upTo(shareUntil(untilMs));
    return {
      kegId,
      ticks: done.ticks - before.ticks,
      gasTicks: done.gasTicks - before.gasTicks,
      foamTicks: done.foamTicks - before.foamTicks,
      volumeMl: toNanolitre(done.volumeMl - before.volumeMl),
    };
  });
  return parts.filter((part) => part.ticks > 0 || part.volumeMl > 0);
}

/** Ticks of beer among the first ones. */
function beerTicks({ ticks, gasTicks, foamTicks }: CountedFlow, share: number): number {
  const until = share * ticks;
  return Math.min(until, ticks - gasTicks) - (1 - foamBeerShare) * Math.min(until, foamTicks);
}

const toNanolitre = (ml: number): number => Math.round(ml * 1e6) / 1e6;

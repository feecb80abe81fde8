import { type Instant, msBetween } from '../../../core/clock/instant.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { divideFlow, type Flow, toDrinkParts } from '../../../core/kegs/keg-spans.ts';
import { parseTickSeries } from '../../../core/pours/tick-series.ts';
import type { Drink } from '../../../core/records.ts';
import type { Placement } from '../../../store/drinks/drink-placements.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredSpan } from '../../../store/taps/keg-spans-table.ts';
import { recomputeSeries } from './recompute-series.ts';

export const toInstant = ({ wallMs, bootId, monoMs }: Moment): Instant => ({
  wallMs: Math.max(0, Math.round(wallMs)),
  bootId,
  monoMs,
});

/** An instant of which only the wall clock is known. */
export const wallInstant = (wallMs: number): Instant => ({ wallMs, bootId: '', monoMs: 0 });

/**
 * Records that the tap pours from its present first keg since `at`, after its kegs were changed. A keg that was ended by mistake and
 * comes back to the tap that had none since was on it all the time, unless a time is stated (`isPast`): returns since when, else null.
 */
export function followTap(store: Store, tapId: number, at: Moment, isPast = false): Instant | null {
  const kegId = store.taps.byId(tapId)?.kegId ?? null;
  const [last] = store.taps.kegSpans.recent(tapId);
  if (last?.ended === null) {
    if (last.kegId === kegId) return null;
    store.taps.kegSpans.set({ ...last, ended: toInstant(at) });
    store.provisionalTimes.note('keg_span_ended', last.id, at);
  }
  if (kegId === null) return null;
  const isBack = last?.kegId === kegId && !isPast && !last.isTakenOff && isLastSpan(store, last);
  if (isBack) {
    store.taps.kegSpans.set({ ...last, ended: null, isByCount: false });
    store.provisionalTimes.clear('keg_span_ended', last.id);
    return last.ended;
  }
  const id = store.taps.kegSpans.add({
    tapId,
    kegId,
    started: toInstant(at),
    ended: null,
    isByCount: false,
    isTakenOff: false,
    isFollowing: last?.ended === null,
  });
  if (last?.ended === null) recomputeSeries(store, [last.kegId, kegId]);
  store.provisionalTimes.note('keg_span_started', id, at);
  return null;
}

/** Whether the keg was on no other tap since. */
const isLastSpan = (store: Store, { id, kegId }: StoredSpan): boolean =>
  store.taps.kegSpans.ofKeg(kegId).at(-1)?.id === id;

/** Removes a span with the marks of its provisional times. */
export function removeSpan(store: Store, id: number): void {
  store.provisionalTimes.clear('keg_span_started', id);
  store.provisionalTimes.clear('keg_span_ended', id);
  store.taps.kegSpans.remove(id);
}

/** The keg that was on the tap at that time; null when none was. */
export const findKegAt = (store: Store, tapId: number, at: Instant): number | null =>
  findKegs(store, tapId, { end: at, durationMs: 0, pairs: null })[0]!.kegId;

/** The kegs that a flow through the tap came from, in order; at least one entry, which may be no keg. */
export const findKegs = (store: Store, tapId: number, flow: Flow) =>
  divideFlow(spansOf(store, tapId, flow), flow);

/** A drink, or what is to become one. */
type Poured = Pick<
  Drink,
  'tapId' | 'series' | 'durationMs' | 'ticks' | 'gasTicks' | 'foamTicks' | 'volumeMl'
>;

/** Which keg, or kegs, a pour came from that ended then. */
export function findPlacement(store: Store, poured: Poured, end: Instant): Placement {
  const { tapId, durationMs, series } = poured;
  if (tapId === null) return { kegId: null, parts: null, isKegAssigned: false };
  const flow = { end, durationMs, pairs: null };
  const stretches = findKegs(store, tapId, flow);
  if (stretches.length === 1) return { kegId: stretches[0]!.kegId, parts: null, isKegAssigned: false };
  const pairs = series === null ? null : parseTickSeries(series);
  const parts = toDrinkParts(stretches, { ...flow, pairs }, poured);
  const main = parts.toSorted((a, b) => b.volumeMl - a.volumeMl)[0];
  return {
    kegId: (main ?? stretches.at(-1)!).kegId,
    parts: parts.length > 1 ? parts : null,
    isKegAssigned: false,
  };
}

/** The spans that a flow may touch, newest first. */
function spansOf(store: Store, tapId: number, { end, durationMs }: Flow): readonly StoredSpan[] {
  const recent = store.taps.kegSpans.recent(tapId);
  return recent.some(({ started }) => msBetween(started, end) >= durationMs)
    ? recent
    : store.taps.kegSpans.ofTap(tapId);
}

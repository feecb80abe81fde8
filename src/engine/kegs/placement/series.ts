import { type Instant, msBetween } from '../../../core/clock/instant.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Keg } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredSpan } from '../../../store/taps/keg-spans-table.ts';
import { imageAfterChange, undoEndEvidence } from '../keg-image.ts';
import { endKeg, hasFollower, isEmptyInSeries } from '../tap-kegs.ts';
import { findEmptied } from './emptied.ts';
import { removeSpan, toInstant } from './keg-spans.ts';
import { placeSince } from './place-drinks.ts';
import { recomputeSeries, spanAfter } from './recompute-series.ts';

/** Whether the count of this keg may end it, or move its end, in favour of the next keg of its series. */
export const mayEndByCount = (store: Store, keg: Keg): boolean =>
  isEmptyInSeries(store, keg) ||
  (keg.inSeries && keg.state === 'finished' && countedSpans(store, keg.id).length > 0);

/**
 * Ends the kegs of a series with the drinks and spills that emptied them, in the order in which they flowed; the next keg follows. After the count
 * of such a keg has changed its end moves, and those that have beer left are on their taps again. Does nothing for other kegs. Call
 * it in a transaction.
 */
export function followCount(store: Store, kegId: number, now: Moment): void {
  const keg = store.kegs.byId(kegId);
  if (keg === null || !(keg.inSeries || hasFollower(store, kegId))) return;
  const series = seriesFrom(store, keg);
  moveEnds(store, series);
  for (const { id } of series) {
    let next: number | undefined = id;
    while (next !== undefined && isEmptyInSeries(store, store.kegs.byId(next)!))
      next = endByCount(store, store.kegs.byId(next)!, now) ? kegAfter(store, next)?.id : undefined;
  }
}

/** The last spans of a keg, one at each of its taps, where the count ended them and staff did not take it up again since. */
function countedSpans(store: Store, kegId: number): readonly StoredSpan[] {
  const spans = store.taps.kegSpans.ofKeg(kegId);
  const end = spans.at(-1)?.ended;
  if (end == null || store.kegs.byId(kegId)?.state !== 'finished') return [];
  return spans.filter(({ isByCount, ended }) => isByCount && ended !== null && msBetween(ended, end) === 0);
}

/** The keg that followed when the count had ended this one. */
function kegAfter(store: Store, kegId: number): Keg | null {
  const [span] = countedSpans(store, kegId);
  const after = span && spanAfter(store, span);
  return after === undefined ? null : store.kegs.byId(after.kegId);
}

/** A keg and those that followed it by the count. */
function seriesFrom(store: Store, first: Keg): readonly Keg[] {
  const series = [first];
  for (let next = kegAfter(store, first.id); next !== null; next = kegAfter(store, next.id))
    series.push(next);
  return series;
}

/**
 * The ends of all of them, by the drinks and spills that emptied them; fewer when they have beer left. A keg ends on its tap, and not
 * before the next one was connected: until then whatever flowed was its beer. `next` is the keg behind the last one.
 */
function findEnds(store: Store, series: readonly Keg[], next: Keg | null): readonly Instant[] {
  const notBefore = (keg: Keg, follower: Keg | null | undefined): number => {
    const last = store.taps.kegSpans.ofKeg(keg.id).at(-1);
    // Put on again later, the one that followed has a later time; it was there when the count ended this one.
    const endedMs = countedSpans(store, keg.id)[0]?.ended?.wallMs ?? Number.MAX_SAFE_INTEGER;
    return Math.max(last?.started.wallMs ?? 0, Math.min(connectedMs(follower), endedMs));
  };
  return findEmptied(
    store,
    series.map((keg, i) => ({ ...keg, notBeforeMs: notBefore(keg, series[i + 1] ?? next) })),
  );
}

/** When a follower was connected, Unix milliseconds; 0 without one. Taken off unused since, it does not tell. */
const connectedMs = (follower: Keg | null | undefined): number =>
  follower?.state === 'available' && follower.startedTimeMs === follower.createdTimeMs
    ? Number.MAX_SAFE_INTEGER
    : (follower?.startedTimeMs ?? 0);

/** Ends a keg with the drink or spill that emptied it; false while none did since the next one was connected. */
function endByCount(store: Store, keg: Keg, now: Moment): boolean {
  const behind = store.taps
    .ofKeg(keg.id)
    .flatMap(({ tapId }) => store.taps.byId(tapId)!.kegIdsBehind.slice(0, 1))[0];
  const [emptied] = findEnds(store, [keg], behind === undefined ? null : store.kegs.byId(behind));
  if (emptied === undefined) return false;
  // A time without a boot was entered, and is not corrected.
  const synced = now.synced || emptied.bootId === '';
  endKeg(store, keg.id, { at: { ...emptied, synced }, isPast: true });
  for (const span of store.taps.kegSpans.ofKeg(keg.id))
    if (span.ended !== null && msBetween(span.ended, toInstant({ ...emptied, synced: true })) === 0)
      store.taps.kegSpans.set({ ...span, isByCount: true });
  return true;
}

/** Moves the ends of kegs that their count had ended to where their drinks put them now. */
function moveEnds(store: Store, series: readonly Keg[]): void {
  const ends = findEnds(store, series, null);
  const former = series.slice(0, -1).map(({ id }) => countedSpans(store, id));
  const first = former.findIndex(
    (spans, i) => ends[i] === undefined || msBetween(spans[0]!.ended!, ends[i]) !== 0,
  );
  if (first === -1) return;
  // Staff ended or took off the last one since, or put others on: no keg goes back.
  const last = series.at(-1)!.id;
  const mayGoBack =
    former.flat().every(({ tapId }) => store.taps.byId(tapId)?.kegId === last) &&
    former.at(-1)!.every((span) => spanAfter(store, span)?.ended === null);
  if (!mayGoBack && ends[first] === undefined) return;
  const before = former[first]![0]!.ended!;
  const since = ends[first] !== undefined && msBetween(ends[first], before) > 0 ? ends[first] : before;
  const taps = former[first]!.map(({ tapId }) => tapId);
  for (let i = first; i < former.length; i++) {
    const end = ends[i];
    if (end === undefined) continue;
    // Read again: its start may have moved with the end before.
    for (const span of countedSpans(store, series[i]!.id)) {
      const after = spanAfter(store, span)!;
      store.taps.kegSpans.set({ ...span, ended: end });
      store.taps.kegSpans.set({ ...after, started: end });
    }
    store.kegs.setState(series[i]!.id, { ...series[i]!, finishedTimeMs: end.wallMs });
  }
  const firstFull = Math.max(first, ends.length);
  if (firstFull < former.length && mayGoBack) putBack(store, series.slice(firstFull));
  for (const tapId of taps) placeSince(store, tapId, since);
}

/** A change of a keg, before which the count is rewound. */
interface RewoundChange {
  /** When it was made at the tap. */
  readonly at: Instant;
  /** Kegs that were at its taps when it was recorded: the count ended them since, even with a drink of before `at`. */
  readonly kegsAhead: ReadonlySet<number>;
}

/**
 * Puts back the kegs of a tap that the count has ended since a change, as before it did, so that the change can be undone;
 * `followTapCount` ends them again. Does nothing where staff ended or took off the last one of them.
 */
export function rewindCount(store: Store, tapId: number, { at, kegsAhead }: RewoundChange): void {
  const [open] = store.taps.kegSpans.recent(tapId);
  if (open === undefined || open.ended !== null) return;
  const spans: StoredSpan[] = [];
  for (let span: StoredSpan | undefined = open; span !== undefined; ) {
    spans.unshift(span);
    const before = countedBefore(store, span);
    const isSince = before && (kegsAhead.has(before.kegId) || msBetween(at, before.ended!) > 0);
    span = isSince ? before : undefined;
  }
  const kegIds = spans.map(({ kegId }) => kegId);
  const counted = kegIds.slice(0, -1).flatMap((kegId) => countedSpans(store, kegId));
  const isLastThere = counted.every((span) => store.taps.byId(span.tapId)?.kegId === open.kegId);
  if (counted.length === 0 || !isLastThere) return;
  const firstEnd = spans[0]!.ended!;
  putBack(
    store,
    kegIds.map((kegId) => store.kegs.byId(kegId)!),
  );
  for (const one of new Set(counted.map((span) => span.tapId))) placeSince(store, one, firstEnd);
}

/** The span before it on its tap that the count ended. */
const countedBefore = (store: Store, { tapId, started, isFollowing }: StoredSpan): StoredSpan | undefined =>
  isFollowing
    ? store.taps.kegSpans
        .ofTap(tapId)
        .find(({ isByCount, ended }) => isByCount && ended !== null && msBetween(ended, started) === 0)
    : undefined;

/** Ends the kegs of a tap by the count, after what was on it has changed. */
export function followTapCount(store: Store, tapId: number, now: Moment): void {
  const kegIds = store.taps.kegSpans.recent(tapId).map(({ kegId }) => kegId);
  for (const kegId of new Set(kegIds.toReversed())) followCount(store, kegId, now);
}

/** The first of them has beer left by the count: its taps pour from it again, and then from the others. */
function putBack(store: Store, series: readonly Keg[]): void {
  const [first] = series;
  const spans = countedSpans(store, first!.id);
  const last = series.at(-1)!;
  const isThere = last.state === 'on_tap';
  const finished = isThere ? series.slice(0, -1) : series;
  const images = new Map(finished.map(({ id }) => [id, imageAfterChange(store, id)]));
  for (const { tapId } of spans) {
    const before = store.taps.ofKeg(last.id).find((one) => one.tapId === tapId)?.position ?? finished.length;
    const former = finished.flatMap(
      ({ id }) => images.get(id)?.taps.find((one) => one.tapId === tapId)?.position ?? [],
    );
    // Where they were, so that one that was among them finds its place; else right before the last one.
    const isFree =
      former.length === finished.length && former.every((one, i) => one < (former[i + 1] ?? before));
    for (const [i, { id }] of finished.entries())
      store.taps.addKeg(tapId, id, isFree ? former[i]! : Math.max(0, before - finished.length) + i);
  }
  for (const { id } of series.slice(1)) {
    // Not from a time before, when the first one was not on the tap yet.
    const poured = store.taps.kegSpans
      .ofKeg(id)
      .filter((span) => spans.some((one) => one.tapId === span.tapId && one.id < span.id));
    for (const span of poured) removeSpan(store, span.id);
  }
  for (const span of spans) {
    store.taps.kegSpans.set({ ...span, ended: null, isByCount: false });
    store.provisionalTimes.clear('keg_span_ended', span.id);
  }
  for (const keg of finished) {
    const changed = images.get(keg.id) ?? null;
    // Its end set it to that of its first drink, if that was before.
    const isExtended = keg.startedTimeMs === store.taps.kegMeasures.drinkTimes(keg.id).first;
    const startedTimeMs = (isExtended ? changed?.startedTimeMs : null) ?? keg.startedTimeMs;
    store.kegs.setState(keg.id, {
      state: 'on_tap',
      startedTimeMs,
      finishedTimeMs: null,
      ranDry: null,
    });
    store.provisionalTimes.clear('keg_finished', keg.id);
    if (changed?.events.includes('keg_ended') !== true)
      store.drinks.events.removeKegEvent(keg.id, 'keg_ended');
    undoEndEvidence(store, keg.id, changed);
  }
  recomputeSeries(
    store,
    series.map(({ id }) => id),
  );
}

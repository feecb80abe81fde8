import type { Moment } from '../../../core/clock/moment.ts';
import { type Instant, msBetween } from '../../../core/kegs/keg-spans.ts';
import type { Keg } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredSpan } from '../../../store/taps/keg-spans-table.ts';
import { removeEndEvidence } from '../keg-evidence.ts';
import { endKeg, isEmptyInSeries } from '../tap-kegs.ts';
import { removeSpan } from './keg-spans.ts';
import { placeSince, recomputeKeg } from './place-drinks.ts';

/** Whether the count of this keg may end it, or move its end, in favour of the next keg of its series. */
export const mayEndByCount = (store: Store, keg: Keg): boolean =>
  isEmptyInSeries(store, keg) ||
  (keg.inSeries && keg.state === 'finished' && countedSpans(store, keg.id).length > 0);

/**
 * Ends a keg of a series with the drink that emptied it, in the order in which they flowed; the next keg follows. After its count has
 * changed, its end moves, or it is on its taps again. Does nothing for other kegs. Call it in a transaction.
 */
export function followCount(store: Store, kegId: number, now: Moment): void {
  const keg = store.kegs.byId(kegId);
  if (keg === null) return;
  if (isEmptyInSeries(store, keg)) {
    const emptied = findEmptied(store, keg, [kegId]);
    endKeg(store, kegId, {
      at: emptied === null ? now : { ...emptied, synced: now.synced },
      isPast: emptied !== null,
    });
    for (const span of store.kegSpans.ofKeg(kegId).slice(-store.taps.all().length))
      if (span.ended !== null && (emptied === null || msBetween(span.ended, emptied) === 0))
        store.kegSpans.set({ ...span, isByCount: true });
  } else if (keg.inSeries && keg.state === 'finished') moveEnd(store, keg);
  else return;
  for (const next of followers(store, kegId)) followCount(store, next, now);
}

/** The spans of a keg that the count ended. */
const countedSpans = (store: Store, kegId: number): readonly StoredSpan[] =>
  store.kegSpans.ofKeg(kegId).filter(({ isByCount }) => isByCount);

/** The span that followed it on its tap. */
const spanAfter = (store: Store, { tapId, ended }: StoredSpan): StoredSpan | undefined =>
  store.kegSpans.ofTap(tapId).find(({ started }) => msBetween(started, ended!) === 0);

const followers = (store: Store, kegId: number): ReadonlySet<number> =>
  new Set(countedSpans(store, kegId).flatMap((span) => spanAfter(store, span)?.kegId ?? []));

/** When the drink ended that emptied the keg, among those of these kegs; null when none did. */
function findEmptied(store: Store, keg: Keg, kegIds: readonly number[]): Instant | null {
  let leftMl = keg.fullVolumeMl - keg.spilledVolumeMl;
  for (const { id, volumeMl } of store.drinks.inOrder(kegIds)) {
    leftMl -= volumeMl;
    if (leftMl <= 0) return store.drinks.flowEnd(id);
  }
  return null;
}

/** Moves the end of a keg that its count had ended to where its drinks put it now. */
function moveEnd(store: Store, keg: Keg): void {
  const spans = countedSpans(store, keg.id);
  const next = [...followers(store, keg.id)].filter((id) => store.kegs.byId(id)?.state === 'on_tap');
  const [first] = spans;
  if (first === undefined || next.length === 0) return;
  const ended = findEmptied(store, keg, [keg.id, ...next]);
  if (ended === null) {
    putBack(store, keg, spans);
    return;
  }
  const movedMs = msBetween(first.ended!, ended);
  if (movedMs === 0) return;
  const since = movedMs < 0 ? ended : first.ended!;
  for (const span of spans) {
    const after = spanAfter(store, span);
    store.kegSpans.set({ ...span, ended });
    if (after !== undefined) store.kegSpans.set({ ...after, started: ended });
  }
  store.kegs.setState(keg.id, { ...keg, finishedTimeMs: ended.wallMs });
  for (const { tapId } of spans) placeSince(store, tapId, since);
}

/** The count has something left of it, and all that flowed since was its beer. */
function putBack(store: Store, keg: Keg, spans: readonly StoredSpan[]): void {
  for (const span of spans) {
    const after = spanAfter(store, span);
    const position =
      after && store.taps.ofKeg(after.kegId).find(({ tapId }) => tapId === span.tapId)?.position;
    store.taps.addKeg(span.tapId, keg.id, Math.max(0, (position ?? 1) - 1));
    if (after !== undefined) removeSpan(store, after.id);
    store.kegSpans.set({ ...span, ended: null, isByCount: false });
    store.provisionalTimes.clear('keg_span_ended', span.id);
  }
  store.kegs.setState(keg.id, { ...keg, state: 'on_tap', finishedTimeMs: null });
  store.provisionalTimes.clear('keg_finished', keg.id);
  store.events.removeKegEvent(keg.id, 'keg_ended');
  removeEndEvidence(store, keg.id);
  for (const { tapId, ended } of spans) placeSince(store, tapId, ended!);
  recomputeKeg(store, keg.id);
}

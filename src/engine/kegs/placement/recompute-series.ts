import { msBetween } from '../../../core/clock/instant.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredSpan } from '../../../store/taps/keg-spans-table.ts';
import { updateKegEvidence } from '../keg-evidence.ts';

/** The span that followed it on its tap without a pause. */
export const spanAfter = (store: Store, { tapId, ended }: StoredSpan): StoredSpan | undefined =>
  ended === null
    ? undefined
    : store.taps.kegSpans.ofTap(tapId).find(({ started }) => msBetween(started, ended) === 0);

/**
 * Derives from their spans whether kegs are no evidence of a meter, since they emptied in a series or were taken off. Call it after
 * each change of spans, also when it is undone.
 */
export function recomputeSeries(store: Store, kegIds: Iterable<number>): void {
  for (const id of kegIds) {
    const keg = store.kegs.byId(id);
    if (keg === null) continue;
    const inSeries = store.taps.kegSpans.ofKeg(id).some((span) => isOfSeries(store, span));
    if (inSeries === keg.inSeries) continue;
    store.kegs.change(id, { inSeries });
    updateKegEvidence(store, id);
  }
}

/** A keg that was taken off before anything was poured from it is as it was. */
const isOfSeries = (store: Store, span: StoredSpan): boolean =>
  span.isFollowing ||
  spanAfter(store, span)?.isFollowing === true ||
  (span.isTakenOff && store.kegs.isUsedUntil(span.kegId, span.ended?.wallMs ?? Number.MAX_SAFE_INTEGER));

import type { KegState } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { StoredSpan } from '../../store/taps/keg-spans-table.ts';
import type { StoredEvidence } from '../../store/taps/meter-evidence-table.ts';
import type { TapKeg } from '../../store/taps/taps-table.ts';
import { removeEndEvidence, updateKegEvidence } from './keg-evidence.ts';

const kegEvents = ['keg_tapped', 'keg_ended'] as const;

/** What putting a keg on a tap, ending and reactivating it change. */
export interface KegImage {
  readonly state: KegState;
  readonly startedTimeMs: number;
  readonly finishedTimeMs: number | null;
  readonly ranDry: boolean | null;
  /** What it said about its meter. */
  readonly evidence: StoredEvidence | null;
  readonly taps: readonly KegAtTap[];
  /** When which tap poured from it. */
  readonly spans: readonly StoredSpan[];
  readonly events: readonly (typeof kegEvents)[number][];
  readonly drinks: number;
  readonly spills: number;
}

/** A tap of a keg, with the kegs that empty before it there. */
interface KegAtTap extends TapKeg {
  readonly kegsAhead: readonly number[];
}

/** A keg that had been ended before, and reactivated, stays evidence, of which the end is missing. */
export function undoEndEvidence(store: Store, kegId: number, before: KegImage | null): void {
  const evidence = store.taps.meterEvidence.byKeg(kegId);
  const former = before?.evidence ?? null;
  if (former === null || evidence === null) {
    removeEndEvidence(store, kegId);
    return;
  }
  // Most of its beer flowed through another meter at the end.
  if (evidence.meterId !== former.meterId && store.taps.meters.byId(former.meterId) !== null) {
    store.provisionalTimes.clear('meter_evidence', evidence.id);
    store.taps.meterEvidence.removeByKeg(kegId);
    const id = store.taps.meterEvidence.add(former);
    if (former.isDiscarded) store.taps.meterEvidence.setDiscarded(id, true);
  } else store.taps.meterEvidence.setMeasure(evidence.id, former);
  updateKegEvidence(store, kegId);
}

/** Nobody is notified again. */
export function restoreEvents(store: Store, kegId: number, before: KegImage | null): void {
  for (const kind of kegEvents) {
    const isThere = store.drinks.events.hasKegEvent(kegId, kind);
    if (before?.events.includes(kind) !== true) store.drinks.events.removeKegEvent(kegId, kind);
    else if (!isThere) {
      const timeMs = kind === 'keg_tapped' ? before.startedTimeMs : before.finishedTimeMs;
      store.drinks.events.add({ kind, timeMs: timeMs ?? before.startedTimeMs, kegId });
    }
  }
}

export function restoreKeg(store: Store, kegId: number, keg: KegImage): void {
  if (keg.state !== 'finished') store.provisionalTimes.clear('keg_finished', kegId);
  if (keg.state === 'available') store.provisionalTimes.clear('keg_started', kegId);
  store.kegs.setState(kegId, keg);
}

export function readImage(store: Store, kegId: number): KegImage | null {
  const keg = store.kegs.byId(kegId);
  if (keg === null) return null;
  return {
    state: keg.state,
    startedTimeMs: keg.startedTimeMs,
    finishedTimeMs: keg.finishedTimeMs,
    ranDry: keg.ranDry,
    evidence: store.taps.meterEvidence.byKeg(kegId),
    spans: store.taps.kegSpans.ofKeg(kegId),
    taps: store.taps.ofKeg(kegId).map(({ tapId, position }) => ({
      tapId,
      position,
      kegsAhead: kegsAt(store, tapId).flatMap((one) => (one.position < position ? [one.kegId] : [])),
    })),
    events: kegEvents.filter((kind) => store.drinks.events.hasKegEvent(kegId, kind)),
    drinks: store.drinks.totals.pours('keg', kegId),
    spills: store.drinks.spills.countByKeg(kegId),
  };
}

/** The keg after staff changed its state last, before the count ended it; null when nothing is known of that. */
export function imageAfterChange(store: Store, kegId: number): KegImage | null {
  const id = store.drinks.corrections.latestOf('keg', { kind: 'keg', id: kegId });
  const correction = id === null ? null : store.drinks.corrections.byId(id);
  return correction && (JSON.parse(correction.after) as { readonly keg: KegImage }).keg;
}

export const tapIds = ({ taps }: KegImage): string => taps.map(({ tapId }) => tapId).join();

/** The kegs at a tap with their positions. */
export function kegsAt(store: Store, tapId: number) {
  const { kegId, kegIdsBehind } = store.taps.byId(tapId)!;
  return [...(kegId === null ? [] : [kegId]), ...kegIdsBehind].map((id) => ({
    kegId: id,
    position: store.taps.ofKeg(id).find((one) => one.tapId === tapId)!.position,
  }));
}

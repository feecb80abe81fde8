import { AppError } from '../../core/app-error.ts';
import { type Moment, momentAt } from '../../core/clock/moment.ts';
import type { Keg } from '../../core/records.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import type { StoredSpan } from '../../store/taps/keg-spans-table.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { requireFound } from '../shared/bounds.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';
import { restoreKegEvidence } from './keg-evidence.ts';
import {
  type KegImage,
  kegsAt,
  readImage,
  restoreEvents,
  restoreKeg,
  tapIds,
  undoEndEvidence,
} from './keg-image.ts';
import { followTap, removeSpan, toInstant } from './placement/keg-spans.ts';
import { placeSince } from './placement/place-drinks.ts';
import { recomputeSeries } from './placement/recompute-series.ts';
import { followTapCount, rewindCount } from './placement/series.ts';

/** What is announced on a tap. */
interface NextOnTap {
  readonly tapId: number;
  readonly kegId: number | null;
  readonly beverageId: number | null;
}

/** A keg before a change, null when the change created it, and the announcements that the change removed. */
interface Before {
  readonly keg: KegImage | null;
  readonly next: readonly NextOnTap[];
}

/** The keg after the change. */
interface After {
  readonly kegId: number;
  readonly keg: KegImage;
  /** When the change was made at the tap. */
  readonly at: Moment;
}

interface KegStateChange {
  readonly action: string;
  readonly kegId: number | null;
  /** When it was made at the tap, Unix milliseconds; default: now. */
  readonly changedAtMs?: number | undefined;
}

/**
 * Runs a change of a keg's state like `auditedChange`; with a context it can be undone by the id of its entry. `kegId` is
 * null when the change creates the keg or finds it.
 */
export function correctableKegChange(
  parts: EngineParts,
  context: ActorContext | undefined,
  { action, kegId, changedAtMs }: KegStateChange,
  work: () => Keg,
): Keg {
  const { store } = parts;
  let before: Before = { keg: null, next: [] };
  let after: After | undefined;
  const subject = {
    action,
    kind: 'keg',
    id: kegId ?? ((keg: Keg) => keg.id),
    snapshot: (id: number) => {
      const keg = store.kegs.byId(id);
      return keg && { ...keg, taps: tapNames(store, id) };
    },
    logged(id: number) {
      if (after === undefined || JSON.stringify(before.keg) === JSON.stringify(after.keg)) return;
      addCorrection(parts, {
        id,
        kind: 'keg',
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      });
    },
  };
  return auditedChange(parts, context, subject, () => {
    const next = listNext(store);
    const keg = kegId === null ? null : readImage(store, kegId);
    const changed = work();
    const left = listNext(store).map(({ tapId }) => tapId);
    before = { keg, next: next.filter(({ tapId }) => !left.includes(tapId)) };
    const now = context?.now;
    const agoMs = now === undefined || changedAtMs === undefined ? 0 : now.wallMs - changedAtMs;
    if (now !== undefined)
      after = {
        kegId: changed.id,
        keg: readImage(store, changed.id)!,
        at: momentAt(now, now.monoMs - Math.max(0, agoMs)),
      };
    const taps = new Set([...(keg?.taps ?? []), ...store.taps.ofKeg(changed.id)].map(({ tapId }) => tapId));
    if (now !== undefined) for (const tapId of taps) followTapCount(store, tapId, now);
    return store.kegs.byId(changed.id)!;
  });
}

/**
 * Undoes a change of a keg's state; one that created the keg deletes it. Throws `conflict` when the keg was changed or
 * poured from since, or its tap has another keg. Call it in a transaction. Returns the keg afterwards; null when it is
 * deleted.
 */
export function undoKegChange(store: Store, correction: CorrectionRow, now: Moment): Keg | null {
  const before = JSON.parse(correction.before) as Before;
  const after = JSON.parse(correction.after) as After;
  const { kegId } = after;
  const atTaps = [...(before.keg?.taps ?? []), ...after.keg.taps];
  const taps = new Set(atTaps.map(({ tapId }) => tapId));
  const kegsAhead = new Set(atTaps.flatMap((one) => one.kegsAhead));
  for (const tapId of taps) rewindCount(store, tapId, { at: toInstant(after.at), kegsAhead });
  requireUnchanged(store, after);
  const neighbours = new Set([kegId, ...[...taps].flatMap((tapId) => recentKegs(store, tapId))]);
  store.taps.removeKegEverywhere(kegId);
  if (before.keg !== null) putBack(store, kegId, before.keg);
  const spans = before.keg?.spans ?? [];
  const reopened = restoreSpans(store, after, spans);
  for (const tapId of taps) {
    // Another keg was on the tap meanwhile: this one is there again from now on.
    const isSince = store.taps.byId(tapId)?.kegId === kegId && !reopened.has(tapId);
    followTap(store, tapId, isSince && before.keg?.state === 'on_tap' ? now : after.at, true);
    const ends = spans.flatMap((span) =>
      span.tapId === tapId && span.ended !== null ? [span.ended.wallMs] : [],
    );
    const at = toInstant(after.at);
    // Putting it on again may have moved what flowed since it was taken off.
    placeSince(store, tapId, { ...at, wallMs: Math.min(at.wallMs, ...ends) });
  }
  recomputeSeries(store, neighbours);
  if (before.keg === null || before.keg.state === 'available') requireUnused(store, kegId, before.keg);
  restoreEvents(store, kegId, before.keg);
  const isEnd = after.keg.state === 'finished';
  if (before.keg === null) removeKeg(store, kegId);
  else restoreKeg(store, kegId, before.keg);
  if (isEnd) undoEndEvidence(store, kegId, before.keg);
  // It was reactivated by mistake.
  if (before.keg?.state === 'finished' && before.keg.evidence !== null) restoreKegEvidence(store, kegId, now);
  for (const { tapId, ...next } of before.next) {
    const tap = store.taps.byId(tapId);
    if (tap !== null && tap.nextKegId === null && tap.nextBeverageId === null)
      store.taps.setNext(tapId, next);
  }
  for (const tapId of taps) followTapCount(store, tapId, now);
  return store.kegs.byId(kegId);
}

/** Kegs that a tap poured from lately. */
const recentKegs = (store: Store, tapId: number): readonly number[] =>
  store.taps.kegSpans.recent(tapId).map((span) => span.kegId);

/** Deletes a keg with the marks of its provisional times. */
export function removeKeg(store: Store, kegId: number): void {
  for (const kind of ['keg_created', 'keg_started', 'keg_finished'] as const) {
    store.provisionalTimes.clear(kind, kegId);
  }
  store.kegs.remove(kegId);
}

/** Connects the keg to its former taps. Throws `conflict` where another one took its place. */
function putBack(store: Store, kegId: number, keg: KegImage): void {
  for (const { tapId, position, kegsAhead } of keg.taps) {
    const tap = requireFound(store.taps.byId(tapId), `tap ${tapId}`);
    // Behind the kegs that were before it, and before those that were behind it.
    const inPlace = kegsAt(store, tapId).find(
      (one) => one.position === position || (one.position < position && !kegsAhead.includes(one.kegId)),
    );
    if (inPlace !== undefined) {
      throw new AppError('conflict', `Keg ${inPlace.kegId} is on tap “${tap.name}” since: end it first.`, {
        reason: { name: 'tap_has_keg', keg: inPlace.kegId, tap: tap.name },
      });
    }
    store.taps.addKeg(tapId, kegId, position);
  }
}

/**
 * Restores when the taps poured from the keg; those that pour from it again do not pour from the keg that followed it. Where other kegs
 * came and went since, their times stay, and its own end. Returns the taps that poured from it all the time.
 */
function restoreSpans(store: Store, { kegId }: After, before: readonly StoredSpan[]): ReadonlySet<number> {
  const reopened = new Set<number>();
  for (const { id } of store.taps.kegSpans.ofKeg(kegId))
    if (!before.some((span) => span.id === id)) removeSpan(store, id);
  for (const { id, tapId, ended, isByCount, isTakenOff } of before) {
    const spans = store.taps.kegSpans.ofTap(tapId);
    const current = spans.find((span) => span.id === id);
    if (current === undefined) continue;
    if (ended === null) {
      const [follower, ...others] = spans.filter((span) => span.id > id);
      if (others.length > 0 || (follower !== undefined && follower.ended !== null)) continue;
      if (follower !== undefined) removeSpan(store, follower.id);
      store.provisionalTimes.clear('keg_span_ended', id);
      reopened.add(tapId);
    }
    store.taps.kegSpans.set({ ...current, ended, isByCount, isTakenOff });
  }
  return reopened;
}

function requireUnchanged(store: Store, { kegId, keg }: After): void {
  const now = readImage(store, kegId);
  if (now === null) {
    throw new AppError('conflict', `This cannot be undone: keg ${kegId} is gone.`, {
      reason: { name: 'keg_gone', keg: kegId },
    });
  }
  if (now.state === keg.state && tapIds(now) === tapIds(keg)) return;
  throw new AppError('conflict', `Keg ${kegId} was put on a tap or ended again since: undo that first.`, {
    reason: { name: 'keg_changed_since', keg: kegId },
  });
}

/** A keg that was put on a tap by mistake has no drinks left but those that staff assigned to it. */
function requireUnused(store: Store, kegId: number, before: KegImage | null): void {
  const drinks = Math.max(0, store.drinks.totals.pours('keg', kegId) - (before?.drinks ?? 0));
  const spills = Math.max(0, store.drinks.spills.countByKeg(kegId) - (before?.spills ?? 0));
  if (drinks + spills === 0) return;
  throw new AppError(
    'conflict',
    `This cannot be undone: drinks or spills were assigned to keg ${kegId} since (drinks: ${drinks}, spills: ${spills}).`,
    { reason: { name: 'keg_assigned_since', keg: kegId, drinks, spills } },
  );
}

/** For the audit log. */
const tapNames = (store: Store, kegId: number): string =>
  store.taps
    .ofKeg(kegId)
    .map(({ tapId }) => store.taps.anyName(tapId) ?? '')
    .join(', ');

const listNext = (store: Store): readonly NextOnTap[] =>
  store.taps
    .all()
    .filter(({ nextKegId, nextBeverageId }) => nextKegId !== null || nextBeverageId !== null)
    .map(({ id, nextKegId, nextBeverageId }) => ({
      tapId: id,
      kegId: nextKegId,
      beverageId: nextBeverageId,
    }));

import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { canChangeKegState, remainingMl } from '../../core/kegs/keg-volume.ts';
import type { Keg, KegState } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { TapRecord } from '../../store/taps/taps-table.ts';
import { requireFound } from '../shared/bounds.ts';
import { addEvent } from '../shared/queue-news.ts';
import { addKegEvidence, updateKegEvidence } from './keg-evidence.ts';
import { followTap, toInstant } from './placement/keg-spans.ts';
import { placeSince } from './placement/place-drinks.ts';
import { recomputeSeries } from './placement/recompute-series.ts';

/** Kegs at one tap, and taps at one keg: more than any bar connects. */
export const maxConnected = 16;

/** What staff say of a keg that they end. */
export interface KegEnd {
  /** Whether it is empty, or was taken off early. */
  readonly ranDry?: boolean | undefined;
}

/** When a keg was put on a tap or taken off. */
export interface KegChangeTime {
  readonly at: Moment;
  /** True: before now, so that what flowed since comes from another keg than recorded. */
  readonly isPast: boolean;
}

const requireKeg = (store: Store, id: number): Keg => requireFound(store.kegs.byId(id), `keg ${id}`);
const requireTap = (store: Store, id: number): TapRecord => requireFound(store.taps.byId(id), `tap ${id}`);

/** Puts an available keg on an empty tap. Throws `conflict`. */
export function attachKeg(store: Store, tapId: number, kegId: number, time: KegChangeTime): Keg {
  const tap = requireTap(store, tapId);
  const { state } = requireKeg(store, kegId);
  if (tap.kegId !== null) {
    throw new AppError('conflict', `Keg ${tap.kegId} is still on tap "${tap.name}": end it first.`, {
      reason: { name: 'tap_has_keg', keg: tap.kegId, tap: tap.name },
    });
  }
  if (!canChangeKegState(state, 'on_tap')) throw cannotTapError(kegId, state);
  return startKeg(store, tap, kegId, time);
}

/**
 * Connects a further keg to a tap: an available one, which is poured from when those before it are empty, or one that is on other
 * taps too (a split line). All kegs at a tap have the same beverage. Throws `conflict`.
 */
export function connectKeg(store: Store, tapId: number, kegId: number, time: KegChangeTime): Keg {
  const tap = requireTap(store, tapId);
  const keg = requireKeg(store, kegId);
  const taps = store.taps.ofKeg(kegId);
  if (keg.state === 'finished') throw cannotTapError(kegId, keg.state);
  if (taps.some((one) => one.tapId === tapId)) {
    throw new AppError('conflict', `Keg ${kegId} is on tap “${tap.name}” already.`, {
      reason: { name: 'keg_on_tap_already', keg: kegId, tap: tap.name },
    });
  }
  const first = tap.kegId === null ? null : requireKeg(store, tap.kegId);
  if (first !== null && first.beverageId !== keg.beverageId) {
    throw new AppError(
      'conflict',
      `Tap “${tap.name}” has another beverage: only kegs of the same one can be connected to it.`,
      { reason: { name: 'other_beverage', tap: tap.name } },
    );
  }
  const kegs = first === null ? 0 : tap.kegIdsBehind.length + 1;
  if (Math.max(kegs, taps.length) >= maxConnected) {
    throw new AppError(
      'conflict',
      `At most ${maxConnected} kegs are connected to one tap, and at most ${maxConnected} taps to one keg.`,
      { reason: { name: 'too_many_connected', most: maxConnected } },
    );
  }
  if (keg.state === 'available') return startKeg(store, tap, kegId, time);
  store.taps.addKeg(tapId, kegId);
  changeTap(store, tapId, time);
  return keg;
}

/** Takes a keg off one tap. It stays on its other taps; without any, it is in stock again, with what is left of it. */
export function disconnectKeg(store: Store, tapId: number, kegId: number, time: KegChangeTime): Keg {
  const tap = requireTap(store, tapId);
  const keg = requireKeg(store, kegId);
  const taps = store.taps.ofKeg(kegId);
  requireFound(taps.find((one) => one.tapId === tapId) ?? null, `keg ${kegId} on tap “${tap.name}”`);
  if (taps.length === 1) {
    if (store.drinks.totals.pours('keg', kegId) + store.drinks.spills.countByKeg(kegId) > 0) {
      takeOffKeg(store, tap, keg);
      changeTap(store, tapId, time);
      markTakenOff(store, tapId, kegId);
      return requireKeg(store, kegId);
    }
    store.kegs.setState(kegId, {
      state: 'available',
      startedTimeMs: keg.createdTimeMs,
      finishedTimeMs: null,
    });
    store.provisionalTimes.clear('keg_started', kegId);
    store.drinks.events.removeKegEvent(kegId, 'keg_tapped');
  }
  store.taps.removeKeg(tapId, kegId);
  changeTap(store, tapId, time);
  markTakenOff(store, tapId, kegId);
  return requireKeg(store, kegId);
}

/** Put on again, the keg was not on the tap meanwhile. */
function markTakenOff(store: Store, tapId: number, kegId: number): void {
  const span = store.taps.kegSpans.ofKeg(kegId).findLast((one) => one.tapId === tapId);
  if (span !== undefined) store.taps.kegSpans.set({ ...span, isTakenOff: true });
  recomputeSeries(store, [kegId]);
}

/** Finishes a keg and takes it off its taps, which then pour from the kegs behind it; a finished keg stays unchanged. */
export function endKeg(store: Store, kegId: number, time: KegChangeTime, { ranDry }: KegEnd = {}): Keg {
  const { at } = time;
  const { state, startedTimeMs } = requireKeg(store, kegId);
  if (state === 'finished') return requireKeg(store, kegId);
  const taps = store.taps.ofKeg(kegId).map(({ tapId }) => requireTap(store, tapId));
  // Staff were asked after gas came out of the tap, and this is an answer.
  const wasAsked = store.taps.emptyKegs.all().some((one) => one.kegId === kegId);
  store.taps.removeKegEverywhere(kegId);
  for (const { id } of taps) changeTap(store, id, time);
  store.taps.clearNextKeg(kegId);
  const finishedTimeMs = toStoredTime(store, at);
  store.kegs.setState(kegId, {
    state: 'finished',
    startedTimeMs,
    finishedTimeMs,
    ranDry: ranDry ?? (wasAsked ? true : null),
  });
  store.provisionalTimes.note('keg_finished', kegId, at);
  store.kegs.extendTimeSpan(kegId);
  addEventOnce(store, 'keg_ended', kegId, at);
  if (taps.length > 0) addKegEvidence(store, kegId, at);
  // It was ended on a tap before, and reactivated.
  else updateKegEvidence(store, kegId);
  return requireKeg(store, kegId);
}

/**
 * Whether nothing is left of a keg by the count while another one follows it. It is to be ended then: nothing shows where the beer of
 * one ends and that of the next begins.
 */
export const isEmptyInSeries = (store: Store, keg: Keg): boolean =>
  keg.state === 'on_tap' && remainingMl(keg) <= 0 && hasFollower(store, keg.id);

/** Whether a keg that is poured from has another one behind it. */
export const hasFollower = (store: Store, kegId: number): boolean =>
  store.taps.ofKeg(kegId).some(({ tapId }) => {
    const tap = store.taps.byId(tapId);
    return tap?.kegId === kegId && tap.kegIdsBehind.length > 0;
  });

/** Follows a change of a tap's kegs. */
function changeTap(store: Store, tapId: number, { at, isPast }: KegChangeTime): void {
  const since = followTap(store, tapId, at, isPast) ?? (isPast ? toInstant(at) : null);
  if (since !== null) placeSince(store, tapId, since);
}

function startKeg(store: Store, tap: TapRecord, kegId: number, time: KegChangeTime): Keg {
  const { at } = time;
  const startedTimeMs = toStoredTime(store, at);
  store.taps.emptyKegs.removeKeg(kegId);
  store.taps.addKeg(tap.id, kegId);
  changeTap(store, tap.id, time);
  clearNext(store, tap, requireKeg(store, kegId));
  store.kegs.setState(kegId, { state: 'on_tap', startedTimeMs, finishedTimeMs: null });
  store.provisionalTimes.note('keg_started', kegId, at);
  addEventOnce(store, 'keg_tapped', kegId, at);
  return requireKeg(store, kegId);
}

/** Clears announcements that are fulfilled: this keg on any tap, its beverage on this tap. */
function clearNext(store: Store, tap: TapRecord, { id, beverageId }: Keg): void {
  store.taps.clearNextKeg(id);
  if (tap.nextBeverageId === beverageId) store.taps.setNext(tap.id, { kegId: null, beverageId: null });
}

export function toStoredTime(store: Store, now: Moment): number {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  return Math.round(now.wallMs);
}

/** Each keg gets one tapped and one ended event, even when it is reactivated. */
function addEventOnce(store: Store, kind: 'keg_tapped' | 'keg_ended', kegId: number, now: Moment): void {
  if (store.drinks.events.hasKegEvent(kegId, kind)) return;
  store.provisionalTimes.note('event', addEvent(store, { kind, timeMs: Math.round(now.wallMs), kegId }), now);
}

function cannotTapError(kegId: number, state: KegState): AppError {
  return state === 'on_tap'
    ? new AppError('conflict', `Keg ${kegId} is on another tap already: end it there first.`, {
        reason: { name: 'keg_on_other_tap', keg: kegId },
      })
    : new AppError('conflict', `Keg ${kegId} is finished: reactivate it before it goes on a tap again.`, {
        reason: { name: 'keg_finished', keg: kegId },
      });
}

/**
 * Takes a keg that was poured from off its only tap before it is empty: it is in stock again with what is left, keeps its drinks and
 * the time at which it was tapped, and can be put on a tap again. The kegs behind it follow. It is no evidence of a meter then, nor
 * is the keg that follows (`recomputeSeries`): nobody knows whose beer stands in the line.
 */
function takeOffKeg(store: Store, tap: TapRecord, { id, startedTimeMs }: Keg): void {
  store.taps.removeKeg(tap.id, id);
  store.kegs.setState(id, { state: 'available', startedTimeMs, finishedTimeMs: null });
}

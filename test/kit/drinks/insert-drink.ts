import type { Moment } from '../../../src/core/clock/moment.ts';
import type { DrinkPart } from '../../../src/core/kegs/keg-spans.ts';
import { crossesLowMark } from '../../../src/core/kegs/keg-volume.ts';
import type { RateDefault } from '../../../src/core/measurement/tap-rate.ts';
import { drinkSpan, joinSpans } from '../../../src/core/pours/session-rules.ts';
import type { Drink, PourSource } from '../../../src/core/records.ts';
import { assignSession } from '../../../src/engine/drinks/sessions/assign-session.ts';
import { updateEvidenceWith } from '../../../src/engine/kegs/keg-evidence.ts';
import { normalizeTokenText } from '../../../src/engine/users/resolve-user.ts';
import type { Store } from '../../../src/store/store.ts';

/** A drink to be inserted. */
export interface InsertedDrink {
  /** A tap's id, or the name of a meter; the left tap unless given. */
  readonly tap?: number | string;
  readonly ticks?: number;
  /** Computed from the ticks unless given. */
  readonly volumeMl?: number;
  /** An unknown name is stored as that of a claim. */
  readonly username?: string | undefined;
  /** Stored in its normal form; whose it is says `username`, and nobody notices it as unknown. */
  readonly authToken?: string;
  /** Time between its end and `now`, milliseconds. */
  readonly agoMs?: number;
  readonly durationMs?: number;
  readonly series?: string;
  readonly shout?: string;
  readonly source?: PourSource;
  readonly pourId?: string;
  /** That of the tap at that time unless given. */
  readonly kegId?: number | null;
  readonly parts?: readonly DrinkPart[];
  /** Of a pour that is held; without a tap it always is. */
  readonly heldReason?: string;
  readonly gasTicks?: number;
  readonly foamTicks?: number;
  readonly gasOnsetMs?: number | null;
  readonly rateDefault?: RateDefault;
  readonly ticksLost?: number | null;
  readonly rejectedEdges?: number;
  readonly recovered?: boolean;
  readonly flowWhileShut?: boolean;
  readonly timeCertain?: boolean;
}

/**
 * Writes a drink, its session and its events as the store has them after the pour, for tests whose subject is something else: nothing
 * is measured, judged, published, sent, or noticed by an extension. Without options it is a report of 300 ticks through
 * `pi.flow0` that ended at `now`. Sessions that it joins, and the evidence of a keg that had ended, are changed by their own functions of the
 * engine. A drink that empties a keg with another one behind it must be poured.
 */
export const insertDrink = (store: Store, options: InsertedDrink, now: Moment): Drink =>
  // As a pour is written: what the store keeps of other records stays, and must not depend on drinks.
  store.recording(() => {
    const { ticks = 300, agoMs = 0, username, source = 'post' } = options;
    const { tapId, meter } = resolveTap(store, options.tap ?? 'pi.flow0');
    const heldReason = options.heldReason ?? (tapId === null ? 'unbound_meter' : null);
    const pourTimeMs = Math.max(0, Math.round(now.wallMs - agoMs));
    const kegId =
      heldReason !== null
        ? null
        : options.kegId === undefined
          ? findKeg(store, tapId, pourTimeMs)
          : options.kegId;
    const user = username === undefined ? null : store.users.byName(username);
    const {
      durationMs = 0,
      series = null,
      shout = null,
      authToken = null,
      gasTicks = 0,
      foamTicks = 0,
    } = options;
    const volumeMl = options.volumeMl ?? (ticks - gasTicks) / (meter?.ticksPerMl ?? 1);
    if (meter !== null) store.taps.meters.count(meter.id, ticks, now.synced ? pourTimeMs : null);
    if (now.synced) store.site.raiseNewestSynced(now.wallMs);
    const sessionId = heldReason === null ? joinSession(store, pourTimeMs, volumeMl) : null;
    const drink = {
      tapId,
      kegId,
      parts: options.parts ?? null,
      isKegAssigned: options.kegId !== undefined,
      heldReason,
      userId: user?.id ?? null,
      claimedUsername: user === null ? (username ?? null) : null,
      authToken: authToken === null ? null : normalizeTokenText(authToken),
      ticks,
      volumeMl,
      volumeGiven: options.volumeMl !== undefined,
      pourTimeMs,
      timeCertain: options.timeCertain ?? now.synced,
      bootId: now.bootId,
      endMonoMs: now.monoMs - agoMs,
      durationMs: Math.round(durationMs),
      series,
      gasTicks,
      foamTicks,
      gasOnsetMs: options.gasOnsetMs ?? null,
      pourId: options.pourId ?? null,
      meter: meter?.name ?? null,
      ticksLost: options.ticksLost ?? null,
      rejectedEdges: options.rejectedEdges ?? 0,
      rateDefault: options.rateDefault ?? null,
      shout,
      recovered: options.recovered ?? false,
      flowWhileShut: options.flowWhileShut ?? false,
      source,
      isSetAside: false,
    };
    const id = store.drinks.add(drink, sessionId);
    if (sessionId !== null) addEvents(store, { ...drink, id, sessionId });
    if (kegId !== null) updateEvidenceWith(store, kegId, pourTimeMs);
    return store.drinks.byId(id)!;
  });

/** A pour of our own pins: 300 ticks in ten seconds through `pi.flow0` unless said otherwise. */
export const insertPour = (store: Store, options: InsertedDrink, now: Moment): Drink =>
  insertDrink(
    store,
    { source: 'pin', durationMs: 10_000, series: '0:150 5000:150', ticksLost: 0, ...options },
    now,
  );

function resolveTap(store: Store, ref: number | string) {
  if (typeof ref === 'number') {
    if (store.taps.byId(ref) === null) throw new Error(`There is no tap ${ref}.`);
    return { tapId: ref, meter: store.taps.meters.byTap(ref) };
  }
  const meter = store.taps.meters.byName(ref);
  if (meter === null) throw new Error(`There is no meter ${ref}.`);
  return { tapId: meter.tapId, meter };
}

/** The keg that was on the tap then by the wall clock. */
function findKeg(store: Store, tapId: number | null, timeMs: number): number | null {
  const spans = tapId === null ? [] : store.taps.kegSpans.ofTap(tapId);
  const span = spans.find(
    ({ started, ended }) => started.wallMs <= timeMs && (ended === null || timeMs < ended.wallMs),
  );
  return span?.kegId ?? null;
}

function joinSession(store: Store, timeMs: number, volumeMl: number): number {
  const own = drinkSpan(timeMs, store.drinks.sessionTimeouts.all());
  const [session, other] = store.drinks.sessions.overlapping(own);
  if (other !== undefined) return assignSession(store, { timeMs, volumeMl }).sessionId;
  if (session === undefined)
    return store.drinks.sessions.add({ ...own, volumeMl, timeZone: store.site.read().timeZone });
  const span = joinSpans([session, own]);
  store.drinks.sessions.setSpan(session.id, { ...span, volumeMl: session.volumeMl + volumeMl });
  if (span.startTimeMs !== session.startTimeMs)
    store.drinks.events.setSessionStart(session.id, span.startTimeMs);
  return session.id;
}

interface StoredDrink extends Pick<Drink, 'id' | 'kegId' | 'parts' | 'volumeMl' | 'pourTimeMs'> {
  readonly userId: number | null;
  readonly sessionId: number;
}

function addEvents(store: Store, { id: drinkId, kegId, sessionId, userId, ...drink }: StoredDrink): void {
  const { events } = store.drinks;
  const { pourTimeMs: timeMs } = drink;
  const keg = kegId === null ? null : store.kegs.byId(kegId)!;
  if (keg?.state === 'on_tap' && !events.hasKegEvent(keg.id, 'keg_tapped'))
    events.add({ kind: 'keg_tapped', timeMs: keg.startedTimeMs, kegId });
  const start = events.start(sessionId);
  if (start === null) events.add({ kind: 'session_started', timeMs, drinkId, sessionId, userId });
  else if (timeMs < start.pourTimeMs) events.setDrink(start.id, drinkId, timeMs);
  if (!store.drinks.hasOther(drinkId, sessionId, userId))
    events.add({ kind: 'session_joined', timeMs, drinkId, sessionId, userId });
  events.add({ kind: 'drink_poured', timeMs, drinkId, kegId, sessionId, userId });
  const kegMl = drink.parts?.find((part) => part.kegId === kegId)?.volumeMl ?? drink.volumeMl;
  if (keg !== null && crossesLowMark(keg, kegMl, store.site.read().kegLowPercent / 100))
    events.add({ kind: 'keg_volume_low', timeMs, drinkId, kegId, sessionId, userId });
}

import { pourStarts } from '../../core/measurement/pour-starts.ts';
import type { Drink, PourSource } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { createHeldReasons, type HeldReasons } from '../shared/held-reasons.ts';
import { drinkCorrections } from './drink-corrections.ts';
import { drinkLists } from './drink-lists.ts';
import { drinkPlacements, type Placement, toBoundPlacement } from './drink-placements.ts';
import { type DrinkRow, formatParts, selectDrinks as select, toClaimKey, toDrink } from './drink-row.ts';
import { drinkTimes } from './drink-times.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** A drink to be written: with the user's id, and its end on the monotonic clock. */
export interface NewDrink extends Omit<Drink, 'id' | 'username' | 'isValid'> {
  readonly userId: number | null;
  readonly bootId: string;
  readonly endMonoMs: number;
}

/** What its session needs to know of a drink. */
interface SessionDrink {
  readonly id: number;
  readonly userId: number | null;
  readonly pourTimeMs: number;
  readonly volumeMl: number;
  readonly source: PourSource;
}

/** Recorded pours, including held ones. Every write keeps the totals up to date. */
export function drinksTable(
  db: Database,
  totals: DrinkTotalsTable,
  reasons: HeldReasons = createHeldReasons(),
) {
  const byId = db.prepare<[number], DrinkRow>(`${select} WHERE d.id = ?`);
  const byPourId = db.prepare<[string], DrinkRow>(`${select} WHERE d.pour_id = ?`);
  // Positional parameters: binding two dozen names takes longer than writing the row.
  const insert = db.prepare(
    `INSERT INTO drinks (tap_id, keg_id, parts, keg_assigned, session_id, user_id, claimed_username, claimed_username_key, auth_token, ticks, volume_ml,
       volume_given, pour_time_ms, time_certain, boot_id, end_mono_ms, duration_ms, is_valid, held_reason, pour_id,
       meter, ticks_lost, rejected_edges, series, rise_hz, flow_ms, gas_ticks, foam_ticks, gas_onset_ms, rate_default, shout, recovered, flow_while_shut, source,
       is_set_aside)
     VALUES (${'?, '.repeat(34)}?)`,
  );
  const remove = db.prepare<[number]>('DELETE FROM drinks WHERE id = ?');
  const accept = db.prepare<{
    id: number;
    tapId: number | null;
    kegId: number | null;
    parts: string | null;
    assigned: number;
    sessionId: number;
    userId: number | null;
  }>(
    `UPDATE drinks SET is_valid = 1, held_reason = NULL, is_set_aside = 0, tap_id = @tapId, keg_id = @kegId, parts = @parts,
       keg_assigned = @assigned, session_id = @sessionId, user_id = @userId WHERE id = @id`,
  );
  const setAside = db.prepare<{ id: number; reason: string }>(
    `UPDATE drinks SET is_valid = 0, held_reason = @reason, is_set_aside = 1, keg_id = NULL, parts = NULL, session_id = NULL
     WHERE id = @id`,
  );
  const setUser = db.prepare<{ id: number; userId: number | null }>(
    'UPDATE drinks SET user_id = @userId WHERE id = @id',
  );
  const setVolume = db.prepare<{ id: number; ml: number }>(
    'UPDATE drinks SET volume_ml = @ml, volume_given = 1 WHERE id = @id',
  );
  const setSession = db.prepare<{ id: number; sessionId: number }>(
    'UPDATE drinks SET session_id = @sessionId WHERE id = @id',
  );
  const userId = db.prepare<[number], number | null>('SELECT user_id FROM drinks WHERE id = ?').pluck();
  const hasOther = db
    .prepare<[sessionId: number, userId: number | null, id: number], number>(
      'SELECT 1 FROM drinks WHERE session_id = ? AND user_id IS ? AND id <> ? LIMIT 1',
    )
    .pluck();
  const bySession = db.prepare<[number], SessionDrink>(
    `SELECT id, user_id AS userId, pour_time_ms AS pourTimeMs, volume_ml AS volumeMl, source FROM drinks
     WHERE session_id = ?`,
  );
  const cancelled = db
    .prepare<[string], string>('SELECT drink FROM cancelled_pours WHERE pour_id = ?')
    .pluck();
  const addCancelled = db.prepare<[string, string]>(
    'INSERT INTO cancelled_pours (pour_id, drink) VALUES (?, ?)',
  );
  return {
    ...drinkCorrections(db, totals),
    ...drinkPlacements(db, totals),
    ...drinkLists(db),
    ...drinkTimes(db, totals),
    byId: (id: number): Drink | null => toDrink(byId.get(id)),
    byPourId: (pourId: string): Drink | null => toDrink(byPourId.get(pourId)),
    add(drink: Omit<NewDrink, 'sessionId'>, sessionId: number | null): number {
      if (drink.heldReason !== null) reasons.require(drink.heldReason);
      const { riseHz, flowMs } = pourStarts(drink);
      const { lastInsertRowid } = insert.run(
        drink.tapId,
        drink.kegId,
        formatParts(drink.parts),
        Number(drink.isKegAssigned),
        sessionId,
        drink.userId,
        drink.claimedUsername,
        toClaimKey(drink.claimedUsername),
        drink.authToken,
        drink.ticks,
        drink.volumeMl,
        Number(drink.volumeGiven),
        drink.pourTimeMs,
        Number(drink.timeCertain),
        drink.bootId,
        drink.endMonoMs,
        drink.durationMs,
        Number(drink.heldReason === null),
        drink.heldReason,
        drink.pourId,
        drink.meter,
        drink.ticksLost,
        drink.rejectedEdges,
        drink.series,
        riseHz,
        flowMs,
        drink.gasTicks,
        drink.foamTicks,
        drink.gasOnsetMs,
        drink.rateDefault,
        drink.shout,
        Number(drink.recovered),
        Number(drink.flowWhileShut),
        drink.source,
        Number(drink.isSetAside),
      );
      const id = Number(lastInsertRowid);
      const { tapId, kegId, parts, userId, volumeMl, pourTimeMs } = drink;
      if (sessionId !== null)
        totals.add({ id, tapId, kegId, parts, sessionId, userId, volumeMl, pourTimeMs }, 1);
      return id;
    },
    remove: (id: number): void => void totals.writing(id, () => remove.run(id)),
    /** Makes a held drink valid. */
    accept: (
      id: number,
      {
        placement,
        ...as
      }: {
        tapId: number | null;
        placement: Placement;
        sessionId: number;
        userId: number | null;
      },
    ): void => void totals.writing(id, () => accept.run({ id, ...as, ...toBoundPlacement(placement) })),
    /** Makes a drink, or a held pour, no drink and nothing to review: it leaves keg and session. */
    setAside: (id: number, reason: string): void =>
      void totals.writing(id, () => setAside.run({ id, reason: reasons.require(reason) })),
    userId: (id: number): number | null => userId.get(id) ?? null,
    setUser: (id: number, to: number | null): void =>
      totals.writingUser(id, () => setUser.run({ id, userId: to })),
    setVolume: (id: number, ml: number): void => void totals.writing(id, () => setVolume.run({ id, ml })),
    setSession: (id: number, sessionId: number): void =>
      void totals.writing(id, () => setSession.run({ id, sessionId })),
    /** True if the user (null: unknown) has another drink in the session. */
    hasOther: (id: number, sessionId: number, userId: number | null): boolean =>
      hasOther.get(sessionId, userId, id) !== undefined,
    /** The drinks of a session in the order they were poured. */
    bySession: (sessionId: number): readonly SessionDrink[] =>
      bySession.all(sessionId).sort((one, other) => one.pourTimeMs - other.pourTimeMs || one.id - other.id),
    /** The drink of that pour id, or key of a drink without one, before it was cancelled or discarded. */
    cancelledPour(pourId: string): Drink | null {
      const text = cancelled.get(pourId);
      return text === undefined ? null : (JSON.parse(text) as Drink);
    },
    /** `joinedTo`: the drink that has its ticks now; null for none. */
    addCancelled: (pourId: string, drink: Drink, joinedTo: number | null = null): void =>
      void addCancelled.run(pourId, JSON.stringify(joinedTo === null ? drink : { ...drink, joinedTo })),
  };
}

import type { Moment } from '../../core/clock/moment.ts';
import { pourStarts } from '../../core/measurement/pour-starts.ts';
import type { Drink, PourSource } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { createHeldReasons, type HeldReasons } from '../shared/held-reasons.ts';
import { type ListFilter, pagedList } from '../shared/paged-list.ts';
import type { Slice } from '../shared/slice.ts';
import { drinkCorrections } from './drink-corrections.ts';
import { drinkPlacements, type Placement, toBoundPlacement } from './drink-placements.ts';
import { type DrinkRow, formatParts, toClaimKey, toDrink } from './drink-row.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** A drink to be written: with the user's id, and its end on the monotonic clock. */
export interface NewDrink extends Omit<Drink, 'id' | 'username' | 'isValid'> {
  readonly userId: number | null;
  readonly bootId: string;
  readonly endMonoMs: number;
}

/** A drink whose time was taken before the clock was set. */
interface ProvisionalDrinkTime {
  readonly id: number;
  readonly sessionId: number | null;
  readonly kegId: number | null;
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

/** A column of drinks that refers to another table, and its value. */
interface PairValue {
  readonly column: 'session_id' | 'keg_id' | 'user_id';
  readonly value: number;
}

/**
 * A time within this distance of a clock's reading was taken from that clock; NTP may step it by seconds,
 * milliseconds.
 */
const sameClockMs = 60_000;

const weekMs = 604_800_000;

/**
 * Drinks recorded last, among which the latest pours are searched: a controller that was disconnected may report many
 * early pours at once.
 */
const maxLateDrinks = 200;

/** Drinks of which a part came from the keg. */
const dividedOfKeg = `SELECT m.id FROM drinks m INDEXED BY drinks_of_several_kegs, json_each(m.parts) p
  WHERE m.parts IS NOT NULL AND p.value ->> '$.keg_id' = @keg_id`;

const select = 'SELECT d.*, u.username FROM drinks d LEFT JOIN users u ON u.id = d.user_id';

/** Recorded pours, including held ones. Every write keeps the totals up to date. */
export function drinksTable(
  db: Database,
  totals: DrinkTotalsTable,
  reasons: HeldReasons = createHeldReasons(),
) {
  const byId = db.prepare<[number], DrinkRow>(`${select} WHERE d.id = ?`);
  const byPourId = db.prepare<[string], DrinkRow>(`${select} WHERE d.pour_id = ?`);
  const withGasOrFoam = db.prepare<[limit: number], DrinkRow>(
    `${select} WHERE d.gas_ticks + d.foam_ticks > 0 AND d.is_valid = 1 ORDER BY d.id DESC LIMIT ?`,
  );
  const pageWhere = (term: string) =>
    db.prepare<[number, number], DrinkRow>(
      `${select} WHERE ${term} AND d.id <= ? ORDER BY d.id DESC LIMIT ?`,
    );
  // Nearly all drinks are valid: SQLite must scan them by id instead of using the index of the held ones.
  const page = {
    valid: pageWhere('+d.is_valid = 1'),
    held: pageWhere('d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0'),
  };
  const latest = db.prepare<[number], DrinkRow>(
    `SELECT d.*, u.username
     FROM (SELECT * FROM drinks WHERE +is_valid = 1 ORDER BY id DESC LIMIT ${maxLateDrinks}) d
     LEFT JOIN users u ON u.id = d.user_id ORDER BY d.pour_time_ms DESC, d.id DESC LIMIT ?`,
  );
  const list = pagedList<DrinkRow>(db, {
    table: 'drinks',
    alias: 'd',
    columns: 'd.*, u.username',
    joins: 'LEFT JOIN users u ON u.id = d.user_id',
    time: 'pour_time_ms',
    besideTime: 'is_valid',
    beforeTime: ['tap_id,is_valid'],
    conditions: {
      keg_id: {
        seek: `d.id IN (SELECT id FROM drinks WHERE keg_id = @keg_id AND parts IS NULL UNION ALL ${dividedOfKeg})`,
        scan: `(+d.keg_id = @keg_id OR (d.parts IS NOT NULL AND d.id IN (${dividedOfKeg})))`,
      },
    },
    sparse: { column: 'is_valid', usual: 1, without: 'is_set_aside' },
  });
  const byToken = db.prepare<[string, number], DrinkRow>(
    `${select} WHERE d.auth_token = ? AND +d.is_valid = 1 ORDER BY d.id DESC LIMIT ?`,
  );
  const countByToken = db
    .prepare<[string], number>('SELECT count(*) FROM drinks WHERE auth_token = ? AND +is_valid = 1')
    .pluck();
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
  const setTime = db.prepare<{ id: number; ms: number }>(
    'UPDATE drinks SET pour_time_ms = @ms, time_certain = 1 WHERE id = @id',
  );
  const markTimesUncertain = db.prepare<{ bootId: string; monoMs: number; wallMs: number }>(
    // Controllers also report pours that ended before this boot, so their times are up to a week older.
    `UPDATE drinks SET time_certain = 0
     WHERE pour_time_ms >= @wallMs - @monoMs - ${weekMs} AND boot_id = @bootId AND time_certain = 1
       AND abs(pour_time_ms - (@wallMs - (@monoMs - end_mono_ms))) < ${sameClockMs}`,
  );
  const heldCount = db
    .prepare<[], number>(
      'SELECT count(*) FROM drinks d WHERE d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0',
    )
    .pluck();
  const heldTapIds = db
    .prepare<[], number>(
      `SELECT d.tap_id FROM drinks d
       WHERE d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0 AND d.tap_id IS NOT NULL`,
    )
    .pluck();
  // Reads the drinks found through the index of the first column; the index of kegs contains the user.
  const pairCounts = new Map<string, ReturnType<typeof preparePair>>();
  const preparePair = (first: string, second: string) =>
    db
      .prepare<[number, number], number>(
        `SELECT count(*) FROM ${first === 'keg_id' || second === 'keg_id' ? 'keg_drinks' : 'drinks'} d
         WHERE d.${first} = ? AND +d.${second} = ? AND +d.is_valid = 1`,
      )
      .pluck();
  const pairCount = (first: string, second: string) => {
    const statement = pairCounts.get(`${first} ${second}`) ?? preparePair(first, second);
    pairCounts.set(`${first} ${second}`, statement);
    return statement;
  };
  const userId = db.prepare<[number], number | null>('SELECT user_id FROM drinks WHERE id = ?').pluck();
  const provisional = db.prepare<
    [string],
    {
      id: number;
      session_id: number | null;
      keg_id: number | null;
      end_mono_ms: number;
    }
  >(
    `SELECT id, session_id, keg_id, end_mono_ms FROM drinks WHERE time_certain = 0 AND boot_id = ?
     ORDER BY end_mono_ms, id`,
  );
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
    byId: (id: number): Drink | null => toDrink(byId.get(id)),
    byPourId: (pourId: string): Drink | null => toDrink(byPourId.get(pourId)),
    /** The newest drinks recorded with that token, newest first; without held ones. */
    byToken: (token: string, limit: number): readonly Drink[] =>
      byToken.all(token, limit).map((row) => toDrink(row)!),
    countByToken: (token: string): number => countByToken.get(token)!,
    /** Recorded last, newest first, from id `from` downwards. */
    page: (of: 'valid' | 'held', from: number, limit: number): readonly Drink[] =>
      page[of].all(from, limit).map((row) => toDrink(row)!),
    /** The latest pours, latest first, by pour time and not by the time of recording; without held ones. */
    latest: (limit: number): readonly Drink[] => latest.all(limit).map((row) => toDrink(row)!),
    /** The drinks that match the filter, newest first; `is_valid` is one of its columns. */
    filteredPage: (filter: ListFilter, slice: Slice): readonly Drink[] =>
      list.page(filter, slice).map((row) => toDrink(row)!),
    /** The newest drinks of which ticks were taken for gas or foam, newest first. */
    withGasOrFoam: (limit: number): readonly Drink[] => withGasOrFoam.all(limit).map((row) => toDrink(row)!),
    /** Number of held drinks, a few dozen at most. */
    heldCount: (): number => heldCount.get()!,
    /** The tap of each held drink. */
    heldTapIds: (): readonly number[] => heldTapIds.all(),
    /** Number of drinks for which both columns have these values. */
    countPair: ([first, second]: readonly [PairValue, PairValue]): number =>
      pairCount(first.column, second.column).get(first.value, second.value)!,
    /** Counted row by row, up to `maxCounted`. */
    count: list.count,
    /** Number of drinks that match the filter, counted by an index that contains its columns. */
    countBy: ({ seek, scan }: ListFilter): number => list.countBy({ ...seek, ...scan }),
    /** Valid or held drinks that were poured between two times. */
    between: (span: { sinceMs?: number; untilMs?: number }, isValid: boolean) =>
      list.between(span, { is_valid: Number(isValid) }),
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
    /** Sets the true time, which is then certain. */
    setTime: (id: number, ms: number): void => void totals.writing(id, () => setTime.run({ id, ms })),
    /**
     * Marks times that were taken from this clock as uncertain; times from other sources stay as they are.
     */
    markTimesUncertain: ({ bootId, monoMs, wallMs }: Moment): void =>
      void markTimesUncertain.run({ bootId, monoMs, wallMs }),
    /** Drinks of one boot with a provisional time, in the order they were poured. */
    provisionalByBoot: (bootId: string): readonly ProvisionalDrinkTime[] =>
      provisional.all(bootId).map((row) => ({
        id: row.id,
        sessionId: row.session_id,
        kegId: row.keg_id,
        endMonoMs: row.end_mono_ms,
      })),
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

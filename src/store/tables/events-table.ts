import type { SystemEvent, SystemEventKind } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from './paged-list.ts';

/** A line about to be written into the diary. */
export interface NewEvent {
  readonly kind: SystemEventKind;
  readonly timeMs: number;
  readonly drinkId?: number;
  readonly kegId?: number | null;
  readonly sessionId?: number;
  readonly userId?: number | null;
}

interface EventRow {
  id: number;
  kind: SystemEventKind;
  time_ms: number;
  drink_id: number | null;
  keg_id: number | null;
  session_id: number | null;
  username: string | null;
}

/** Ids that share a row of `event_blocks`. */
const eventBlock = 1_024;

const select = 'SELECT e.*, u.username FROM events e LEFT JOIN users u ON u.id = e.user_id';

/** The house's diary. Times of drinks' and sessions' events follow those; a keg's event has its own. */
export function eventsTable(db: Database) {
  const newest = db.prepare<[number], EventRow>(`${select} ORDER BY e.id DESC LIMIT ?`);
  const since = db.prepare<[number, number], EventRow>(`${select} WHERE e.id > ? ORDER BY e.id DESC LIMIT ?`);
  const byId = db.prepare<[number], EventRow>(`${select} WHERE e.id = ?`);
  const list = pagedList<EventRow>(db, {
    table: 'events',
    alias: 'e',
    columns: 'e.*, u.username',
    joins: 'LEFT JOIN users u ON u.id = e.user_id',
    sparse: { column: 'kind', usual: 'drink_poured' },
  });
  // Full blocks are counted already; what lies above them, and in the block of the first id, is counted now.
  const countAbove = db
    .prepare<{ id: number; block: number; next: number }, number>(
      `SELECT (SELECT coalesce(sum(items), 0) FROM event_blocks WHERE block > @block)
         + (SELECT count(*) FROM events WHERE id > @id AND id < @next)
         + (SELECT count(*) FROM events WHERE id >= max(@next,
              (SELECT coalesce(max(block) + 1, 0) * ${eventBlock} FROM event_blocks)))`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO events (kind, time_ms, drink_id, keg_id, session_id, user_id) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  // Written out, so that the index of each kind's one event is used: a keg has thousands of others.
  const kegEvent = (kind: 'keg_tapped' | 'keg_ended') =>
    db.prepare<[number], number>(`SELECT 1 FROM events WHERE keg_id = ? AND kind = '${kind}'`).pluck();
  const kegEvents = { keg_tapped: kegEvent('keg_tapped'), keg_ended: kegEvent('keg_ended') };
  const setUser = db.prepare<{ drinkId: number; userId: number | null }>(
    'UPDATE events SET user_id = @userId WHERE drink_id = @drinkId',
  );
  const setKeg = db.prepare<{ drinkId: number; kegId: number | null }>(
    `UPDATE events SET keg_id = @kegId WHERE drink_id = @drinkId AND kind IN ('drink_poured', 'keg_volume_low')`,
  );
  const removeLow = db.prepare<[number]>(`DELETE FROM events WHERE drink_id = ? AND kind = 'keg_volume_low'`);
  const setDrinkTime = db.prepare<{ drinkId: number; ms: number }>(
    `UPDATE events SET time_ms = @ms WHERE drink_id = @drinkId AND kind <> 'session_started'`,
  );
  const setSessionStart = db.prepare<{ sessionId: number; ms: number }>(
    `UPDATE events SET time_ms = @ms WHERE session_id = @sessionId AND kind = 'session_started'`,
  );
  const setSession = db.prepare<{ drinkId: number; sessionId: number }>(
    `UPDATE events SET session_id = @sessionId WHERE drink_id = @drinkId AND kind IN ('drink_poured', 'keg_volume_low')`,
  );
  const removeArrival = db.prepare<[number]>(
    `DELETE FROM events WHERE drink_id = ? AND kind IN ('session_started', 'session_joined')`,
  );
  const startDrink = db
    .prepare<[number], number | null>(
      `SELECT drink_id FROM events WHERE session_id = ? AND kind = 'session_started'`,
    )
    .pluck();
  const setStartDrink = db.prepare<{ sessionId: number; drinkId: number }>(
    `UPDATE events SET drink_id = @drinkId, user_id = (SELECT user_id FROM drinks WHERE id = @drinkId)
     WHERE session_id = @sessionId AND kind = 'session_started'`,
  );
  return {
    newest: (limit: number): readonly SystemEvent[] => newest.all(limit).map(toEvent),
    since: (id: number, limit: number): readonly SystemEvent[] => since.all(id, limit).map(toEvent),
    byId(id: number): SystemEvent | null {
      const row = byId.get(id);
      return row === undefined ? null : toEvent(row);
    },
    /** Any cut of them, newest first, from id `from` downwards. */
    page: (cut: ListFilter, from: number, limit: number): readonly SystemEvent[] =>
      list.page(cut, from, limit).map(toEvent),
    /** Counted one by one, up to `mostCounted`. */
    count: list.count,
    /** How many events have a greater id, all of them. */
    countAbove(id: number): number {
      const block = Math.floor(id / eventBlock);
      return countAbove.get({ id, block, next: (block + 1) * eventBlock })!;
    },
    /** Gives its id. */
    add(event: NewEvent): number {
      const { kind, timeMs, drinkId = null, kegId = null, sessionId = null, userId = null } = event;
      return Number(insert.run(kind, timeMs, drinkId, kegId, sessionId, userId).lastInsertRowid);
    },
    hasKegEvent: (kegId: number, kind: 'keg_tapped' | 'keg_ended'): boolean =>
      kegEvents[kind].get(kegId) !== undefined,
    /** Everything that tells of the drink follows its drinker. */
    setUser: (drinkId: number, userId: number | null): void => void setUser.run({ drinkId, userId }),
    /** The drink was charged to another keg; whether that one ran low is not told again. */
    setKeg(drinkId: number, kegId: number | null): void {
      removeLow.run(drinkId);
      setKeg.run({ drinkId, kegId });
    },
    setDrinkTime: (drinkId: number, ms: number): void => void setDrinkTime.run({ drinkId, ms }),
    setSessionStart: (sessionId: number, ms: number): void => void setSessionStart.run({ sessionId, ms }),
    /** The drink that the session's beginning tells of. */
    startDrink: (sessionId: number): number | null => startDrink.get(sessionId) ?? null,
    /** The session began with that drink after all. */
    setStartDrink: (sessionId: number, drinkId: number): void =>
      void setStartDrink.run({ sessionId, drinkId }),
    /** The drink belongs to another gathering: it no longer tells of anybody arriving at the old one. */
    moveToSession(drinkId: number, sessionId: number): void {
      removeArrival.run(drinkId);
      setSession.run({ drinkId, sessionId });
    },
  };
}

function toEvent(row: EventRow): SystemEvent {
  return {
    id: row.id,
    kind: row.kind,
    timeMs: row.time_ms,
    drinkId: row.drink_id,
    kegId: row.keg_id,
    sessionId: row.session_id,
    username: row.username,
  };
}

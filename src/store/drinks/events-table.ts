import type { SystemEvent, SystemEventKind } from '../../core/system-events.ts';
import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from '../shared/paged-list.ts';
import type { Slice } from '../shared/slice.ts';

/** An event to be written. */
export interface NewEvent {
  readonly kind: SystemEventKind;
  readonly timeMs: number;
  readonly drinkId?: number;
  readonly kegId?: number | null;
  readonly sessionId?: number;
  readonly userId?: number | null;
  /** Of `session_merged`. */
  readonly mergedSessionId?: number;
}

interface EventRow {
  id: number;
  kind: SystemEventKind;
  time_ms: number;
  drink_id: number | null;
  keg_id: number | null;
  session_id: number | null;
  username: string | null;
  merged_session_id: number | null;
}

const select = 'SELECT e.*, u.username FROM events e LEFT JOIN users u ON u.id = e.user_id';

/** The events feed. Events of drinks and sessions have the times of those; a keg's event has its own time. */
export function eventsTable(db: Database) {
  const newest = db.prepare<[number], EventRow>(`${select} ORDER BY e.id DESC LIMIT ?`);
  const since = db.prepare<[number, number], EventRow>(`${select} WHERE e.id > ? ORDER BY e.id DESC LIMIT ?`);
  const byId = db.prepare<[number], EventRow>(`${select} WHERE e.id = ?`);
  const list = pagedList<EventRow>(db, {
    table: 'events',
    alias: 'e',
    columns: 'e.*, u.username',
    joins: 'LEFT JOIN users u ON u.id = e.user_id',
    time: 'time_ms',
    beforeTime: ['kind'],
    sparse: { column: 'kind', usual: 'drink_poured' },
  });
  const countAbove = db.prepare<[number], number>('SELECT count(*) FROM events WHERE id > ?').pluck();
  const countOthers = db
    .prepare<[], number>(`SELECT count(*) FROM events WHERE kind <> 'drink_poured'`)
    .pluck();
  const insert = db.prepare(
    `INSERT INTO events (kind, time_ms, drink_id, keg_id, session_id, user_id, merged_session_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  // Literal kinds, so that SQLite uses the partial index of this kind: a keg has thousands of other events.
  const kegEvent = (kind: 'keg_tapped' | 'keg_ended') =>
    db.prepare<[number], number>(`SELECT 1 FROM events WHERE keg_id = ? AND kind = '${kind}'`).pluck();
  const kegEvents = { keg_tapped: kegEvent('keg_tapped'), keg_ended: kegEvent('keg_ended') };
  const removeKegEvent = db.prepare<{ kegId: number; kind: string }>(
    'DELETE FROM events WHERE keg_id = @kegId AND drink_id IS NULL AND kind = @kind',
  );
  const setUser = db.prepare<{ drinkId: number; userId: number | null }>(
    'UPDATE events SET user_id = @userId WHERE drink_id = @drinkId',
  );
  const setKeg = db.prepare<{ drinkId: number; kegId: number | null }>(
    `UPDATE events SET keg_id = @kegId WHERE drink_id = @drinkId AND kind IN ('drink_poured', 'keg_volume_low')`,
  );
  const lowDrink = db
    .prepare<[number], number>(
      `SELECT drink_id FROM events WHERE keg_id = ? AND kind = 'keg_volume_low' ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const removeLow = db.prepare<[number]>(`DELETE FROM events WHERE drink_id = ? AND kind = 'keg_volume_low'`);
  const setDrinkTime = db.prepare<{ drinkId: number; ms: number }>(
    `UPDATE events SET time_ms = @ms WHERE drink_id = @drinkId AND kind <> 'session_started'`,
  );
  const setSessionStart = db.prepare<{ sessionId: number; ms: number }>(
    `UPDATE events SET time_ms = @ms WHERE session_id = @sessionId AND kind = 'session_started'`,
  );
  const setSession = db.prepare<{ drinkId: number; sessionId: number }>(
    'UPDATE events SET session_id = @sessionId WHERE drink_id = @drinkId AND session_id IS NOT NULL',
  );
  const removeStart = db.prepare<[number]>(
    `DELETE FROM events WHERE drink_id = ? AND kind = 'session_started'`,
  );
  const start = db.prepare<[number], { id: number; pourTimeMs: number }>(
    `SELECT e.id, d.pour_time_ms AS pourTimeMs FROM events e JOIN drinks d ON d.id = e.drink_id
     WHERE e.session_id = ? AND e.kind = 'session_started'`,
  );
  const setDrink = db.prepare<{ id: number; drinkId: number; ms: number }>(
    `UPDATE events SET drink_id = @drinkId, time_ms = @ms, user_id = (SELECT user_id FROM drinks WHERE id = @drinkId)
     WHERE id = @id`,
  );
  const joins = db.prepare<[number], { id: number; drinkId: number }>(
    `SELECT id, drink_id AS drinkId FROM events WHERE session_id = ? AND kind = 'session_joined' ORDER BY id`,
  );
  const setMergesSession = db.prepare<{ sessionId: number; survivorId: number }>(
    `UPDATE events SET session_id = @survivorId WHERE session_id = @sessionId AND kind = 'session_merged'`,
  );
  const remove = db.prepare<[number]>('DELETE FROM events WHERE id = ?');
  return {
    newest: (limit: number): readonly SystemEvent[] => newest.all(limit).map(toEvent),
    since: (id: number, limit: number): readonly SystemEvent[] => since.all(id, limit).map(toEvent),
    byId(id: number): SystemEvent | null {
      const row = byId.get(id);
      return row === undefined ? null : toEvent(row);
    },
    /** The rows that match the filter, newest first. */
    page: (filter: ListFilter, slice: Slice): readonly SystemEvent[] => list.page(filter, slice).map(toEvent),
    /** Counted row by row, up to `maxCounted`. */
    count: list.count,
    /** Number of events with these values, counted by their index; that of kinds leaves out the most frequent one. */
    countBy: (values: NonNullable<ListFilter['seek']>): number =>
      values.kind === 'drink_poured' ? list.countBy({}) - countOthers.get()! : list.countBy(values),
    /** Number of events with a greater id. */
    countAbove: (id: number): number => countAbove.get(id)!,
    /** Returns its id. */
    add(event: NewEvent): number {
      const { kind, timeMs, drinkId = null, kegId = null, sessionId = null, userId = null } = event;
      const { mergedSessionId = null } = event;
      const values = [kind, timeMs, drinkId, kegId, sessionId, userId, mergedSessionId];
      return Number(insert.run(...values).lastInsertRowid);
    },
    hasKegEvent: (kegId: number, kind: 'keg_tapped' | 'keg_ended'): boolean =>
      kegEvents[kind].get(kegId) !== undefined,
    /** Removes the event of a keg that was not put on a tap, or not ended, after all. */
    removeKegEvent: (kegId: number, kind: 'keg_tapped' | 'keg_ended'): void =>
      void removeKegEvent.run({ kegId, kind }),
    /** The drink with which a keg became nearly empty; null without one. */
    lowDrink: (kegId: number): number | null => lowDrink.get(kegId) ?? null,
    /** Removes the event that a keg became nearly empty with that drink. */
    removeLow: (drinkId: number): void => void removeLow.run(drinkId),
    /** Sets the user of all events of the drink. */
    setUser: (drinkId: number, userId: number | null): void => void setUser.run({ drinkId, userId }),
    /** Moves the drink's events to another keg; no new low-volume event is written. */
    setKeg(drinkId: number, kegId: number | null): void {
      removeLow.run(drinkId);
      setKeg.run({ drinkId, kegId });
    },
    setDrinkTime: (drinkId: number, ms: number): void => void setDrinkTime.run({ drinkId, ms }),
    setSessionStart: (sessionId: number, ms: number): void => void setSessionStart.run({ sessionId, ms }),
    /** The session's start event, and the time of its drink. */
    start: (sessionId: number): { readonly id: number; readonly pourTimeMs: number } | null =>
      start.get(sessionId) ?? null,
    /** The join events of a session, in the order in which they were written. */
    joins: (sessionId: number): readonly { readonly id: number; readonly drinkId: number }[] =>
      joins.all(sessionId),
    /** Makes an event one of another drink, with its user. */
    setDrink: (id: number, drinkId: number, ms: number): void => void setDrink.run({ id, drinkId, ms }),
    remove: (id: number): void => void remove.run(id),
    /** Moves the drink's events to another session; a start event is removed. */
    moveToSession(drinkId: number, sessionId: number): void {
      removeStart.run(drinkId);
      setSession.run({ drinkId, sessionId });
    },
    /** Moves the events of earlier merges. */
    moveMerges: (sessionId: number, survivorId: number): void =>
      void setMergesSession.run({ sessionId, survivorId }),
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
    mergedSessionId: row.merged_session_id,
  };
}

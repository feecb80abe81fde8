import type { Session } from '../../core/ledger.ts';
import { localDay } from '../../core/local-days.ts';
import type { Database } from '../database.ts';
import { type Cut, pagedList } from './paged-list.ts';
import { blockSizes } from './span-sums.ts';

interface SessionRow {
  id: number;
  start_time_ms: number;
  end_time_ms: number;
  volume_ml: number;
  name: string | null;
  time_zone: string;
}

/** Gatherings, with the volume poured at each. */
export function sessionsTable(db: Database) {
  const byId = db.prepare<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?');
  // A drink of this evening finds one row by the end time; only a late one looks at more.
  const around = db.prepare<{ timeMs: number; timeoutMs: number }, SessionRow>(
    `SELECT * FROM sessions INDEXED BY sessions_by_end
     WHERE end_time_ms > @timeMs AND start_time_ms <= @timeMs + @timeoutMs`,
  );
  const newest = db.prepare<[], SessionRow>(
    'SELECT * FROM sessions ORDER BY start_time_ms DESC, id DESC LIMIT 1',
  );
  const list = pagedList<SessionRow>(db, {
    table: 'sessions',
    alias: 'x',
    columns: 'x.*',
    time: { column: 'start_time_ms', blockSize: blockSizes.sessions },
  });
  const ofKeg = db.prepare<{ kegId: number; from: number; limit: number }, SessionRow>(
    `SELECT x.* FROM keg_sessions k CROSS JOIN sessions x ON x.id = k.session_id
     WHERE k.keg_id = @kegId AND k.session_id <= @from ORDER BY k.session_id DESC LIMIT @limit`,
  );
  const insert = db
    .prepare<
      { startTimeMs: number; endTimeMs: number; volumeMl: number; timeZone: string; localDay: number },
      number
    >(
      `INSERT INTO sessions (start_time_ms, end_time_ms, volume_ml, time_zone, local_day)
       VALUES (@startTimeMs, @endTimeMs, @volumeMl, @timeZone, @localDay) RETURNING id`,
    )
    .pluck();
  const setSpan = db.prepare<{
    id: number;
    startTimeMs: number;
    endTimeMs: number;
    volumeMl: number;
    localDay: number;
  }>(
    `UPDATE sessions SET start_time_ms = @startTimeMs, end_time_ms = @endTimeMs, volume_ml = @volumeMl,
       local_day = @localDay WHERE id = @id`,
  );
  // A drink that joins a session moves its end alone: the index of beginnings is spared, and a card's wear with it.
  const setEnd = db.prepare<{ id: number; startTimeMs: number; endTimeMs: number; volumeMl: number }>(
    `UPDATE sessions SET end_time_ms = @endTimeMs, volume_ml = @volumeMl
     WHERE id = @id AND start_time_ms = @startTimeMs`,
  );
  const remove = db.prepare<[number]>('DELETE FROM sessions WHERE id = ?');
  return {
    byId: (id: number): Session | null => toSession(byId.get(id)),
    /** Sessions that a drink of that time may belong to. */
    around: (timeMs: number, timeoutMs: number): readonly Session[] =>
      around.all({ timeMs, timeoutMs }).map((row) => toSession(row)!),
    /** The one that began last. */
    newest: (): Session | null => toSession(newest.get()),
    /** Newest first, from id `from` downwards; cut by when they began. */
    page: (cut: Cut, from: number, limit: number): readonly Session[] =>
      list.page(cut, from, limit).map((row) => toSession(row)!),
    countBetween: list.countBetween,
    /** Those that drank of a keg, newest first. */
    ofKeg: (kegId: number, from: number, limit: number): readonly Session[] =>
      ofKeg.all({ kegId, from, limit }).map((row) => toSession(row)!),
    add: (session: { startTimeMs: number; endTimeMs: number; volumeMl: number; timeZone: string }): number =>
      insert.get({ ...session, localDay: localDay(session.startTimeMs, session.timeZone) })!,
    setSpan(id: number, span: { startTimeMs: number; endTimeMs: number; volumeMl: number }): void {
      const isSet = setEnd.run({ id, ...span }).changes > 0;
      if (isSet) return;
      const zone = byId.get(id)?.time_zone ?? 'UTC';
      setSpan.run({ id, ...span, localDay: localDay(span.startTimeMs, zone) });
    },
    /** Only an empty session may go; its events go with it. */
    remove: (id: number): void => void remove.run(id),
  };
}

function toSession(row: SessionRow | undefined): Session | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    startTimeMs: row.start_time_ms,
    endTimeMs: row.end_time_ms,
    volumeMl: row.volume_ml,
    name: row.name,
    timeZone: row.time_zone,
  };
}

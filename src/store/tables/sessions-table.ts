import { localDay } from '../../core/local-days.ts';
import type { Session } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from './paged-list.ts';
import { blockSizes } from './span-blocks.ts';

/** In the order of `columns`: a row read by place is made in half the time of one read by name. */
type SessionRow = readonly [
  id: number,
  startTimeMs: number,
  endTimeMs: number,
  volumeMl: number,
  name: string | null,
  timeZone: string,
];

const columns = 'x.id, x.start_time_ms, x.end_time_ms, x.volume_ml, x.name, x.time_zone';

/** Gatherings, with the volume poured at each. */
export function sessionsTable(db: Database) {
  const select = <T extends unknown[]>(rest: string) =>
    db.prepare<T, SessionRow>(`SELECT ${columns} FROM ${rest}`).raw();
  const byId = select<[number]>('sessions x WHERE x.id = ?');
  // A drink of this evening finds one row by the end time; only a late one looks at more.
  const around = select<[endsAfterMs: number, startsUntilMs: number]>(
    'sessions x INDEXED BY sessions_by_end WHERE x.end_time_ms > ? AND x.start_time_ms <= ?',
  );
  const newest = select<[]>('sessions x ORDER BY x.start_time_ms DESC, x.id DESC LIMIT 1');
  const list = pagedList<SessionRow>(db, {
    table: 'sessions',
    alias: 'x',
    columns,
    isRaw: true,
    time: { column: 'start_time_ms', blockSize: blockSizes.sessions },
  });
  const ofKeg = select<[kegId: number, from: number, limit: number]>(
    `keg_sessions k CROSS JOIN sessions x ON x.id = k.session_id
     WHERE k.keg_id = ? AND k.session_id <= ? ORDER BY k.session_id DESC LIMIT ?`,
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
  const setEnd = db.prepare<[endTimeMs: number, volumeMl: number, id: number, startTimeMs: number]>(
    'UPDATE sessions SET end_time_ms = ?, volume_ml = ? WHERE id = ? AND start_time_ms = ?',
  );
  const remove = db.prepare<[number]>('DELETE FROM sessions WHERE id = ?');
  return {
    byId: (id: number): Session | null => toSession(byId.get(id)),
    /** Sessions that a drink of that time may belong to. */
    around: (timeMs: number, timeoutMs: number): readonly Session[] =>
      around.all(timeMs, timeMs + timeoutMs).map((row) => toSession(row)!),
    /** The one that began last. */
    newest: (): Session | null => toSession(newest.get()),
    /** Newest first, from id `from` downwards; cut by when they began. */
    page: (cut: ListFilter, from: number, limit: number): readonly Session[] =>
      list.page(cut, from, limit).map((row) => toSession(row)!),
    countBetween: list.countBetween,
    /** Those that drank of a keg, newest first. */
    ofKeg: (kegId: number, from: number, limit: number): readonly Session[] =>
      ofKeg.all(kegId, from, limit).map((row) => toSession(row)!),
    add: (session: { startTimeMs: number; endTimeMs: number; volumeMl: number; timeZone: string }): number =>
      insert.get({ ...session, localDay: localDay(session.startTimeMs, session.timeZone) })!,
    setSpan(id: number, span: { startTimeMs: number; endTimeMs: number; volumeMl: number }): void {
      const { startTimeMs, endTimeMs, volumeMl } = span;
      const isSet = setEnd.run(endTimeMs, volumeMl, id, startTimeMs).changes > 0;
      if (isSet) return;
      const zone = toSession(byId.get(id))?.timeZone ?? 'UTC';
      setSpan.run({ id, ...span, localDay: localDay(span.startTimeMs, zone) });
    },
    /** Only an empty session may go; its events go with it. */
    remove: (id: number): void => void remove.run(id),
  };
}

function toSession(row: SessionRow | undefined): Session | null {
  if (row === undefined) return null;
  const [id, startTimeMs, endTimeMs, volumeMl, name, timeZone] = row;
  return { id, startTimeMs, endTimeMs, volumeMl, name, timeZone };
}

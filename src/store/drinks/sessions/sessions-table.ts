import { localDay } from '../../../core/clock/local-days.ts';
import type { Session } from '../../../core/records.ts';
import type { Database } from '../../database.ts';
import { type ListFilter, pagedList } from '../../shared/paged-list.ts';
import { preparePages, type Slice } from '../../shared/slice.ts';
import type { DrinkTotalsTable } from '../drink-totals-table.ts';

/** In the order of `columns`: reading a row by position takes half the time of reading it by name. */
type SessionRow = readonly [
  id: number,
  startTimeMs: number,
  endTimeMs: number,
  volumeMl: number,
  name: string | null,
  timeZone: string,
];

const columns = 'x.id, x.start_time_ms, x.end_time_ms, x.volume_ml, x.name, x.time_zone';

/** Sessions with their volumes. */
export function sessionsTable(db: Database, totals: DrinkTotalsTable) {
  const select = <T extends unknown[]>(rest: string) =>
    db.prepare<T, SessionRow>(`SELECT ${columns} FROM ${rest}`).raw();
  const byId = select<[number]>('sessions x WHERE x.id = ?');
  // No index of end times, which each pour would write: sessions do not overlap.
  const startedBy = select<[startedMs: number, limit: number]>(
    'sessions x WHERE x.start_time_ms <= ? ORDER BY x.start_time_ms DESC, x.id DESC LIMIT ?',
  );
  const latestBefore = select<[beforeMs: number]>(
    'sessions x WHERE x.start_time_ms < ? ORDER BY x.start_time_ms DESC, x.id DESC LIMIT 1',
  );
  const startedWithin = select<[afterMs: number, beforeMs: number]>(
    'sessions x WHERE x.start_time_ms > ? AND x.start_time_ms < ? ORDER BY x.start_time_ms, x.id',
  );
  const newest = select<[]>('sessions x ORDER BY x.start_time_ms DESC, x.id DESC LIMIT 1');
  const list = pagedList<SessionRow>(db, {
    table: 'sessions',
    alias: 'x',
    columns,
    isRaw: true,
    time: 'start_time_ms',
  });
  const count = db.prepare<[], number>('SELECT count(*) FROM sessions').pluck();
  const byKeg = preparePages<SessionRow>(db, {
    select: `SELECT ${columns} FROM keg_sessions k CROSS JOIN sessions x ON x.id = k.session_id`,
    where: 'k.keg_id = @kegId',
    id: 'k.session_id',
    isRaw: true,
  });
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
  // A drink that joins a session changes only its end: the index of start times is not written, which saves
  // card wear.
  const setEnd = db.prepare<[endTimeMs: number, volumeMl: number, id: number, startTimeMs: number]>(
    'UPDATE sessions SET end_time_ms = ?, volume_ml = ? WHERE id = ? AND start_time_ms = ?',
  );
  const setName = db.prepare<[string, number]>('UPDATE sessions SET name = ? WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM sessions WHERE id = ?');
  const addMerged = db.prepare<[number, number]>(
    'INSERT INTO merged_sessions (id, survivor_id) VALUES (?, ?)',
  );
  const survivor = db
    .prepare<[number], number>('SELECT survivor_id FROM merged_sessions WHERE id = ?')
    .pluck();
  const countByKeg = db
    .prepare<[number], number>('SELECT count(*) FROM keg_sessions WHERE keg_id = ?')
    .pluck();
  const days = db.prepare<[], { day: number; sessions: number }>(
    `SELECT local_day AS day, count(*) AS sessions FROM sessions INDEXED BY sessions_by_day
     GROUP BY local_day ORDER BY local_day DESC`,
  );
  return {
    byId: (id: number): Session | null => toSession(byId.get(id)),
    /** The session that this one is part of, by the ids of merged sessions; itself unless it was merged. */
    survivorId(id: number): number {
      let current = id;
      for (let next = survivor.get(id); next !== undefined; next = survivor.get(next)) current = next;
      return current;
    },
    /**
     * Sessions that overlap the span, in the order of their starts. `maxStarted`: how many may have started before it and
     * must be looked at, one as long as no sessions overlap.
     */
    overlapping(
      { startTimeMs, endTimeMs }: { readonly startTimeMs: number; readonly endTimeMs: number },
      maxStarted = 1,
    ): readonly Session[] {
      const latest = toSession(latestBefore.get(endTimeMs));
      // Of a drink that is poured now: one row instead of lists, which take 6 µs.
      if (latest === null) return [];
      if (maxStarted === 1 && latest.startTimeMs <= startTimeMs)
        return latest.endTimeMs > startTimeMs ? [latest] : [];
      const before = startedBy.all(startTimeMs, maxStarted).map((row) => toSession(row)!);
      const running = before.filter((session) => session.endTimeMs > startTimeMs).reverse();
      return [...running, ...startedWithin.all(startTimeMs, endTimeMs).map((row) => toSession(row)!)];
    },
    /** The session with the latest start. */
    newest: (): Session | null => toSession(newest.get()),
    count: (): number => count.get()!,
    /** Newest first. */
    page: (filter: ListFilter, slice: Slice): readonly Session[] =>
      list.page(filter, slice).map((row) => toSession(row)!),
    /** Sessions that started between two times. */
    between: list.between,
    /** Sessions with drinks from a keg, newest first. */
    byKeg: (kegId: number, slice: Slice): readonly Session[] =>
      byKeg(slice, { kegId }).map((row) => toSession(row)!),
    add: (session: { startTimeMs: number; endTimeMs: number; volumeMl: number; timeZone: string }): number =>
      insert.get({ ...session, localDay: localDay(session.startTimeMs, session.timeZone) })!,
    setSpan(id: number, span: { startTimeMs: number; endTimeMs: number; volumeMl: number }): void {
      const { startTimeMs, endTimeMs, volumeMl } = span;
      const isSet = setEnd.run(endTimeMs, volumeMl, id, startTimeMs).changes > 0;
      if (isSet) return;
      const session = toSession(byId.get(id));
      if (session === null) return;
      const before = localDay(session.startTimeMs, session.timeZone);
      const after = localDay(startTimeMs, session.timeZone);
      setSpan.run({ id, ...span, localDay: after });
      if (after !== before) totals.moveSession(id, before, after);
    },
    /** Number of sessions with drinks from a keg. */
    countByKeg: (kegId: number): number => countByKeg.get(kegId)!,
    /** Number of sessions on each local day (days since 1970), newest first. */
    days: (): readonly { readonly day: number; readonly sessions: number }[] => days.all(),
    setName: (id: number, name: string): void => void setName.run(name, id),
    /** Removes an empty session and its events. */
    remove: (id: number): void => void remove.run(id),
    /** Removes an empty session whose drinks are in another one now; its id leads there. */
    removeMerged(id: number, survivorId: number): void {
      remove.run(id);
      addMerged.run(id, survivorId);
    },
  };
}

function toSession(row: SessionRow | undefined): Session | null {
  if (row === undefined) return null;
  const [id, startTimeMs, endTimeMs, volumeMl, name, timeZone] = row;
  return { id, startTimeMs, endTimeMs, volumeMl, name, timeZone };
}

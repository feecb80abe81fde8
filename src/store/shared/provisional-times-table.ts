import type { Moment } from '../../core/clock/moment.ts';
import type { Database } from '../database.ts';
import type { ClockTimes, TimeName } from './clock-times.ts';

/** One provisional time: the row it belongs to, and its position on the monotonic clock. */
export interface ProvisionalTime<Name extends string = string> {
  readonly kind: Name;
  readonly rowId: number;
  readonly monoMs: number;
}

/**
 * Times to correct once the clock is set, of the tables that `declared` lists, and of `others`, which are only corrected. An
 * extension notes the times of its own tables with one of these over its own declarations.
 */
export function provisionalTimesTable<const Times extends ClockTimes>(
  db: Database,
  declared: Times,
  others: readonly ClockTimes[] = [],
) {
  type Name = TimeName<Times>;
  const mark = db.prepare<{ kind: Name; rowId: number; bootId: string; monoMs: number }>(
    `INSERT INTO provisional_times (kind, row_id, boot_id, mono_ms) VALUES (@kind, @rowId, @bootId, @monoMs)
     ON CONFLICT (kind, row_id) DO UPDATE SET boot_id = excluded.boot_id, mono_ms = excluded.mono_ms`,
  );
  const find = db.prepare<[Name, number], { bootId: string; monoMs: number }>(
    'SELECT boot_id AS bootId, mono_ms AS monoMs FROM provisional_times WHERE kind = ? AND row_id = ?',
  );
  const clear = db.prepare<[Name, number]>('DELETE FROM provisional_times WHERE kind = ? AND row_id = ?');
  const byBoot = db.prepare<[string], { kind: Name; row_id: number; mono_ms: number }>(
    'SELECT kind, row_id, mono_ms FROM provisional_times WHERE boot_id = ? ORDER BY mono_ms',
  );
  const clearBoot = db.prepare<[string]>('DELETE FROM provisional_times WHERE boot_id = ?');
  const corrections = new Map(
    [declared, ...others]
      .flatMap(listMoving)
      .map(({ name, table, column }) => [
        name,
        db.prepare<[number, number]>(
          `UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} IS NOT NULL`,
        ),
      ]),
  );
  return {
    /** Marks the row's time as provisional if the clock is not set at `now`, else removes an older mark. */
    note(kind: Name, rowId: number, now: Moment): void {
      if (now.synced) clear.run(kind, rowId);
      else mark.run({ kind, rowId, bootId: now.bootId, monoMs: now.monoMs });
    },
    /** Where on the monotonic clock of which boot; null for a time that is not provisional. */
    find: (kind: Name, rowId: number) => find.get(kind, rowId) ?? null,
    byBoot: (bootId: string): readonly ProvisionalTime<Name>[] =>
      byBoot.all(bootId).map((row) => ({ kind: row.kind, rowId: row.row_id, monoMs: row.mono_ms })),
    /** Writes the true time. */
    correct: (time: ProvisionalTime, ms: number): void =>
      void corrections.get(time.kind)?.run(ms, time.rowId),
    clear: (kind: Name, rowId: number): void => void clear.run(kind, rowId),
    clearBoot: (bootId: string): void => void clearBoot.run(bootId),
  };
}

/** The columns whose times move. */
const listMoving = (declared: ClockTimes) =>
  Object.entries(declared).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, time]) =>
      'moves' in time ? [{ name: time.moves, table, column }] : [],
    ),
  );

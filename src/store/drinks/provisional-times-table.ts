import type { Moment } from '../../core/clock/moment.ts';
import type { Database } from '../database.ts';

/** Times (other than a drink's) that may have been taken before the clock was set. */
type ProvisionalTimeKind =
  | 'keg_created'
  | 'keg_started'
  | 'keg_finished'
  | 'keg_span_started'
  | 'keg_span_ended'
  | 'spill'
  | 'thermo_log'
  | 'event'
  | 'user_joined'
  | 'key_created'
  | 'token_created'
  | 'audit'
  | 'meter_evidence'
  | 'keg_weighing'
  | 'tablet_enrolled'
  | 'tablet_seen'
  | 'stock_count'
  | 'cleaning_plan'
  | 'cleaning_started'
  | 'cleaning_ended'
  | 'cleaning_step'
  | 'cleaning_entry'
  | 'reported_pour';

/** One provisional time: the row it belongs to, and its position on the monotonic clock. */
export interface ProvisionalTime {
  readonly kind: ProvisionalTimeKind;
  readonly rowId: number;
  readonly monoMs: number;
}

/**
 * Columns of the times. A thermo log is corrected elsewhere, because its true minute may have a row already.
 */
const columns: readonly (readonly [ProvisionalTimeKind, table: string, column: string])[] = [
  ['keg_created', 'kegs', 'created_time_ms'],
  ['keg_started', 'kegs', 'started_time_ms'],
  ['keg_finished', 'kegs', 'finished_time_ms'],
  ['keg_span_started', 'keg_spans', 'start_ms'],
  ['keg_span_ended', 'keg_spans', 'end_ms'],
  ['spill', 'spills', 'time_ms'],
  ['event', 'events', 'time_ms'],
  ['user_joined', 'users', 'joined_time_ms'],
  ['key_created', 'api_keys', 'created_time_ms'],
  ['token_created', 'auth_tokens', 'created_time_ms'],
  ['audit', 'audit_entries', 'time_ms'],
  ['meter_evidence', 'meter_evidence', 'time_ms'],
  ['keg_weighing', 'keg_weighings', 'time_ms'],
  ['stock_count', 'stock_counts', 'time_ms'],
  ['tablet_enrolled', 'tablets', 'created_time_ms'],
  ['tablet_seen', 'tablets', 'seen_time_ms'],
  ['cleaning_plan', 'cleaning_plans', 'since_ms'],
  ['cleaning_started', 'cleanings', 'started_time_ms'],
  ['cleaning_ended', 'cleanings', 'ended_time_ms'],
  ['cleaning_step', 'cleaning_steps', 'since_time_ms'],
  ['cleaning_entry', 'cleaning_entries', 'time_ms'],
  ['reported_pour', 'reported_pours', 'end_ms'],
];

/** Times to correct once the clock is set. */
export function provisionalTimesTable(db: Database) {
  const mark = db.prepare<{ kind: ProvisionalTimeKind; rowId: number; bootId: string; monoMs: number }>(
    `INSERT INTO provisional_times (kind, row_id, boot_id, mono_ms) VALUES (@kind, @rowId, @bootId, @monoMs)
     ON CONFLICT (kind, row_id) DO UPDATE SET boot_id = excluded.boot_id, mono_ms = excluded.mono_ms`,
  );
  const clear = db.prepare<[ProvisionalTimeKind, number]>(
    'DELETE FROM provisional_times WHERE kind = ? AND row_id = ?',
  );
  const byBoot = db.prepare<[string], { kind: ProvisionalTimeKind; row_id: number; mono_ms: number }>(
    'SELECT kind, row_id, mono_ms FROM provisional_times WHERE boot_id = ? ORDER BY mono_ms',
  );
  const clearBoot = db.prepare<[string]>('DELETE FROM provisional_times WHERE boot_id = ?');
  const corrections = new Map(
    columns.map(([kind, table, column]) => [
      kind,
      db.prepare<[number, number]>(
        `UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} IS NOT NULL`,
      ),
    ]),
  );
  return {
    /** Marks the row's time as provisional if the clock is not set at `now`, else removes an older mark. */
    note(kind: ProvisionalTimeKind, rowId: number, now: Moment): void {
      if (now.synced) clear.run(kind, rowId);
      else mark.run({ kind, rowId, bootId: now.bootId, monoMs: now.monoMs });
    },
    byBoot: (bootId: string): readonly ProvisionalTime[] =>
      byBoot.all(bootId).map((row) => ({ kind: row.kind, rowId: row.row_id, monoMs: row.mono_ms })),
    /** Writes the true time of any row except a thermo log. */
    correct: (time: ProvisionalTime, ms: number): void =>
      void corrections.get(time.kind)?.run(ms, time.rowId),
    clear: (kind: ProvisionalTimeKind, rowId: number): void => void clear.run(kind, rowId),
    clearBoot: (bootId: string): void => void clearBoot.run(bootId),
  };
}

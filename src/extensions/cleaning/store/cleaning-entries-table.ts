import type { Database } from '../../../store/database.ts';
import type { Slice } from '../../../store/shared/slice.ts';
import type { CleaningKind, CleaningMethod, CleaningResult } from '../core/cleaning-terms.ts';

/** What the log says of a cleaning. */
export interface CleaningFacts {
  readonly kind: CleaningKind;
  readonly startedMs: number;
  readonly endedMs: number;
  /** A person or firm without an account; null: who wrote the entry. */
  readonly cleanedBy: string | null;
  readonly checkedBy: string | null;
  readonly agent: string | null;
  readonly concentrationPercent: number | null;
  readonly tempC: number | null;
  readonly contactMinutes: number | null;
  readonly method: CleaningMethod | null;
  readonly rinsePh: number | null;
  readonly result: CleaningResult;
  readonly note: string | null;
}

/** An entry of the log; it never changes. */
export interface CleaningEntry extends CleaningFacts {
  readonly id: number;
  readonly cleaningId: number;
  /** The entry that it corrects. */
  readonly correctsId: number | null;
  readonly timeMs: number;
  readonly username: string | null;
  readonly tapName: string;
  readonly beverage: string | null;
  /** There was no such cleaning. */
  readonly isWithdrawn: boolean;
  /** Withdrawn because its pours became drinks, not by a person. */
  readonly followsPours: boolean;
}

export interface NewCleaningEntry extends Omit<CleaningEntry, 'id' | 'username'> {
  readonly userId: number | null;
}

/** Which cleanings are listed. */
export interface CleaningLogFilter {
  readonly tapId: number | null;
  /** By the start that the first entry tells, Unix milliseconds. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

interface EntryRow {
  id: number;
  cleaning_id: number;
  corrects_id: number | null;
  time_ms: number;
  username: string | null;
  tap_name: string;
  beverage: string | null;
  kind: CleaningKind;
  started_time_ms: number;
  ended_time_ms: number;
  cleaned_by: string | null;
  checked_by: string | null;
  agent: string | null;
  concentration_percent: number | null;
  temp_c: number | null;
  contact_minutes: number | null;
  method: CleaningMethod | null;
  rinse_ph: number | null;
  result: CleaningResult;
  note: string | null;
  is_withdrawn: number;
  follows_pours: number;
}

/** The result of the last cleaning of a tap that holds. */
export const lastResultOf = (tapId: string): string =>
  `(SELECT e.result FROM cleanings c JOIN cleaning_entries e ON e.cleaning_id = c.id
    WHERE c.tap_id = ${tapId} AND e.is_withdrawn = 0
      AND NOT EXISTS (SELECT 1 FROM cleaning_entries later WHERE later.corrects_id = e.id)
    ORDER BY e.ended_time_ms DESC, e.id DESC LIMIT 1)`;

/** The log of cleanings. There is no statement that changes or deletes an entry. */
export function cleaningEntriesTable(db: Database) {
  const insert = db
    .prepare<
      Omit<NewCleaningEntry, 'isWithdrawn' | 'followsPours'> & { isWithdrawn: number; followsPours: number },
      number
    >(
      `INSERT INTO cleaning_entries (cleaning_id, corrects_id, time_ms, user_id, tap_name, beverage, kind, started_time_ms,
         ended_time_ms, cleaned_by, checked_by, agent, concentration_percent, temp_c, contact_minutes, method, rinse_ph,
         result, note, is_withdrawn, follows_pours)
       VALUES (@cleaningId, @correctsId, @timeMs, @userId, @tapName, @beverage, @kind, @startedMs, @endedMs, @cleanedBy,
         @checkedBy, @agent, @concentrationPercent, @tempC, @contactMinutes, @method, @rinsePh, @result, @note,
         @isWithdrawn, @followsPours) RETURNING id`,
    )
    .pluck();
  const of = db.prepare<[number], EntryRow>(
    `SELECT e.*, u.username FROM cleaning_entries e LEFT JOIN users u ON u.id = e.user_id
     WHERE e.cleaning_id = ? ORDER BY e.id DESC`,
  );
  const where = `e.corrects_id IS NULL AND e.started_time_ms >= @sinceMs AND e.started_time_ms < @untilMs
     AND (@tapId IS NULL OR c.tap_id = @tapId)`;
  const idsInOrder = (comparison: '<=' | '>=', order: 'DESC' | 'ASC') =>
    db
      .prepare<CleaningLogFilter & { from: number; limit: number }, number>(
        `SELECT c.id FROM cleaning_entries e JOIN cleanings c ON c.id = e.cleaning_id
         WHERE ${where} AND c.id ${comparison} @from ORDER BY c.id ${order} LIMIT @limit`,
      )
      .pluck();
  const ids = { down: idsInOrder('<=', 'DESC'), up: idsInOrder('>=', 'ASC') };
  const count = db
    .prepare<CleaningLogFilter, number>(
      `SELECT count(*) FROM cleaning_entries e JOIN cleanings c ON c.id = e.cleaning_id WHERE ${where}`,
    )
    .pluck();
  const lastDone = db.prepare<[], { tap_id: number; kind: CleaningKind; ms: number }>(
    `SELECT c.tap_id, e.kind, max(e.ended_time_ms) AS ms
     FROM cleaning_entries e JOIN cleanings c ON c.id = e.cleaning_id
     WHERE e.is_withdrawn = 0 AND e.result <> 'failed'
       AND NOT EXISTS (SELECT 1 FROM cleaning_entries later WHERE later.corrects_id = e.id)
     GROUP BY c.tap_id, e.kind`,
  );
  const lastResult = db.prepare<[number], CleaningResult | null>(`SELECT ${lastResultOf('?')}`).pluck();
  return {
    /** Returns its id. */
    add: ({ isWithdrawn, followsPours, ...entry }: NewCleaningEntry): number =>
      insert.get({ ...entry, isWithdrawn: Number(isWithdrawn), followsPours: Number(followsPours) })!,
    /** The entries of a cleaning, newest first: the first one holds. */
    of: (cleaningId: number): readonly CleaningEntry[] => of.all(cleaningId).map(toEntry),
    /** Ids of the cleanings with entries, newest first, whatever the direction of the slice. */
    cleaningIds(filter: CleaningLogFilter, { from, limit, upwards }: Slice): readonly number[] {
      const values = { ...filter, from: from.id, limit };
      return upwards ? ids.up.all(values).reverse() : ids.down.all(values);
    },
    count: (filter: CleaningLogFilter): number => count.get(filter)!,
    /** The result of the tap's last cleaning that holds; null without one. */
    lastResult: (tapId: number): CleaningResult | null => lastResult.get(tapId) ?? null,
    /** The end of the last cleaning of each tap and kind that holds and did not fail. Reads the whole log. */
    lastDone: (): readonly { readonly tapId: number; readonly kind: CleaningKind; readonly ms: number }[] =>
      lastDone.all().map((row) => ({ tapId: row.tap_id, kind: row.kind, ms: row.ms })),
  };
}

const toEntry = (row: EntryRow): CleaningEntry => ({
  id: row.id,
  cleaningId: row.cleaning_id,
  correctsId: row.corrects_id,
  timeMs: row.time_ms,
  username: row.username,
  tapName: row.tap_name,
  beverage: row.beverage,
  kind: row.kind,
  startedMs: row.started_time_ms,
  endedMs: row.ended_time_ms,
  cleanedBy: row.cleaned_by,
  checkedBy: row.checked_by,
  agent: row.agent,
  concentrationPercent: row.concentration_percent,
  tempC: row.temp_c,
  contactMinutes: row.contact_minutes,
  method: row.method,
  rinsePh: row.rinse_ph,
  result: row.result,
  note: row.note,
  isWithdrawn: row.is_withdrawn === 1,
  followsPours: row.follows_pours === 1,
});

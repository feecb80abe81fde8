import type { Database } from '../../../store/database.ts';

/** A month whose balance was frozen. */
export interface ClosedMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly closedMs: number;
  /** JSON. */
  readonly content: string;
}

interface MonthRow {
  readonly month: string;
  readonly closed_ms: number;
  readonly content: string;
}

/** The balances of closed months. */
export function closedMonthsTable(db: Database) {
  const get = db.prepare<[string], MonthRow>('SELECT * FROM closed_months WHERE month = ?');
  const add = db.prepare<ClosedMonth>(
    'INSERT INTO closed_months (month, closed_ms, content) VALUES (@month, @closedMs, @content)',
  );
  const remove = db.prepare<[string]>('DELETE FROM closed_months WHERE month = ?');
  return {
    get(month: string): ClosedMonth | null {
      const row = get.get(month);
      return row === undefined ? null : { month: row.month, closedMs: row.closed_ms, content: row.content };
    },
    add: (month: ClosedMonth): void => void add.run(month),
    remove: (month: string): boolean => remove.run(month).changes > 0,
  };
}

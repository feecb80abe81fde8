import type { Database } from '../../../store/database.ts';
import { preparePages, type Slice } from '../../../store/shared/slice.ts';
import type { CountReason, StockCount, StockCountLine } from '../core/stock-count.ts';

interface CountRow {
  id: number;
  time_ms: number;
  username: string | null;
  note: string;
  is_adjusted: number;
}

interface LineRow {
  beverage_id: number | null;
  beverage: string;
  size: string;
  full_volume_ml: number;
  expected: number;
  counted: number;
  reason: CountReason | null;
  value_minor: number | null;
}

/** A count before it is stored. */
type NewCount = Omit<StockCount, 'id' | 'username'> & { readonly userId: number | null };

/** Counts of the kegs in stock. */
export function stockCountsTable(db: Database) {
  const page = preparePages<CountRow>(db, {
    select: `SELECT c.id, c.time_ms, u.username, c.note, c.is_adjusted
       FROM stock_counts c LEFT JOIN users u ON u.id = c.user_id`,
    id: 'c.id',
  });
  const total = db.prepare<[], number>('SELECT count(*) FROM stock_counts').pluck();
  const lines = db.prepare<[number], LineRow>(
    'SELECT * FROM stock_count_lines WHERE count_id = ? ORDER BY id',
  );
  const insert = db
    .prepare<{ timeMs: number; userId: number | null; note: string; isAdjusted: number }, number>(
      `INSERT INTO stock_counts (time_ms, user_id, note, is_adjusted)
       VALUES (@timeMs, @userId, @note, @isAdjusted) RETURNING id`,
    )
    .pluck();
  const insertLine = db.prepare<StockCountLine & { countId: number }>(
    `INSERT INTO stock_count_lines (count_id, beverage_id, beverage, size, full_volume_ml, expected, counted, reason, value_minor)
     VALUES (@countId, @beverageId, @beverage, @size, @fullVolumeMl, @expected, @counted, @reason, @valueMinor)`,
  );
  const toCount = (row: CountRow): StockCount => ({
    id: row.id,
    timeMs: row.time_ms,
    username: row.username,
    note: row.note,
    isAdjusted: row.is_adjusted === 1,
    lines: lines.all(row.id).map(toLine),
  });
  return {
    page: (slice: Slice): readonly StockCount[] => page(slice).map(toCount),
    total: (): number => total.get()!,
    add({ timeMs, userId, note, isAdjusted, lines: counted }: NewCount): number {
      const id = insert.get({ timeMs, userId, note, isAdjusted: Number(isAdjusted) })!;
      for (const line of counted) insertLine.run({ ...line, countId: id });
      return id;
    },
  };
}

const toLine = (row: LineRow): StockCountLine => ({
  beverageId: row.beverage_id,
  beverage: row.beverage,
  size: row.size,
  fullVolumeMl: row.full_volume_ml,
  expected: row.expected,
  counted: row.counted,
  reason: row.reason,
  valueMinor: row.value_minor,
});

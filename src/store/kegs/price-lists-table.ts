import type { Database } from '../database.ts';

/** Price of one serving size of a beverage. */
export interface SizePrice {
  readonly sizeId: number;
  /** Volume of the size when the price was set. */
  readonly volumeMl: number;
  /** In the smallest unit of the currency. */
  readonly priceMinor: number;
}

/** The prices of beverages by serving size. A change is a new list, so that earlier drinks keep the prices of their time. */
export function priceListsTable(db: Database) {
  const current = db.prepare<[number], { size_id: number; volume_ml: number; price_minor: number }>(
    `SELECT p.serving_size_id AS size_id, p.volume_ml, p.price_minor
     FROM prices p JOIN serving_sizes s ON s.id = p.serving_size_id
     WHERE p.list_id = (SELECT id FROM price_lists WHERE beverage_id = ? ORDER BY since_ms DESC LIMIT 1)
     ORDER BY s.position, s.id`,
  );
  const ordinary = db.prepare<[number], { size_id: number; volume_ml: number; price_minor: number }>(
    `SELECT p.serving_size_id AS size_id, p.volume_ml, p.price_minor
     FROM prices p JOIN serving_sizes s ON s.id = p.serving_size_id
     WHERE p.list_id = (SELECT id FROM price_lists WHERE beverage_id = ? AND is_scheduled = 0 ORDER BY since_ms DESC LIMIT 1)
     ORDER BY s.position, s.id`,
  );
  const beverages = db.prepare<[], number>('SELECT DISTINCT beverage_id FROM price_lists').pluck();
  const newest = db
    .prepare<[number], number | null>('SELECT max(since_ms) FROM price_lists WHERE beverage_id = ?')
    .pluck();
  const removeFrom = db.prepare<[number, number]>(
    'DELETE FROM price_lists WHERE beverage_id = ? AND since_ms >= ?',
  );
  const addList = db
    .prepare<[number, number, number], number>(
      'INSERT INTO price_lists (beverage_id, since_ms, is_scheduled) VALUES (?, ?, ?) RETURNING id',
    )
    .pluck();
  const addPrice = db.prepare<SizePrice & { listId: number }>(
    `INSERT INTO prices (list_id, serving_size_id, volume_ml, price_minor)
     VALUES (@listId, @sizeId, @volumeMl, @priceMinor)`,
  );
  return {
    /** The present prices of a beverage in the order of the sizes; empty without any. */
    current: (beverageId: number): readonly SizePrice[] => current.all(beverageId).map(toPrice),
    /** As staff set them, also while a schedule replaces them. */
    ordinary: (beverageId: number): readonly SizePrice[] => ordinary.all(beverageId).map(toPrice),
    /** Ids of the beverages that have or had prices, also of those that are gone. */
    beverages: (): readonly number[] => beverages.all(),
    /** Since when its present prices hold, Unix milliseconds; null when it never had any. */
    newestSinceMs: (beverageId: number): number | null => newest.get(beverageId) ?? null,
    /** Sets all prices of a beverage from a time on, in place of all later ones; an empty list removes them. */
    set(beverageId: number, sinceMs: number, prices: readonly SizePrice[], isScheduled = false): void {
      removeFrom.run(beverageId, sinceMs);
      const listId = addList.get(beverageId, sinceMs, Number(isScheduled))!;
      for (const price of prices) addPrice.run({ ...price, listId });
    },
  };
}

const toPrice = (row: { size_id: number; volume_ml: number; price_minor: number }): SizePrice => ({
  sizeId: row.size_id,
  volumeMl: row.volume_ml,
  priceMinor: row.price_minor,
});

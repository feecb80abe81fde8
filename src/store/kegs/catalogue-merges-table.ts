import type { Database } from '../database.ts';

/** The kinds of records that are merged. */
export type MergeKind = 'beverage' | 'producer';

/** A stored merge. `removed` is what undo restores, as JSON. */
export interface CatalogueMerge {
  readonly id: number;
  readonly kind: MergeKind;
  readonly keptId: number;
  readonly removedId: number;
  readonly removed: string;
}

interface Move {
  /** The record that they belong to now. */
  readonly from: number;
  readonly to: number;
}

/** Records that a merge moved, by id. */
export interface MovedIds {
  readonly kegs: readonly number[];
  /** Taps where it is announced as the next beverage. */
  readonly taps: readonly number[];
  /** Beverages of a producer. */
  readonly beverages: readonly number[];
  /** Price lists; they move to a beverage that has none. */
  readonly priceLists: readonly number[];
  /** Imported records, as `[source, key]`. */
  readonly imports: readonly (readonly [sourceId: number, key: string])[];
}

/** A stored price of a beverage; the size is null in a list without prices and after the size was deleted. */
export interface StoredPrice {
  readonly sinceMs: number;
  readonly sizeId: number | null;
  readonly volumeMl: number | null;
  readonly priceMinor: number | null;
}

/** Merges of beverages and of producers. */
export function catalogueMergesTable(db: Database) {
  /** Moves rows to another record: all of them, or those with these ids. */
  const prepareMove = (table: string, column: string) => {
    const update = `UPDATE ${table} SET ${column} = @to WHERE ${column} = @from`;
    return {
      all: db.prepare<Move, number>(`${update} RETURNING id`).pluck(),
      some: db.prepare<Move & { ids: string }>(`${update} AND id IN (SELECT value FROM json_each(@ids))`),
    };
  };
  const moves = {
    kegs: prepareMove('kegs', 'beverage_id'),
    taps: prepareMove('taps', 'next_beverage_id'),
    beverages: prepareMove('beverages', 'producer_id'),
    priceLists: prepareMove('price_lists', 'beverage_id'),
  };
  const prices = db.prepare<[number], StoredPrice>(
    `SELECT l.since_ms AS sinceMs, p.serving_size_id AS sizeId, p.volume_ml AS volumeMl, p.price_minor AS priceMinor
     FROM price_lists l LEFT JOIN prices p ON p.list_id = l.id WHERE l.beverage_id = ? ORDER BY l.since_ms, p.id`,
  );
  const addList = db.prepare<[number, number]>(
    'INSERT INTO price_lists (beverage_id, since_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const addPrice = db.prepare<StoredPrice & { beverageId: number }>(
    `INSERT INTO prices (list_id, serving_size_id, volume_ml, price_minor)
     SELECT id, (SELECT id FROM serving_sizes WHERE id = @sizeId), @volumeMl, @priceMinor
     FROM price_lists WHERE beverage_id = @beverageId AND since_ms = @sinceMs`,
  );
  const moveImports = db
    .prepare<Move, [number, string]>(
      `UPDATE import_records SET local_id = @to WHERE kind = 'beverage' AND local_id = @from RETURNING source_id, key`,
    )
    .raw();
  const moveImport = db.prepare<Move & { sourceId: number; key: string }>(
    `UPDATE import_records SET local_id = @to
     WHERE source_id = @sourceId AND kind = 'beverage' AND key = @key AND local_id = @from`,
  );
  const insert = db.prepare<CatalogueMerge>(
    `INSERT INTO catalogue_merges (id, kind, kept_id, removed_id, removed)
     VALUES (@id, @kind, @keptId, @removedId, @removed)`,
  );
  const byId = db.prepare<[number], CatalogueMerge & { undone: number }>(
    `SELECT id, kind, kept_id AS keptId, removed_id AS removedId, removed, undone FROM catalogue_merges WHERE id = ?`,
  );
  const setUndone = db.prepare<[number]>('UPDATE catalogue_merges SET undone = 1 WHERE id = ?');
  return {
    /** All prices that a beverage has or had. */
    prices: (beverageId: number): readonly StoredPrice[] => prices.all(beverageId),
    restorePrices(beverageId: number, stored: readonly StoredPrice[]): void {
      for (const price of stored) {
        addList.run(beverageId, price.sinceMs);
        if (price.priceMinor !== null) addPrice.run({ ...price, beverageId });
      }
    },
    moveBeverage: (move: Move): MovedIds => ({
      kegs: moves.kegs.all.all(move),
      taps: moves.taps.all.all(move),
      priceLists: prices.all(move.to).length === 0 ? moves.priceLists.all.all(move) : [],
      imports: moveImports.all(move),
      beverages: [],
    }),
    moveProducer: (move: Move): MovedIds => ({
      kegs: [],
      taps: [],
      priceLists: [],
      imports: [],
      beverages: moves.beverages.all.all(move),
    }),
    /** Moves those of these records that still belong to `from`. */
    moveBack(moved: MovedIds, move: Move): void {
      for (const table of ['kegs', 'taps', 'beverages', 'priceLists'] as const) {
        moves[table].some.run({ ...move, ids: JSON.stringify(moved[table]) });
      }
      for (const [sourceId, key] of moved.imports) moveImport.run({ ...move, sourceId, key });
    },
    add: (merge: CatalogueMerge): void => void insert.run(merge),
    byId(id: number): (CatalogueMerge & { readonly isUndone: boolean }) | null {
      const row = byId.get(id);
      if (row === undefined) return null;
      const { undone, ...merge } = row;
      return { ...merge, isUndone: undone === 1 };
    },
    setUndone: (id: number): void => void setUndone.run(id),
  };
}

import type { Database } from '../database.ts';
import type { BeverageIds } from '../shared/beverage-ids.ts';

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
  /** Rows of extensions, by `table.column`: their keys. */
  readonly ofExtensions: Readonly<Record<string, readonly RowKey[]>>;
}

type RowKey = readonly (number | string)[];

/** Merges of beverages and of producers; `beverageIds` are those of all extensions. */
export function catalogueMergesTable(db: Database, beverageIds: readonly BeverageIds[] = []) {
  /** Moves rows to another record: all of them, or those with these ids. */
  const prepareMove = (table: string, column: string) => {
    const update = `UPDATE ${table} SET ${column} = @to WHERE ${column} = @from`;
    return {
      all: db.prepare<Move, number>(`${update} RETURNING id`).pluck(),
      some: db
        .prepare<Move & { ids: string }, number>(
          `${update} AND id IN (SELECT value FROM json_each(@ids)) RETURNING id`,
        )
        .pluck(),
    };
  };
  const moves = {
    kegs: prepareMove('kegs', 'beverage_id'),
    taps: prepareMove('taps', 'next_beverage_id'),
    beverages: prepareMove('beverages', 'producer_id'),
  };
  const extensionMoves = beverageIds.map(({ table, column, where = '1', key }) => {
    const update = `UPDATE ${table} SET ${column} = @to WHERE ${column} = @from AND ${where}`;
    const values = key.map((_, i) => `value ->> ${i}`).join(', ');
    return {
      name: `${table}.${column}`,
      all: db.prepare<Move, RowKey>(`${update} RETURNING ${key.join(', ')}`).raw(),
      some: db.prepare<Move & { keys: string }>(
        `${update} AND (${key.join(', ')}) IN (SELECT ${values} FROM json_each(@keys))`,
      ),
    };
  });
  const insert = db.prepare<CatalogueMerge>(
    `INSERT INTO catalogue_merges (id, kind, kept_id, removed_id, removed)
     VALUES (@id, @kind, @keptId, @removedId, @removed)`,
  );
  const byId = db.prepare<[number], CatalogueMerge & { undone: number }>(
    `SELECT id, kind, kept_id AS keptId, removed_id AS removedId, removed, undone FROM catalogue_merges WHERE id = ?`,
  );
  const setUndone = db.prepare<[number]>('UPDATE catalogue_merges SET undone = 1 WHERE id = ?');
  return {
    moveBeverage: (move: Move): MovedIds => ({
      kegs: moves.kegs.all.all(move),
      taps: moves.taps.all.all(move),
      ofExtensions: Object.fromEntries(extensionMoves.map(({ name, all }) => [name, all.all(move)])),
      beverages: [],
    }),
    moveProducer: (move: Move): MovedIds => ({
      kegs: [],
      taps: [],
      ofExtensions: {},
      beverages: moves.beverages.all.all(move),
    }),
    /** Moves those of these records that still belong to `from`; returns the kegs. */
    moveBack(moved: MovedIds, move: Move): readonly number[] {
      const [kegs] = (['kegs', 'taps', 'beverages'] as const).map((table) =>
        moves[table].some.all({ ...move, ids: JSON.stringify(moved[table]) }),
      );
      for (const { name, some } of extensionMoves)
        some.run({ ...move, keys: JSON.stringify(moved.ofExtensions[name] ?? []) });
      return kegs!;
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

import type { Drink } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from '../shared/paged-list.ts';
import type { Slice } from '../shared/slice.ts';
import { type DrinkRow, selectDrinks as select, toDrink } from './drink-row.ts';

/** A column of drinks that refers to another table, and its value. */
interface PairValue {
  readonly column: 'session_id' | 'keg_id' | 'user_id';
  readonly value: number;
}

/**
 * Drinks recorded last, among which the latest pours are searched: a controller that was disconnected may report many
 * early pours at once.
 */
const maxLateDrinks = 200;

/** Drinks of which a part came from the keg. */
const dividedOfKeg = `SELECT m.id FROM drinks m INDEXED BY drinks_of_several_kegs, json_each(m.parts) p
  WHERE m.parts IS NOT NULL AND p.value ->> '$.keg_id' = @keg_id`;

/** Lists of recorded pours, and their numbers. */
export function drinkLists(db: Database) {
  const withGasOrFoam = db.prepare<[limit: number], DrinkRow>(
    `${select} WHERE d.gas_ticks + d.foam_ticks > 0 AND d.is_valid = 1 ORDER BY d.id DESC LIMIT ?`,
  );
  const pageWhere = (term: string) =>
    db.prepare<[number, number], DrinkRow>(
      `${select} WHERE ${term} AND d.id <= ? ORDER BY d.id DESC LIMIT ?`,
    );
  // Nearly all drinks are valid: SQLite must scan them by id instead of using the index of the held ones.
  const page = {
    valid: pageWhere('+d.is_valid = 1'),
    held: pageWhere('d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0'),
  };
  const latest = db.prepare<[number], DrinkRow>(
    `SELECT d.*, u.username
     FROM (SELECT * FROM drinks WHERE +is_valid = 1 ORDER BY id DESC LIMIT ${maxLateDrinks}) d
     LEFT JOIN users u ON u.id = d.user_id ORDER BY d.pour_time_ms DESC, d.id DESC LIMIT ?`,
  );
  const list = pagedList<DrinkRow>(db, {
    table: 'drinks',
    alias: 'd',
    columns: 'd.*, u.username',
    joins: 'LEFT JOIN users u ON u.id = d.user_id',
    time: 'pour_time_ms',
    besideTime: 'is_valid',
    beforeTime: ['tap_id,is_valid'],
    conditions: {
      keg_id: {
        seek: `d.id IN (SELECT id FROM drinks WHERE keg_id = @keg_id AND parts IS NULL UNION ALL ${dividedOfKeg})`,
        scan: `(+d.keg_id = @keg_id OR (d.parts IS NOT NULL AND d.id IN (${dividedOfKeg})))`,
      },
    },
    sparse: { column: 'is_valid', usual: 1, without: 'is_set_aside' },
  });
  const byToken = db.prepare<[string, number], DrinkRow>(
    `${select} WHERE d.auth_token = ? AND +d.is_valid = 1 ORDER BY d.id DESC LIMIT ?`,
  );
  const countByToken = db
    .prepare<[string], number>('SELECT count(*) FROM drinks WHERE auth_token = ? AND +is_valid = 1')
    .pluck();
  const heldCount = db
    .prepare<[], number>(
      'SELECT count(*) FROM drinks d WHERE d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0',
    )
    .pluck();
  const heldTapIds = db
    .prepare<[], number>(
      `SELECT d.tap_id FROM drinks d
       WHERE d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0 AND d.tap_id IS NOT NULL`,
    )
    .pluck();
  // Reads the drinks found through the index of the first column; the index of kegs contains the user.
  const pairCounts = new Map<string, ReturnType<typeof preparePair>>();
  const preparePair = (first: string, second: string) =>
    db
      .prepare<[number, number], number>(
        `SELECT count(*) FROM ${first === 'keg_id' || second === 'keg_id' ? 'keg_drinks' : 'drinks'} d
         WHERE d.${first} = ? AND +d.${second} = ? AND +d.is_valid = 1`,
      )
      .pluck();
  const pairCount = (first: string, second: string) => {
    const statement = pairCounts.get(`${first} ${second}`) ?? preparePair(first, second);
    pairCounts.set(`${first} ${second}`, statement);
    return statement;
  };
  return {
    /** The newest drinks recorded with that token, newest first; without held ones. */
    byToken: (token: string, limit: number): readonly Drink[] =>
      byToken.all(token, limit).map((row) => toDrink(row)!),
    countByToken: (token: string): number => countByToken.get(token)!,
    /** Recorded last, newest first, from id `from` downwards. */
    page: (of: 'valid' | 'held', from: number, limit: number): readonly Drink[] =>
      page[of].all(from, limit).map((row) => toDrink(row)!),
    /** The latest pours, latest first, by pour time and not by the time of recording; without held ones. */
    latest: (limit: number): readonly Drink[] => latest.all(limit).map((row) => toDrink(row)!),
    /** The drinks that match the filter, newest first; `is_valid` is one of its columns. */
    filteredPage: (filter: ListFilter, slice: Slice): readonly Drink[] =>
      list.page(filter, slice).map((row) => toDrink(row)!),
    /** The newest drinks of which ticks were taken for gas or foam, newest first. */
    withGasOrFoam: (limit: number): readonly Drink[] => withGasOrFoam.all(limit).map((row) => toDrink(row)!),
    /** Number of held drinks, a few dozen at most. */
    heldCount: (): number => heldCount.get()!,
    /** The tap of each held drink. */
    heldTapIds: (): readonly number[] => heldTapIds.all(),
    /** Number of drinks for which both columns have these values. */
    countPair: ([first, second]: readonly [PairValue, PairValue]): number =>
      pairCount(first.column, second.column).get(first.value, second.value)!,
    /** Counted row by row, up to `maxCounted`. */
    count: list.count,
    /** Number of drinks that match the filter, counted by an index that contains its columns. */
    countBy: ({ seek, scan }: ListFilter): number => list.countBy({ ...seek, ...scan }),
    /** Valid or held drinks that were poured between two times. */
    between: (span: { sinceMs?: number; untilMs?: number }, isValid: boolean) =>
      list.between(span, { is_valid: Number(isValid) }),
  };
}

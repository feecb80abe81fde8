import { type Beverage, beverageFields } from '../../core/kegs/records/beverage-record.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { type RawRow, recordColumns, recordTable } from '../shared/record-table.ts';
import { preparePages, type Slice } from '../shared/slice.ts';
import { producerColumns, toPicture, toProducer } from './producers-table.ts';
import { defineSearchFunction } from './search-function.ts';

/** Where a beverage is: in a keg on a tap, in a keg in stock, or in no keg at all. */
export type BeverageUse = 'on_tap' | 'in_stock' | 'unused';

/** Which beverages to list; absent filters do not filter. */
export interface BeverageFilter {
  /** Words of the name, the producer's name or the style. */
  readonly search?: string;
  readonly use?: BeverageUse;
}

/** Names that identify a beverage. */
interface BeverageNames {
  readonly name: string;
  readonly producerName: string;
  readonly style: string | null;
  readonly beverageType: Beverage['beverageType'];
}

const beverage = recordColumns(beverageFields, 'b');

const select = `SELECT ${beverage.sql}, i.name, i.caption, ${producerColumns}
  FROM beverages b JOIN producers p ON p.id = b.producer_id
  LEFT JOIN pictures i ON i.beverage_id = b.id LEFT JOIN pictures q ON q.producer_id = p.id`;

const hasKeg = (where: string) => `EXISTS (SELECT 1 FROM kegs k WHERE k.beverage_id = b.id AND ${where})`;

const uses: Readonly<Record<BeverageUse | 'any', string>> = {
  any: '1',
  on_tap: hasKeg(`k.state = 'on_tap'`),
  in_stock: hasKeg(`k.state = 'available'`),
  unused: `NOT ${hasKeg('1')}`,
};

/** Beverages. */
export function beveragesTable(db: Database, caches: Caches) {
  const byId = db.prepare<[number], RawRow>(`${select} WHERE b.id = ?`).raw();
  // Every reply to a pour names the beverage, and the catalogue changes about once a month.
  const cachedBeverages = caches.untilChange(() => new Map<number, Beverage>());
  defineSearchFunction(db);
  const prepareList = (use: keyof typeof uses) => {
    const where = `${uses[use]} AND (@search = '' OR matches_search(b.name || ' ' || p.name || ' ' || ifnull(b.style, ''), @search))`;
    return {
      page: preparePages<RawRow>(db, { select, id: 'b.id', where, isRaw: true }),
      count: db
        .prepare<{ search: string }, number>(
          `SELECT count(*) FROM beverages b JOIN producers p ON p.id = b.producer_id WHERE b.id > 0 AND ${where}`,
        )
        .pluck(),
    };
  };
  const lists = {
    any: prepareList('any'),
    on_tap: prepareList('on_tap'),
    in_stock: prepareList('in_stock'),
    unused: prepareList('unused'),
  };
  const byNames = db
    .prepare<BeverageNames, RawRow>(
      `${select} WHERE b.name = @name AND p.name = @producerName AND b.style IS @style
         AND b.beverage_type = @beverageType LIMIT 1`,
    )
    .raw();
  const namesByProducer = db
    .prepare<[number, number], string>('SELECT name FROM beverages WHERE producer_id = ? ORDER BY id LIMIT ?')
    .pluck();
  return {
    ...recordTable(db, 'beverages', beverageFields),
    byId(id: number): Beverage | null {
      const beers = cachedBeverages();
      const beer = beers.get(id) ?? toBeverage(byId.get(id));
      if (beer !== null) beers.set(id, beer);
      return beer;
    },
    count: ({ search = '', use }: BeverageFilter = {}): number => lists[use ?? 'any'].count.get({ search })!,
    /** Newest first. */
    page: (slice: Slice, { search = '', use }: BeverageFilter = {}): readonly Beverage[] =>
      lists[use ?? 'any'].page(slice, { search }).map((row) => toBeverage(row)!),
    /** A beverage with exactly these names. */
    byNames: (names: BeverageNames): Beverage | null => toBeverage(byNames.get(names)),
    /** Names of a producer's beverages, at most `limit`. */
    namesByProducer: (producerId: number, limit: number): readonly string[] =>
      namesByProducer.all(producerId, limit),
  };
}

function toBeverage(row: RawRow | undefined): Beverage | null {
  if (row === undefined) return null;
  const { producerId: _producerId, ...fields } = beverage.read(row);
  return {
    ...fields,
    picture: toPicture(row, beverage.count),
    producer: toProducer(row, beverage.count + 2),
  };
}

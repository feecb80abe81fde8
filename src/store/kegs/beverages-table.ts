import type { Beverage } from '../../core/records.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { preparePages, type Slice } from '../shared/slice.ts';
import { type ProducerColumns, producerColumns, toProducer } from './producers-table.ts';
import { defineSearchFunction } from './search-function.ts';

/** The writable fields of a beverage. */
export interface BeverageFields extends Omit<Beverage, 'id' | 'producer' | 'picture'> {
  readonly producerId: number;
}

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

interface BeverageRow extends ProducerColumns {
  id: number;
  name: string;
  beverage_type: Beverage['beverageType'];
  style: string | null;
  description: string;
  vintage_year: string | null;
  abv_percent: number | null;
  calories_per_ml: number | null;
  carbs_per_ml: number | null;
  color_hex: string;
  original_gravity: number | null;
  specific_gravity: number | null;
  srm: number | null;
  ibu: number | null;
  star_rating: number | null;
  untappd_beer_id: number | null;
  allergens: string;
  picture_name: string | null;
  picture_caption: string | null;
}

const select = `SELECT b.*, i.name AS picture_name, i.caption AS picture_caption, ${producerColumns}
  FROM beverages b JOIN producers p ON p.id = b.producer_id
  LEFT JOIN pictures i ON i.beverage_id = b.id LEFT JOIN pictures q ON q.producer_id = p.id`;

const hasKeg = (where: string) => `EXISTS (SELECT 1 FROM kegs k WHERE k.beverage_id = b.id AND ${where})`;

const uses: Readonly<Record<BeverageUse | 'any', string>> = {
  any: '1',
  on_tap: hasKeg(`k.state = 'on_tap'`),
  in_stock: hasKeg(`k.state = 'available'`),
  unused: `NOT ${hasKeg('1')}`,
};

/** Columns and the fields they are written from. */
const written = [
  ['name', 'name'],
  ['producer_id', 'producerId'],
  ['beverage_type', 'beverageType'],
  ['style', 'style'],
  ['description', 'description'],
  ['vintage_year', 'vintageYear'],
  ['abv_percent', 'abvPercent'],
  ['calories_per_ml', 'caloriesPerMl'],
  ['carbs_per_ml', 'carbsPerMl'],
  ['color_hex', 'colorHex'],
  ['original_gravity', 'originalGravity'],
  ['specific_gravity', 'specificGravity'],
  ['srm', 'srm'],
  ['ibu', 'ibu'],
  ['star_rating', 'starRating'],
  ['untappd_beer_id', 'untappdBeerId'],
  ['allergens', 'allergens'],
] as const satisfies readonly (readonly [column: string, field: keyof BeverageFields])[];

/** Beverages. */
export function beveragesTable(db: Database, caches: Caches) {
  const byId = db.prepare<[number], BeverageRow>(`${select} WHERE b.id = ?`);
  // Every reply to a pour names the beverage, and the catalogue changes about once a month.
  const cachedBeverages = caches.untilChange(() => new Map<number, Beverage>());
  defineSearchFunction(db);
  const prepareList = (use: keyof typeof uses) => {
    const where = `${uses[use]} AND (@search = '' OR matches_search(b.name || ' ' || p.name || ' ' || ifnull(b.style, ''), @search))`;
    return {
      page: preparePages<BeverageRow>(db, { select, id: 'b.id', where }),
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
  const byNames = db.prepare<BeverageNames, BeverageRow>(
    `${select} WHERE b.name = @name AND p.name = @producerName AND b.style IS @style
       AND b.beverage_type = @beverageType LIMIT 1`,
  );
  const insert = db
    .prepare<BeverageFields, number>(
      `INSERT INTO beverages (${written.map(([column]) => column).join(', ')})
       VALUES (${written.map(([, field]) => `@${field}`).join(', ')}) RETURNING id`,
    )
    .pluck();
  const restore = db.prepare<BeverageFields & { id: number }>(
    `INSERT INTO beverages (id, ${written.map(([column]) => column).join(', ')})
     VALUES (@id, ${written.map(([, field]) => `@${field}`).join(', ')})`,
  );
  const change = db.prepare<BeverageFields & { id: number }>(
    `UPDATE beverages SET ${written.map(([column, field]) => `${column} = @${field}`).join(', ')} WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM beverages WHERE id = ?');
  const namesByProducer = db
    .prepare<[number, number], string>('SELECT name FROM beverages WHERE producer_id = ? ORDER BY id LIMIT ?')
    .pluck();
  return {
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
    /** Returns its id. */
    add: (beverage: BeverageFields): number => insert.get(beverage)!,
    /** Adds a removed beverage again under its id. */
    restore: (id: number, beverage: BeverageFields): void => void restore.run({ ...beverage, id }),
    change: (id: number, beverage: BeverageFields): void => void change.run({ ...beverage, id }),
    remove: (id: number): void => void remove.run(id),
    /** Names of a producer's beverages, at most `limit`. */
    namesByProducer: (producerId: number, limit: number): readonly string[] =>
      namesByProducer.all(producerId, limit),
  };
}

function toBeverage(row: BeverageRow | undefined): Beverage | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    producer: toProducer(row),
    beverageType: row.beverage_type,
    style: row.style,
    description: row.description,
    vintageYear: row.vintage_year,
    abvPercent: row.abv_percent,
    caloriesPerMl: row.calories_per_ml,
    carbsPerMl: row.carbs_per_ml,
    colorHex: row.color_hex,
    originalGravity: row.original_gravity,
    specificGravity: row.specific_gravity,
    srm: row.srm,
    ibu: row.ibu,
    starRating: row.star_rating,
    untappdBeerId: row.untappd_beer_id,
    allergens: row.allergens,
    picture: row.picture_name === null ? null : { name: row.picture_name, caption: row.picture_caption! },
  };
}

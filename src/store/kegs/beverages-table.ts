import type { Beverage } from '../../core/records.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { preparePages, type Slice } from '../shared/slice.ts';
import { type ProducerColumns, producerColumns, toProducer } from './producers-table.ts';

/** The writable fields of a beverage. */
export interface BeverageFields extends Omit<Beverage, 'id' | 'producer' | 'picture'> {
  readonly producerId: number;
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
  picture_name: string | null;
  picture_caption: string | null;
}

const select = `SELECT b.*, i.name AS picture_name, i.caption AS picture_caption, ${producerColumns}
  FROM beverages b JOIN producers p ON p.id = b.producer_id
  LEFT JOIN pictures i ON i.beverage_id = b.id LEFT JOIN pictures q ON q.producer_id = p.id`;

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
] as const satisfies readonly (readonly [column: string, field: keyof BeverageFields])[];

/** Beverages. */
export function beveragesTable(db: Database, caches: Caches) {
  const byId = db.prepare<[number], BeverageRow>(`${select} WHERE b.id = ?`);
  // Every reply to a pour names the beverage, and the catalogue changes about once a month.
  const cachedBeverages = caches.untilChange(() => new Map<number, Beverage>());
  const page = preparePages<BeverageRow>(db, { select, id: 'b.id' });
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
  const change = db.prepare<BeverageFields & { id: number }>(
    `UPDATE beverages SET ${written.map(([column, field]) => `${column} = @${field}`).join(', ')} WHERE id = @id`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM beverages').pluck();
  const remove = db.prepare<[number]>('DELETE FROM beverages WHERE id = ?');
  const idsByProducer = db
    .prepare<[number, number], number>('SELECT id FROM beverages WHERE producer_id = ? ORDER BY id LIMIT ?')
    .pluck();
  return {
    byId(id: number): Beverage | null {
      const beers = cachedBeverages();
      const beer = beers.get(id) ?? toBeverage(byId.get(id));
      if (beer !== null) beers.set(id, beer);
      return beer;
    },
    count: (): number => count.get()!,
    /** Newest first. */
    page: (slice: Slice): readonly Beverage[] => page(slice).map((row) => toBeverage(row)!),
    /** A beverage with exactly these names. */
    byNames: (names: BeverageNames): Beverage | null => toBeverage(byNames.get(names)),
    /** Returns its id. */
    add: (beverage: BeverageFields): number => insert.get(beverage)!,
    change: (id: number, beverage: BeverageFields): void => void change.run({ ...beverage, id }),
    remove: (id: number): void => void remove.run(id),
    /** Ids of a producer's beverages, at most `limit`. */
    idsByProducer: (producerId: number, limit: number): readonly number[] =>
      idsByProducer.all(producerId, limit),
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
    picture: row.picture_name === null ? null : { name: row.picture_name, caption: row.picture_caption! },
  };
}

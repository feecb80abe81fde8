import type { Beverage, Producer } from '../core/ledger.ts';
import type { Database } from './database.ts';

interface BeverageRow {
  id: number;
  name: string;
  producer_id: number;
  producer_name: string;
  country: string;
  beverage_type: Beverage['beverageType'];
  style: string | null;
  abv_percent: number | null;
  calories_per_ml: number | null;
  color_hex: string;
}

const select = `SELECT b.*, p.name AS producer_name, p.country
  FROM beverages b JOIN producers p ON p.id = b.producer_id`;

/** What can be in a keg, and who made it. */
export function beveragesTable(db: Database) {
  const byId = db.prepare<[number], BeverageRow>(`${select} WHERE b.id = ?`);
  const page = db.prepare<[number, number], BeverageRow>(
    `${select} WHERE b.id <= ? ORDER BY b.id DESC LIMIT ?`,
  );
  const producers = db.prepare<[number, number], Producer>(
    'SELECT id, name, country FROM producers WHERE id <= ? ORDER BY id DESC LIMIT ?',
  );
  const producerById = db.prepare<[number], Producer>('SELECT id, name, country FROM producers WHERE id = ?');
  const byNames = db.prepare<{ name: string; producer: string; style: string | null }, BeverageRow>(
    `${select} WHERE b.name = @name AND p.name = @producer AND b.style IS @style LIMIT 1`,
  );
  const producerId = db
    .prepare<[string], number>('SELECT id FROM producers WHERE name = ? ORDER BY id LIMIT 1')
    .pluck();
  const addProducer = db
    .prepare<[string], number>(`INSERT INTO producers (name, country) VALUES (?, 'USA') RETURNING id`)
    .pluck();
  const insert = db
    .prepare<
      { name: string; producerId: number; style: string | null; abvPercent: number | null; colorHex: string },
      number
    >(
      `INSERT INTO beverages (name, producer_id, beverage_type, style, abv_percent, color_hex)
       VALUES (@name, @producerId, 'beer', @style, @abvPercent, @colorHex) RETURNING id`,
    )
    .pluck();
  return {
    byId: (id: number): Beverage | null => toBeverage(byId.get(id)),
    /** The newest first, from id `from` downwards. */
    page: (from: number, limit: number): readonly Beverage[] =>
      page.all(from, limit).map((row) => toBeverage(row)!),
    producers: (from: number, limit: number): readonly Producer[] => producers.all(from, limit),
    producerById: (id: number): Producer | null => producerById.get(id) ?? null,
    byNames: (name: string, producer: string, style: string | null): Beverage | null =>
      toBeverage(byNames.get({ name, producer, style })),
    /** Creates the producer too when nobody has that name. */
    add(beverage: {
      name: string;
      producerName: string;
      style: string | null;
      abvPercent: number | null;
      colorHex: string;
    }): Beverage {
      const maker = producerId.get(beverage.producerName) ?? addProducer.get(beverage.producerName)!;
      const { name, style, abvPercent, colorHex } = beverage;
      return toBeverage(byId.get(insert.get({ name, producerId: maker, style, abvPercent, colorHex })!))!;
    },
  };
}

function toBeverage(row: BeverageRow | undefined): Beverage | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    producer: { id: row.producer_id, name: row.producer_name, country: row.country },
    beverageType: row.beverage_type,
    style: row.style,
    abvPercent: row.abv_percent,
    caloriesPerMl: row.calories_per_ml,
    colorHex: row.color_hex,
  };
}

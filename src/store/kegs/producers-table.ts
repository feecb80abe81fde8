import type { Producer } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';
import { defineSearchFunction } from './search-function.ts';

/** The writable fields of a producer. */
export type ProducerFields = Omit<Producer, 'id' | 'picture'>;

/** Columns of a producer and its picture within a row. */
export interface ProducerColumns {
  producer_id: number;
  producer_name: string;
  country: string;
  origin_state: string;
  origin_city: string;
  is_homebrew: number;
  url: string;
  producer_description: string;
  producer_picture: string | null;
  producer_caption: string | null;
}

/** For a query with the aliases `p` for the producer and `q` for its picture. */
export const producerColumns = `p.id AS producer_id, p.name AS producer_name, p.country, p.origin_state, p.origin_city,
  p.is_homebrew, p.url, p.description AS producer_description, q.name AS producer_picture, q.caption AS producer_caption`;

const select = `SELECT ${producerColumns} FROM producers p LEFT JOIN pictures q ON q.producer_id = p.id`;

type Params = Omit<ProducerFields, 'isHomebrew'> & { isHomebrew: number };

/** Producers of beverages. */
export function producersTable(db: Database) {
  const byId = db.prepare<[number], ProducerColumns>(`${select} WHERE p.id = ?`);
  defineSearchFunction(db);
  const where = `(@search = '' OR matches_search(p.name || ' ' || p.origin_city, @search))`;
  const page = preparePages<ProducerColumns>(db, { select, id: 'p.id', where });
  const idByName = db
    .prepare<[string], number>('SELECT id FROM producers WHERE name = ? ORDER BY id LIMIT 1')
    .pluck();
  const insert = db
    .prepare<Params, number>(
      `INSERT INTO producers (name, country, origin_state, origin_city, is_homebrew, url, description)
       VALUES (@name, @country, @originState, @originCity, @isHomebrew, @url, @description) RETURNING id`,
    )
    .pluck();
  const restore = db.prepare<Params & { id: number }>(
    `INSERT INTO producers (id, name, country, origin_state, origin_city, is_homebrew, url, description)
     VALUES (@id, @name, @country, @originState, @originCity, @isHomebrew, @url, @description)`,
  );
  const change = db.prepare<Params & { id: number }>(
    `UPDATE producers SET name = @name, country = @country, origin_state = @originState, origin_city = @originCity,
       is_homebrew = @isHomebrew, url = @url, description = @description WHERE id = @id`,
  );
  const count = db
    .prepare<{ search: string }, number>(`SELECT count(*) FROM producers p WHERE p.id > 0 AND ${where}`)
    .pluck();
  const remove = db.prepare<[number]>('DELETE FROM producers WHERE id = ?');
  const params = (producer: ProducerFields): Params => ({
    ...producer,
    isHomebrew: Number(producer.isHomebrew),
  });
  return {
    byId(id: number): Producer | null {
      const row = byId.get(id);
      return row === undefined ? null : toProducer(row);
    },
    /** `search` has words of the name or the city. */
    count: (search = ''): number => count.get({ search })!,
    /** Newest first. */
    page: (slice: Slice, search = ''): readonly Producer[] => page(slice, { search }).map(toProducer),
    /** The first producer of that name. */
    idByName: (name: string): number | null => idByName.get(name) ?? null,
    /** Returns its id. */
    add: (producer: ProducerFields): number => insert.get(params(producer))!,
    /** Adds a removed producer again under its id. */
    restore: (id: number, producer: ProducerFields): void => void restore.run({ ...params(producer), id }),
    change: (id: number, producer: ProducerFields): void => void change.run({ ...params(producer), id }),
    remove: (id: number): void => void remove.run(id),
  };
}

export function toProducer(row: ProducerColumns): Producer {
  return {
    id: row.producer_id,
    name: row.producer_name,
    country: row.country,
    originState: row.origin_state,
    originCity: row.origin_city,
    isHomebrew: row.is_homebrew === 1,
    url: row.url,
    description: row.producer_description,
    picture:
      row.producer_picture === null ? null : { name: row.producer_picture, caption: row.producer_caption! },
  };
}

import { type Producer, producerFields } from '../../core/kegs/records/producer-record.ts';
import type { Database } from '../database.ts';
import { type RawRow, recordColumns, recordTable } from '../shared/record-table.ts';
import { preparePages, type Slice } from '../shared/slice.ts';
import { defineSearchFunction } from './search-function.ts';

const producer = recordColumns(producerFields, 'p');

/** For a query with the aliases `p` for the producer and `q` for its picture. */
export const producerColumns = `${producer.sql}, q.name, q.caption`;

const select = `SELECT ${producerColumns} FROM producers p LEFT JOIN pictures q ON q.producer_id = p.id`;

/** Producers of beverages. */
export function producersTable(db: Database) {
  const byId = db.prepare<[number], RawRow>(`${select} WHERE p.id = ?`).raw();
  defineSearchFunction(db);
  const where = `(@search = '' OR matches_search(p.name || ' ' || p.origin_city, @search))`;
  const page = preparePages<RawRow>(db, { select, id: 'p.id', where, isRaw: true });
  const idByName = db
    .prepare<[string], number>('SELECT id FROM producers WHERE name = ? ORDER BY id LIMIT 1')
    .pluck();
  const count = db
    .prepare<{ search: string }, number>(`SELECT count(*) FROM producers p WHERE p.id > 0 AND ${where}`)
    .pluck();
  return {
    ...recordTable(db, 'producers', producerFields),
    byId(id: number): Producer | null {
      const row = byId.get(id);
      return row === undefined ? null : toProducer(row);
    },
    /** `search` has words of the name or the city. */
    count: (search = ''): number => count.get({ search })!,
    /** Newest first. */
    page: (slice: Slice, search = ''): readonly Producer[] =>
      page(slice, { search }).map((row) => toProducer(row)),
    /** The first producer of that name. */
    idByName: (name: string): number | null => idByName.get(name) ?? null,
  };
}

/** The producer whose columns begin at that position of a row. */
export const toProducer = (row: RawRow, at = 0): Producer => ({
  ...producer.read(row, at),
  picture: toPicture(row, at + producer.count),
});

/** The picture whose name and caption begin at that position of a row. */
export const toPicture = (row: RawRow, at: number): Producer['picture'] =>
  row[at] === null ? null : { name: row[at] as string, caption: row[at + 1] as string };

import type { Row } from '../../store/drinks/rows-table.ts';
import type { RestoredRows, RestoredTable } from '../../store/shared/restored-rows.ts';
import type { Store } from '../../store/store.ts';

/** Tables of records that are restored; a row refers to rows of the tables before its own only. */
const baseTables = [
  'producers',
  'beverages',
  'serving_sizes',
  'serving_size_state',
  'tap_serving_sizes',
  'price_schedules',
  'schedule_prices',
  'price_lists',
  'prices',
  'kegs',
  'keg_former_beverages',
  'keg_weighings',
  'meter_evidence',
  'events',
  'taps',
  'pictures',
] as const;

export type Table = (typeof baseTables)[number] | RestoredTable;

/** The same with those of the extensions. */
export const tablesOf = ({ drinks: { rows } }: Store): readonly Table[] => [
  ...baseTables,
  ...rows.restored.map(({ table }) => table),
];

/** What a picture belongs to. */
interface Pictured {
  readonly kind: 'beverage' | 'producer' | 'site' | 'site_logo' | 'keg';
  readonly id: number;
}

/** The rows of a record, at one instant. */
export type RecordRows = Partial<Record<Table, readonly Row[]>>;

/** The row of a record, for a change that keeps it. */
export const recordRow = (
  { drinks: { rows } }: Store,
  table: 'kegs' | 'beverages' | 'producers',
  id: number,
): RecordRows => ({
  [table]: present(rows.byKey(table, id)),
});

/** The picture of a beverage, a producer or the site. */
export const pictureRows = ({ drinks: { rows } }: Store, { kind, id }: Pictured): RecordRows => ({
  pictures: rows.byReference('pictures', `${kind}_id`, id),
});

/** The rows of a keg without drinks, with its events and where it is announced. */
export const kegRows = ({ drinks: { rows } }: Store, id: number): RecordRows => ({
  kegs: present(rows.byKey('kegs', id)),
  events: rows.byReference('events', 'keg_id', id),
  taps: rows.byReference('taps', 'next_keg_id', id).map(toAnnouncement),
  keg_weighings: rows.byReference('keg_weighings', 'keg_id', id),
  pictures: rows.byReference('pictures', 'keg_id', id),
  ...ownRows(rows, ({ kegColumn }) => kegColumn, id),
});

/** The rows of extensions that belong to a record by the columns that `columnOf` names, and those that belong to these rows. */
function ownRows(
  rows: Store['drinks']['rows'],
  columnOf: (one: RestoredRows) => string | undefined,
  id: number,
): RecordRows {
  const found = new Map<Table, readonly Row[]>();
  for (const one of rows.restored) {
    const { table, owner } = one;
    const column = columnOf(one);
    const owners = owner === undefined ? undefined : found.get(owner.table);
    if (column !== undefined) found.set(table, rows.ofExtension(table, column, id));
    else if (owner !== undefined && owners !== undefined)
      found.set(
        table,
        owners.flatMap((row) => rows.ofExtension(table, owner.column, Number(row.id))),
      );
  }
  return Object.fromEntries(found);
}

/** All rows of extensions with a serving size, and all rows of the tables whose rows belong to theirs. */
function sizedRows(rows: Store['drinks']['rows']): RecordRows {
  const tables = new Set<RestoredTable>();
  for (const { table, size, owner } of rows.restored)
    if (size !== undefined || (owner !== undefined && tables.has(owner.table))) tables.add(table);
  return Object.fromEntries([...tables].map((table) => [table, rows.all(table)]));
}

/** The rows of several records. */
export function mergeRows(all: readonly RecordRows[]): RecordRows {
  const tables = new Set(all.flatMap((rows) => Object.keys(rows) as Table[]));
  return Object.fromEntries([...tables].map((table) => [table, all.flatMap((rows) => rows[table] ?? [])]));
}

/** All schedules of prices. */
export const scheduleRows = ({ drinks: { rows } }: Store): RecordRows => ({
  price_schedules: rows.all('price_schedules'),
  schedule_prices: rows.all('schedule_prices'),
});

/** The weighings of a keg, with its evidence. */
export const weighingRows = ({ drinks: { rows } }: Store, kegId: number): RecordRows => ({
  keg_weighings: rows.byReference('keg_weighings', 'keg_id', kegId),
  meter_evidence: rows.byReference('meter_evidence', 'keg_id', kegId),
});

/** The beverages that a keg had before merges. */
export const formerBeverageRows = ({ drinks: { rows } }: Store, kegId: number): RecordRows => ({
  keg_former_beverages: rows.byReference('keg_former_beverages', 'keg_id', kegId),
});

/** The rows of a beverage, with its prices and where it is announced. */
export const beverageRows = (store: Store, id: number): RecordRows => ({
  ...priceRows(store, id),
  ...ownRows(store.drinks.rows, ({ beverageColumn }) => beverageColumn, id),
  beverages: present(store.drinks.rows.byKey('beverages', id)),
  taps: store.drinks.rows.byReference('taps', 'next_beverage_id', id).map(toAnnouncement),
  pictures: store.drinks.rows.byReference('pictures', 'beverage_id', id),
});

/** All prices that a beverage has or had, and which of its kegs' drinks have those of another one. */
export const pricedRows = (store: Store, beverageId: number): RecordRows => ({
  ...priceRows(store, beverageId),
  keg_former_beverages: store.drinks.rows
    .byReference('kegs', 'beverage_id', beverageId)
    .flatMap((keg) => store.drinks.rows.byReference('keg_former_beverages', 'keg_id', Number(keg.id))),
});

/** All prices that a beverage has or had. */
function priceRows({ drinks: { rows } }: Store, beverageId: number): RecordRows {
  const lists = rows.byReference('price_lists', 'beverage_id', beverageId);
  return {
    price_lists: lists,
    prices: lists.flatMap((list) => rows.byReference('prices', 'list_id', Number(list.id))),
  };
}

/** The row of a producer, with its picture. */
export const producerRows = ({ drinks: { rows } }: Store, id: number): RecordRows => ({
  producers: present(rows.byKey('producers', id)),
  pictures: rows.byReference('pictures', 'producer_id', id),
});

/**
 * The serving sizes, with all prices, what the taps offer and the rows of extensions: a size that is deleted leaves its prices without
 * a size, and no tap offers it.
 */
export const servingSizeRows = (store: Store): RecordRows => ({
  serving_sizes: store.drinks.rows.all('serving_sizes'),
  serving_size_state: store.drinks.rows.all('serving_size_state'),
  tap_serving_sizes: store.drinks.rows.all('taps').map(({ id }) => readTapSizes(store, Number(id))),
  ...sizedRows(store.drinks.rows),
  schedule_prices: store.drinks.rows.all('schedule_prices'),
  price_lists: store.drinks.rows.all('price_lists'),
  prices: store.drinks.rows.all('prices'),
});

/** Which serving sizes a tap offers, as one row. */
export const readTapSizes = ({ taps: { servingSizes: tapServingSizes } }: Store, tapId: number): Row => ({
  id: tapId,
  size_ids: JSON.stringify(tapServingSizes.byTap(tapId).toSorted((a, b) => a - b)),
});

const toAnnouncement = (tap: Row): Row => pick(tap, ['id', 'next_keg_id', 'next_beverage_id']);

const present = (row: Row | null): readonly Row[] => (row === null ? [] : [row]);

/** Some columns of a row. */
export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

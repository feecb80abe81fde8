import type { Store } from '../../store/store.ts';
import type { Row, RowTable } from '../../store/tables/rows-table.ts';

/** Rows of the ledger around some drinks, as they were at one instant. */
export type RowImage = Readonly<Record<ImagedTable, readonly Row[]>>;

export type ImagedTable = Exclude<RowTable, 'flow_meters'>;

/** Which rows an image shows: those of the drinks, and what is named beside them. */
export interface ImageScope {
  readonly drinkIds: readonly number[];
  readonly kegIds: ReadonlySet<number>;
  readonly sessionIds: ReadonlySet<number>;
  readonly spillIds: readonly number[];
  readonly pourIds: ReadonlySet<string>;
}

/** What of a keg a correction of drinks can move. Its state and its notes are other people's business. */
const kegTotalColumns = [
  'id',
  'served_volume_ml',
  'spilled_volume_ml',
  'started_time_ms',
  'finished_time_ms',
];

/** The scope grown by the keg, session and pour that the drinks name just now. */
export function widenScope(store: Store, scope: ImageScope): ImageScope {
  const drinks = readRows(store, 'drinks', scope.drinkIds);
  const collectIds = <T>(column: string, ids: ReadonlySet<T>) =>
    new Set([...ids, ...drinks.map((row) => row[column]).filter((value) => value !== null)] as T[]);
  return {
    ...scope,
    kegIds: collectIds('keg_id', scope.kegIds),
    sessionIds: collectIds('session_id', scope.sessionIds),
    pourIds: collectIds('pour_id', scope.pourIds),
  };
}

/** The rows in scope as they are just now. */
export function readImage(store: Store, scope: ImageScope): RowImage {
  const { drinkIds } = scope;
  return {
    drinks: readRows(store, 'drinks', drinkIds),
    events: drinkIds.flatMap((id) => store.rows.ofDrink('events', id)),
    sessions: readRows(store, 'sessions', [...scope.sessionIds]),
    kegs: readRows(store, 'kegs', [...scope.kegIds]).map(toKegTotals),
    spills: readRows(store, 'spills', scope.spillIds),
    pictures: drinkIds.flatMap((id) => store.rows.ofDrink('pictures', id)),
    cancelled_pours: readRows(store, 'cancelled_pours', [...scope.pourIds]),
  };
}

/** What an image keeps of a keg. */
export const toKegTotals = (keg: Row): Row =>
  Object.fromEntries(kegTotalColumns.map((column) => [column, keg[column] ?? null]));

/** The columns in which two rows differ, as the first has them. */
export function changedColumns(row: Row, other: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column, value]) => value !== other[column]));
}

/** The row of an image by its key. */
export const findRow = (store: Store, image: RowImage, table: ImagedTable, key: unknown): Row | undefined =>
  image[table].find((row) => row[store.rows.keyOf(table)] === key);

function readRows(store: Store, table: RowTable, keys: readonly (string | number)[]): readonly Row[] {
  return keys.map((key) => store.rows.byKey(table, key)).filter((row) => row !== null);
}

import { parseParts } from '../../../store/drinks/drink-row.ts';
import type { Row, RowTable } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';

/** Rows related to some drinks, at one instant. */
export type RowImage = Readonly<Record<ImagedTable, readonly Row[]>>;

export type ImagedTable = Extract<
  RowTable,
  'drinks' | 'events' | 'sessions' | 'kegs' | 'spills' | 'pictures' | 'cancelled_pours'
>;

/** Which rows an image contains: those of the drinks, and others by id. */
export interface ImageScope {
  readonly drinkIds: readonly number[];
  readonly kegIds: ReadonlySet<number>;
  readonly sessionIds: ReadonlySet<number>;
  readonly spillIds: readonly number[];
  readonly pourIds: ReadonlySet<string>;
}

/** Columns of a keg that a correction of drinks can change. Its state and notes are changed elsewhere. */
const kegTotalColumns = ['id', 'spilled_volume_ml', 'started_time_ms', 'finished_time_ms'];

/** Key of a deleted drink without a pour id: one that was reported, or split off another one. No pour has such an id. */
export const toCancelledKey = (drinkId: number): string => `drink ${drinkId}`;

/** Extends the scope by the kegs, sessions and pours that the drinks refer to now. */
export function widenScope(store: Store, scope: ImageScope): ImageScope {
  const drinks = readRows(store, 'drinks', scope.drinkIds);
  const collectIds = <T>(column: string, ids: ReadonlySet<T>) =>
    new Set([...ids, ...drinks.map((row) => row[column]).filter((value) => value !== null)] as T[]);
  return {
    ...scope,
    kegIds: new Set([
      ...collectIds('keg_id', scope.kegIds),
      ...drinks.flatMap(({ parts }) =>
        (parseParts(parts as string | null) ?? []).flatMap(({ kegId }) => kegId ?? []),
      ),
    ]),
    sessionIds: collectIds('session_id', scope.sessionIds),
    pourIds: new Set([
      ...collectIds('pour_id', scope.pourIds),
      ...drinks.filter(({ pour_id }) => pour_id === null).map(({ id }) => toCancelledKey(Number(id))),
    ]),
  };
}

/** Reads the rows in scope. */
export function readImage(store: Store, scope: ImageScope): RowImage {
  const { drinkIds } = scope;
  return {
    drinks: readRows(store, 'drinks', drinkIds),
    events: drinkIds.flatMap((id) => store.drinks.rows.byDrink('events', id)),
    sessions: readRows(store, 'sessions', [...scope.sessionIds]),
    kegs: readRows(store, 'kegs', [...scope.kegIds]).map(toKegTotals),
    spills: readRows(store, 'spills', scope.spillIds),
    pictures: drinkIds.flatMap((id) => store.drinks.rows.byDrink('pictures', id)),
    cancelled_pours: readRows(store, 'cancelled_pours', [...scope.pourIds]),
  };
}

/** The columns of a keg in an image. */
export const toKegTotals = (keg: Row): Row =>
  Object.fromEntries(kegTotalColumns.map((column) => [column, keg[column] ?? null]));

/** The columns in which `row` differs from `other`, with the values of `row`. */
export function changedColumns(row: Row, other: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column, value]) => value !== other[column]));
}

/** The row of an image with that key. */
export const findRow = (store: Store, image: RowImage, table: ImagedTable, key: unknown): Row | undefined =>
  image[table].find((row) => row[store.drinks.rows.keyColumn(table)] === key);

function readRows(store: Store, table: RowTable, keys: readonly (string | number)[]): readonly Row[] {
  return keys.map((key) => store.drinks.rows.byKey(table, key)).filter((row) => row !== null);
}

import { maxInteger, type RowPosition, type Slice } from '../../store/shared/slice.ts';
import { validateNumber, validationError } from './bounds.ts';

/**
 * Where a page begins: at the rows below a row, or at those above it. It names a row and not a number of rows, so it
 * stays correct when rows are added or deleted, and also when that row itself is deleted.
 */
export interface Cursor {
  readonly direction: 'below' | 'above';
  /** The row, which is not on the page. */
  readonly row: RowPosition;
}

/** Beginning and size of a page. */
export interface PageRequest {
  /** Highest id to show; 0 or absent starts at the newest. Not with a cursor. */
  readonly start?: number;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
  /** As in the page before or after this one. */
  readonly cursor?: Cursor;
  /** By descending id, the default; or by descending time and id, for lists whose rows have a time. */
  readonly order?: ListOrder;
}

export type ListOrder = 'id' | 'time';

/** A page of a list that begins with the newest row. */
export interface Page<T> {
  readonly total: number;
  readonly limit: number;
  /** The requested `start`, else 0. */
  readonly pos: number;
  readonly items: readonly T[];
  /** The page of the rows below, null at the end. */
  readonly next: Cursor | null;
  /** The page of the rows above, null at the beginning. */
  readonly prev: Cursor | null;
}

/** Reads one page of a list by descending id or, with `timeOf`, in the requested order. */
export const readPage = <T extends { readonly id: number }>(
  request: PageRequest,
  total: number,
  read: (slice: Slice) => readonly T[],
  timeOf?: (row: T) => number,
): Page<T> =>
  readPageBy(
    request,
    total,
    read,
    request.order === 'time' && timeOf
      ? (row) => ({ id: row.id, timeMs: timeOf(row) })
      : ({ id }) => ({ id }),
  );

/** Reads one page of a list by descending position. */
export function readPageBy<T>(
  request: PageRequest,
  total: number,
  read: (slice: Slice) => readonly T[],
  positionOf: (row: T) => RowPosition,
): Page<T> {
  const limit = validateNumber('limit', request.limit ?? 100, { min: 1, max: 1_000, whole: true });
  const pos = validateNumber('start', request.start ?? 0, { min: 0, max: maxInteger, whole: true });
  const { cursor } = request;
  if (cursor !== undefined && pos !== 0) throw validationError('start', 'must not be sent with cursor');
  const isByTime = request.order === 'time';
  if (isByTime && pos !== 0)
    throw validationError('start', 'is an id and cannot be sent with order=time; follow next');
  if (cursor !== undefined && (cursor.row.timeMs !== undefined) !== isByTime)
    throw validationError('cursor', 'belongs to a list in another order; follow next unchanged');
  const upwards = cursor?.direction === 'above';
  const from = cursor ? beside(cursor) : { id: pos || maxInteger, ...(isByTime && { timeMs: maxInteger }) };
  // One row more than the page tells whether there is another page.
  const rows = read({ from, upwards, limit: limit + 1 });
  const hasMore = rows.length > limit;
  const items = upwards ? rows.slice(-limit) : rows.slice(0, limit);

  const first = items[0];
  const last = items.at(-1);
  // At the position from which an empty page was read there is no row either.
  const above: Cursor = { direction: 'above', row: first === undefined ? from : positionOf(first) };
  const below: Cursor = { direction: 'below', row: last === undefined ? from : positionOf(last) };
  const isAnyRow = (one: Cursor) =>
    read({ from: beside(one), upwards: one.direction === 'above', limit: 1 }).length > 0;
  const isFirstPage = cursor === undefined && pos === 0;
  return {
    total,
    limit,
    pos,
    items,
    next: (upwards ? isAnyRow(below) : hasMore) ? below : null,
    prev: (upwards ? hasMore : !isFirstPage && isAnyRow(above)) ? above : null,
  };
}

/** Cuts a page out of a list that is short enough to be in memory, such as the hardware. */
export const paginate = <T extends { readonly id: number }>(
  all: readonly T[],
  request: PageRequest,
): Page<T> =>
  readPage(request, all.length, ({ from, upwards, limit }) => {
    const sorted = [...all].sort((a, b) => b.id - a.id);
    const rows = sorted.filter(({ id }) => (upwards ? id >= from.id : id <= from.id));
    return upwards ? rows.slice(-limit) : rows.slice(0, limit);
  });

/** Raises the total to the number of items shown: counting has a limit, and a page may contain more. */
export function withMinimumTotal<T>(page: Page<T>): Page<T> {
  return page.items.length > page.total ? { ...page, total: page.items.length } : page;
}

/** The position next to the cursor's row. Ids are whole numbers above 0. */
const beside = ({ direction, row }: Cursor): RowPosition => ({
  ...row,
  id: direction === 'above' ? Math.min(row.id + 1, maxInteger) : Math.max(row.id - 1, 0),
});

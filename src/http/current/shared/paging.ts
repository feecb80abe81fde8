import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Cursor, ListOrder, Page, PageRequest } from '../../../engine/engine.ts';
import { validationError } from '../../routes/input-values.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

/** Query fields of every list. */
export const pageFields = {
  start: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Highest id to list, ids descending: an id and not a number of rows to skip. Absent or 0 starts with the newest.',
    }),
  ),
  limit: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Maximum number of items on the page, 1 to 1000.',
    }),
  ),
  cursor: Maybe(
    Type.String({
      maxLength: 40,
      description:
        'Beginning of a page, as it stands in `paging.next` and `paging.prev` of this list: take it from there unchanged. Not together with `start`.',
    }),
  ),
};

export const PageQuery = Open(pageFields);

/** Query fields of the lists whose rows have a time. */
export const timedPageFields = {
  ...pageFields,
  order: Maybe(
    Type.Enum(['id', 'time'], {
      default: 'id',
      description:
        '`id`, the default: in the order of recording, the last recorded first. `time`: the latest first, and of equal times the higher id; pours of a controller that was offline arrive late and stand at their time then. A time taken from a clock that was not set counts as it is until it is corrected. Not with `start`.',
    }),
  ),
};
export const TimedPageQuery = Open(timedPageFields);

const Address = (description: string) => Nullable(Type.String({ description }));

export const PagingJson = named(
  'Paging',
  Closed(
    {
      total: Type.Integer({
        minimum: 0,
        description:
          'Number of items in the whole list. With several filters, counted among the newest 2 000 matches of the most selective one; a time span is counted up to 150 000.',
      }),
      limit: Type.Integer({
        minimum: 0,
        description:
          'Maximum number of items on the page. A list that is always answered whole has its number of items here.',
      }),
      pos: Type.Integer({ minimum: 0, description: 'The requested `start`, else 0.' }),
      next: Address(
        'Address of the next page, path and query with all filters; null at the end, and always for a list that is answered whole. Whoever follows it reads each item once, also while items are added or deleted. A key that was sent in the query has to be sent again.',
      ),
      prev: Address('Address of the page before, with newer items; null at the beginning of the list.'),
    },
    { description: 'Position of the page in its list.' },
  ),
);

/** Converts the query to a page request. */
export const toPageRequest = ({
  start,
  limit,
  cursor,
  order,
}: Static<typeof PageQuery> & { readonly order?: ListOrder }): PageRequest =>
  omitUndefined({
    order,
    start: start || undefined,
    limit: limit || undefined,
    cursor: cursor === undefined ? undefined : parseCursor(cursor),
  });

/** The paging of a reply; `addressWith` is that of the request's context. */
export const pagingJson = (
  { total, limit, pos, next, prev }: Page<unknown>,
  addressWith: RouteContext['addressWith'],
): Static<typeof PagingJson> => {
  const address = (cursor: Cursor | null) =>
    cursor && addressWith({ start: undefined, cursor: formatCursor(cursor) });
  return { total, limit, pos, next: address(next), prev: address(prev) };
};

/** The paging of a bounded list whose reply has all items. */
export const wholeListPaging = ({ length }: readonly unknown[]): Static<typeof PagingJson> => ({
  total: length,
  limit: length,
  pos: 0,
  next: null,
  prev: null,
});

/** A cursor as text: `b` (below) or `a` (above), the time of its row where the order is that of time, and its id. */
const cursorText = /^(?<direction>[ab])(?:(?<timeMs>\d{1,16})\.)?(?<id>\d{1,16})$/;

const directions = { a: 'above', b: 'below' } as const;

const formatCursor = ({ direction, row: { id, timeMs } }: Cursor): string =>
  `${direction === 'above' ? 'a' : 'b'}${timeMs === undefined ? '' : `${timeMs}.`}${id}`;

function parseCursor(text: string): Cursor {
  const { direction, timeMs, id } = cursorText.exec(text)?.groups ?? {};
  const row = { id: Number(id), ...(timeMs !== undefined && { timeMs: Number(timeMs) }) };
  if (Object.values(row).every(Number.isSafeInteger))
    return { direction: directions[direction as 'a' | 'b'], row };
  throw validationError(
    'cursor',
    'must be taken unchanged from next or prev of a reply of this list; leave it out to begin with the newest item',
  );
}

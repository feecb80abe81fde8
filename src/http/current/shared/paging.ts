import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Page, PageRequest } from '../../../engine/engine.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

/** Query fields of every list: start and length of the page. */
export const pageFields = {
  start: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Highest id to list, ids descending; absent or 0 starts with the newest.',
    }),
  ),
  limit: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Maximum number of items on the page.',
    }),
  ),
};

export const PageQuery = Open(pageFields);

const paging = {
  total: Type.Integer({
    minimum: 0,
    description:
      'Number of items in the whole list. With several filters, counted among the newest 2 000 matches of the most selective one; a time span is counted up to 150 000.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of items on this page.' }),
  pos: Type.Integer({ minimum: 0, description: 'The requested `start`, else 0.' }),
};

export const PagingJson = named('Paging', Closed(paging));

/** For lists whose items do not contain the id they are ordered by. */
export const PagingNextJson = named(
  'PagingNext',
  Closed({
    ...paging,
    next: Nullable(
      Type.Integer({ minimum: 1, description: 'The `start` of the next page; null at the end.' }),
    ),
  }),
);

/** Converts the query to a page request. */
export const toPageRequest = ({ start, limit }: Static<typeof PageQuery>): PageRequest =>
  omitUndefined({ start: start || undefined, limit: limit || undefined });

export const pagingJson = ({ total, limit, pos }: Page<unknown>): Static<typeof PagingJson> => ({
  total,
  limit,
  pos,
});

export function pagingNextJson(page: Page<{ readonly id: number }>): Static<typeof PagingNextJson> {
  const last = page.items.at(-1);
  const isEnd = last === undefined || last.id === 1 || page.items.length < page.limit;
  return { ...pagingJson(page), next: isEnd ? null : last.id - 1 };
}

/** Cuts a page out of a list that is short enough to be in memory, such as the hardware. */
export function paginate<T extends { readonly id: number }>(
  all: readonly T[],
  { start = 0, limit = 100 }: Static<typeof PageQuery>,
): Page<T> {
  const items = all
    .filter(({ id }) => start === 0 || id <= start)
    .sort((a, b) => b.id - a.id)
    .slice(0, limit);
  return { total: all.length, limit, pos: start, items };
}

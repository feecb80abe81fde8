import Type, { type Static } from 'typebox';
import type { Page, PageRequest } from '../../../engine/engine.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

/** Where a page of a list starts and how long it is. */
export const pageFields = {
  start: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'First id to show, ids descending; absent or 0 starts with the newest.',
    }),
  ),
  limit: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Items on the page; 100 when absent.',
    }),
  ),
};

export const PageQuery = Open(pageFields);

const paging = {
  total: Type.Integer({
    minimum: 0,
    description:
      'Items of the whole list. Where several filters meet, of the newest 2 000 that the narrower one finds.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 1000 }),
  pos: Type.Integer({ minimum: 0, description: 'The `start` asked for, else 0.' }),
};

export const PagingJson = named('Paging', Closed(paging));

/** For lists whose items do not show the number they are ordered by. */
export const PagingNextJson = named(
  'PagingNext',
  Closed({
    ...paging,
    next: Nullable(
      Type.Integer({ minimum: 1, description: 'The `start` of the next page; null at the end.' }),
    ),
  }),
);

/** The page a query asks for. */
export const toPageRequest = ({ start, limit }: Static<typeof PageQuery>): PageRequest => ({
  // Nothing has id 0: it is what `pos` says when nothing was asked for.
  ...(start ? { start } : {}),
  ...(limit ? { limit } : {}),
});

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

/** A page of a list that is no longer than the house has hardware. */
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

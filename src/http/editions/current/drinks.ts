import Type from 'typebox';
import { defineRoute } from '../../route.ts';
import { Closed, Maybe, Open } from '../../schemas.ts';
import { DrinkJson, drinkJson, PagingJson } from './views.ts';

/** Where a page of a list starts and how long it is. */
const PageQuery = Open({
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
});

export const listDrinks = defineRoute({
  id: 'listDrinks',
  method: 'get',
  path: '/drinks',
  summary: 'Drinks, the newest first',
  access: 'viewer',
  accepts: { query: PageQuery },
  replies: { status: 200, body: Closed({ paging: PagingJson, drinks: Type.Array(DrinkJson) }) },
  run({ engine }, { query: { start, limit } }) {
    // No drink has id 0: it is what `pos` says when nothing was asked for.
    const page = engine.drinks.list({ ...(start ? { start } : {}), ...(limit ? { limit } : {}) });
    const { total, pos } = page;
    return { paging: { total, limit: page.limit, pos }, drinks: page.items.map(drinkJson) };
  },
});

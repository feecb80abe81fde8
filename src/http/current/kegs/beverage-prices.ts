import Type, { type Static } from 'typebox';
import { maxPriceMinor } from '../../../core/kegs/money.ts';
import { maxServingSizes } from '../../../core/kegs/serving-sizes.ts';
import type { Engine } from '../../../engine/engine.ts';
import { IdParam, Instant, parseInstant } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, Open } from '../../routes/schemas.ts';
import { PriceMinor } from '../../routes/serving-price.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const prices = Type.Array(
  Closed(
    {
      serving_size_id: { ...Id, description: 'Id of the serving size.' },
      price_minor: { ...PriceMinor, maximum: maxPriceMinor },
    },
    { description: 'Price of one serving size.' },
  ),
  {
    maxItems: maxServingSizes,
    description: 'Prices by serving size; a size without a price is left out.',
  },
);

const params = Open({ id: IdParam });

const PricesJson = Closed({
  paging: PagingJson,
  currency: Type.String({ description: 'Currency of all prices, ISO 4217.' }),
  prices,
});

const revenue = (when: string) =>
  Nullable(
    Type.Integer({
      minimum: 0,
      description: `Their revenue ${when}, in the smallest unit of the currency, without tax; null without prices.`,
    }),
  );

const RevaluedJson = Nullable(
  Closed(
    {
      drinks: Type.Integer({ minimum: 0, description: 'Number of drinks of the beverage since then.' }),
      revenue_before_minor: revenue('before'),
      revenue_after_minor: revenue('now'),
    },
    { description: 'What a correction of past prices changed; null without `since`.' },
  ),
);

/** Prices of a beverage by serving size. */
export const beveragePriceRoutes: readonly Route[] = [
  defineRoute({
    id: 'getBeveragePrices',
    method: 'get',
    path: '/beverages/{id}/prices',
    summary: 'Get the prices of a beverage by serving size',
    description: 'In the order of the serving sizes; those without a price are left out.',
    access: 'viewer',
    accepts: { params },
    replies: { status: 200, body: PricesJson },
    run: ({ engine }, { params: { id } }) => pricesJson(engine, id),
  }),
  defineRoute({
    id: 'setBeveragePrices',
    method: 'put',
    path: '/beverages/{id}/prices',
    summary: 'Set the prices of a beverage by serving size, from now on or to correct them since a time',
    description:
      'The whole list: a size that is left out has no price, an empty list removes all. They hold at every tap. ' +
      'Earlier drinks keep the prices of their time. With `since`, prices that were wrong are corrected: they hold from ' +
      'that time on, in place of all that were set since, and `revalued` tells what that changes. Written to the ' +
      'audit log, and can be undone until prices are set again.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        prices,
        since: Maybe(Instant('Corrects the prices from this time on, at most 92 days ago.')),
      }),
    },
    errors: { conflict: ['clock_not_set'] },
    replies: {
      status: 200,
      body: Closed({ ...PricesJson.properties, revalued: RevaluedJson, ...correctionFields }),
    },
    run(context, { params: { id }, body }) {
      const newPrices = body.prices.map((price) => ({
        sizeId: price.serving_size_id,
        priceMinor: price.price_minor,
      }));
      const { engine } = context;
      const sinceMs = body.since === undefined ? undefined : parseInstant(engine, 'since', body.since);
      const changed = engine.kegs.prices.setOfBeverage(id, newPrices, actorContext(context), sinceMs);
      const { result } = changed;
      const revalued = result && {
        drinks: result.drinks,
        revenue_before_minor: result.beforeMinor,
        revenue_after_minor: result.afterMinor,
      };
      return { ...pricesJson(engine, id), revalued, ...correctionIdOf(changed) };
    },
  }),
];

function pricesJson(engine: Engine, id: number): Static<typeof PricesJson> {
  const found = engine.kegs.prices.ofBeverage(id);
  return {
    paging: wholeListPaging(found),
    currency: engine.reports.settings().currency,
    prices: found.map(({ sizeId, priceMinor }) => ({ serving_size_id: sizeId, price_minor: priceMinor })),
  };
}

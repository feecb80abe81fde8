import Type, { type Static } from 'typebox';
import { maxServingSizes } from '../../../core/kegs/serving-sizes.ts';
import { correctionFields, correctionIdOf } from '../../../http/current/shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { IdParam } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, Open } from '../../../http/routes/schemas.ts';
import { PriceMinor } from '../../../http/routes/serving-price.ts';
import { maxCodes } from '../engine/sales-bounds.ts';
import type { ServingView } from '../engine/servings.ts';
import type { SalesRouteParts } from './route-parts.ts';

const params = Open({ id: IdParam });

const fields = {
  serving_size_id: { ...Id, description: 'Id of the serving size.' },
  liquid_ml: Nullable(
    Type.Number({
      minimum: 1,
      maximum: 100_000,
      'x-unit': 'mL',
      description: 'Beer in it without the head, mL; null: as much as the size.',
    }),
  ),
  tax_basis_points: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        'Tax rate in hundredths of a percent, 1900 is 19 %, in the price and in amounts of tills that contain tax; null: that of the till.',
    }),
  ),
  codes: Type.Array(
    Type.String({ minLength: 1, maxLength: 128, description: 'A name or number (PLU) at any till.' }),
    {
      maxItems: maxCodes,
      description: 'What tills call it: a new product with one of these texts is mapped by itself.',
    },
  ),
};

const ServingJson = Closed(
  {
    ...fields,
    effective_ml: Type.Number({ 'x-unit': 'mL', description: 'Beer in it, by itself or by its size, mL.' }),
    price_minor: Nullable(PriceMinor),
  },
  { description: 'A serving size of a beverage, with its present standard price.' },
);

const servingJson = (serving: ServingView): Static<typeof ServingJson> => ({
  serving_size_id: serving.sizeId,
  liquid_ml: serving.liquidMl,
  tax_basis_points: serving.taxBasisPoints,
  codes: [...serving.codes],
  effective_ml: serving.effectiveMl,
  price_minor: serving.priceMinor,
});

const listFields = {
  paging: PagingJson,
  servings: Type.Array(ServingJson, { description: 'All serving sizes in the order of the menu.' }),
};

const listJson = (servings: readonly ServingView[]) => ({
  paging: wholeListPaging(servings),
  servings: servings.map(servingJson),
});

/** What the serving sizes of a beverage hold and are called at tills. */
export const servingRoutes = ({ servicesOf }: SalesRouteParts): readonly Route[] => [
  defineRoute({
    id: 'listServings',
    method: 'get',
    path: '/beverages/{id}/servings',
    summary: 'List what the serving sizes of a beverage hold, cost and are called at tills',
    description: 'Prices are set by `PUT /beverages/{id}/prices`.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed(listFields) },
    run: ({ engine }, { params: { id } }) => listJson(servicesOf(engine).sales.servings.ofBeverage(id)),
  }),
  defineRoute({
    id: 'setServings',
    method: 'put',
    path: '/beverages/{id}/servings',
    summary: 'Set what the serving sizes of a beverage hold and are called at tills',
    description:
      'The whole list: a size that is left out holds its volume and has no codes. What it holds acts on the past, too. Written to the ' +
      'audit log, and can be undone.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        servings: Type.Array(
          Closed(
            {
              serving_size_id: fields.serving_size_id,
              liquid_ml: Maybe(fields.liquid_ml),
              tax_basis_points: Maybe(fields.tax_basis_points),
              codes: Maybe(fields.codes),
            },
            { description: 'A serving size of the beverage.' },
          ),
          { maxItems: maxServingSizes, description: 'The sizes of which something is known.' },
        ),
      }),
    },
    replies: { status: 200, body: Closed({ ...listFields, ...correctionFields }) },
    run(context, { params: { id }, body }) {
      const changed = servicesOf(context.engine).sales.servings.setOfBeverage(
        id,
        body.servings.map((serving) => ({
          sizeId: serving.serving_size_id,
          liquidMl: serving.liquid_ml ?? null,
          taxBasisPoints: serving.tax_basis_points ?? null,
          codes: serving.codes ?? [],
        })),
        actorContext(context),
      );
      return { ...listJson(changed.result), ...correctionIdOf(changed) };
    },
  }),
];

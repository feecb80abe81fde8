import Type, { type Static } from 'typebox';
import {
  languageTagPattern,
  maxNameLanguages,
  maxServingSizes,
  type ServingSize,
} from '../../../core/kegs/serving-sizes.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, named } from '../../routes/schemas.ts';
import { correctionFields } from '../shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const sizeFields = {
  volume_ml: Type.Number({
    minimum: 1,
    maximum: 100_000,
    'x-unit': 'mL',
    description: 'Volume of the beer in it, mL.',
  }),
  name: Type.String({
    maxLength: 64,
    description: 'Name such as `Taster`; empty when the volume is its name.',
  }),
};

const Names = Type.Record(
  Type.String({ pattern: languageTagPattern }),
  Type.String({ maxLength: 64, description: 'The name in that language.' }),
  {
    maxProperties: maxNameLanguages,
    description: 'Names in further languages by language tag, such as `{"de": "Halbe"}`.',
  },
);

const ServingSizeJson = named(
  'ServingSize',
  Closed(
    { id: { ...Id, description: 'Id of the size; prices refer to it.' }, ...sizeFields, names: Names },
    { description: 'A size in which the site sells drinks.' },
  ),
);

const Sizes = Closed({
  paging: PagingJson,
  serving_sizes: Type.Array(ServingSizeJson, {
    maxItems: maxServingSizes,
    description: 'All sizes in the order of the menu.',
  }),
});

const NewSizes = Closed({
  serving_sizes: Type.Array(
    Closed(
      {
        id: Maybe({ ...Id, description: 'Id of a size that stays or changes; absent for a new one.' }),
        volume_ml: sizeFields.volume_ml,
        name: Maybe(sizeFields.name),
        names: Maybe(Names),
      },
      { description: 'A size of the new list.' },
    ),
    { maxItems: maxServingSizes, description: 'The whole list in the order of the menu.' },
  ),
});

/** The list of serving sizes. */
export const servingSizeRoutes: readonly Route[] = [
  defineRoute({
    id: 'listServingSizes',
    method: 'get',
    path: '/serving-sizes',
    summary: 'List the sizes in which the site sells drinks',
    description:
      'In the order of the menu, all on one page. Until staff change the list it follows from ' +
      '`volume_display_units`: 0.2 to 0.5 L, 4 to 16 fl oz, or a third of a UK pint to a whole one.',
    access: 'viewer',
    accepts: {},
    replies: { status: 200, body: Sizes },
    run: ({ engine }) => sizesJson(engine.kegs.prices.servingSizes()),
  }),
  defineRoute({
    id: 'setServingSizes',
    method: 'put',
    path: '/serving-sizes',
    summary: 'Replace the list of serving sizes: add, rename, reorder and delete in one request',
    description:
      'A size with an `id` of the present list keeps its prices. One that is left out is deleted, and beverages have ' +
      'no price in that size from now on. Written to the audit log, and can be undone, with the prices, until one of them is ' +
      'changed again.',
    access: 'staff',
    accepts: { body: NewSizes },
    errors: { conflict: ['clock_not_set'] },
    replies: { status: 200, body: Closed({ ...Sizes.properties, ...correctionFields }) },
    run(context, { body }) {
      const sizes = body.serving_sizes.map(({ id = null, volume_ml: volumeMl, name = '', names = {} }) => ({
        id,
        volumeMl,
        name,
        names,
      }));
      const { result, correctionId } = context.engine.kegs.prices.setServingSizes(
        sizes,
        actorContext(context),
      );
      return { ...sizesJson(result), correction_id: correctionId };
    },
  }),
];

const sizesJson = (sizes: readonly ServingSize[]): Static<typeof Sizes> => ({
  paging: wholeListPaging(sizes),
  serving_sizes: sizes.map(sizeJson),
});

const sizeJson = ({ id, volumeMl, name, names }: ServingSize): Static<typeof ServingSizeJson> => ({
  id,
  volume_ml: volumeMl,
  name,
  names,
});

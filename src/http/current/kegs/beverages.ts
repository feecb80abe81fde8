import Type, { type Static } from 'typebox';
import { gravityRange } from '../../../core/kegs/beer-volume.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { BeverageFields } from '../../../engine/engine.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import { actorContext } from '../../routes/route-context.ts';
import { CalendarDate, Closed, errorWords, Id, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { correctionIdOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { readableResource } from '../shared/resource.ts';
import { BeverageJson, beverageJson } from '../shared/views.ts';
import { BeverageType } from './new-keg.ts';
import { Search } from './search.ts';

const amount = (maximum: number, description: string, unit?: string) =>
  Maybe(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum,
        ...omitUndefined({ 'x-unit': unit }),
        description: `${description}; null when unknown.`,
      }),
    ),
  );

const gravity = (description: string) =>
  Maybe(
    Nullable(
      Type.Number({
        minimum: gravityRange.min,
        maximum: gravityRange.max,
        description: `${description}; null when unknown.`,
      }),
    ),
  );

const ProducerId = { ...AnyId, description: 'Id of its producer.' };
const requiredFields = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the beverage.' }),
  producer_id: ProducerId,
};
const optionalFields = {
  beverage_type: Maybe(BeverageType),
  style: Maybe(
    Nullable(Type.String({ maxLength: 255, description: 'Name of its style; null when unknown.' })),
  ),
  description: Maybe(
    Nullable(
      Type.String({
        maxLength: 10_000,
        description: 'Text for everybody, at most 10 000 characters; null for none.',
      }),
    ),
  ),
  vintage_year: Maybe(
    Nullable({ ...CalendarDate, description: 'Date of its vintage, `YYYY-MM-DD`; null when unknown.' }),
  ),
  abv_percent: amount(100, 'Alcohol by volume in percent', '%'),
  calories_per_ml: amount(100, 'Kilocalories per millilitre', 'kcal/mL'),
  carbs_per_ml: amount(100, 'Grams of carbohydrates per millilitre', 'g/mL'),
  color_hex: Maybe(
    Type.String({
      pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
      description: '`#rgb` or `#rrggbb`; amber by default.',
      ...errorWords('must be a colour such as #C35900', { name: 'colour' }),
    }),
  ),
  original_gravity: gravity('Gravity before fermentation relative to water, such as 1.048'),
  specific_gravity: gravity('Gravity after fermentation relative to water, such as 1.010'),
  srm: amount(1_000, 'Colour by the Standard Reference Method'),
  ibu: amount(10_000, 'Bitterness in International Bitterness Units'),
  star_rating: amount(5, 'Rating from 0 to 5 stars'),
  allergens: Maybe(
    Type.String({
      maxLength: 255,
      description: 'Allergens as the menu shows them, such as `Barley, wheat`; empty for none.',
    }),
  ),
  untappd_beer_id: Maybe(Nullable({ ...Id, description: 'Id of the beer at Untappd; null when unknown.' })),
};

const NewBeverageJson = named(
  'NewBeverage',
  Closed({ ...requiredFields, ...optionalFields }, { description: 'A new beverage.' }),
);
const BeverageChangeJson = named(
  'BeverageChange',
  Closed(
    { name: Maybe(requiredFields.name), producer_id: Maybe(ProducerId), ...optionalFields },
    { description: 'Changes of a beverage.' },
  ),
);

const beverages = readableResource({
  name: 'Beverage',
  noun: 'beverage',
  path: '/beverages',
  access: 'viewer',
  item: 'beverage',
  items: 'beverages',
  json: BeverageJson,
  errors: { remove: { conflict: ['beverage_in_kegs'] } },
  show: beverageJson,
});

export const beverageRoutes = [
  beverages.list(
    {
      summary: 'List beverages, newest first',
      description: 'Each with its producer and picture. Beverages of finished kegs are listed too.',
      filters: {
        search: Search(
          'Only beverages with these words in their name, their style or the name of their producer.',
        ),
        use: Maybe(
          Type.Enum(['on_tap', 'in_stock', 'unused'], {
            description:
              'Only beverages with a keg on a tap, with a keg in stock, or without any keg, which can be deleted.',
          }),
        ),
      },
    },
    ({ lists }, query) =>
      lists.beverages({
        ...toPageRequest(query),
        ...omitUndefined({ search: query.search, use: query.use }),
      }),
  ),
  beverages.get(
    { summary: 'Get a beverage', description: 'With its producer and picture.' },
    ({ kegs }, id) => kegs.beverage(id),
  ),
  beverages.create(
    {
      summary: 'Create a beverage',
      description:
        'The producer must exist. Values that are left out are unknown, except the colour, which is amber, and the ' +
        'type, which is `beer`. Written to the audit log.',
    },
    NewBeverageJson,
    (context, body) => {
      const fields = { ...toBeverageFields(body), name: body.name, producerId: toId(body.producer_id) };
      return context.engine.catalogue.addBeverage(fields, actorContext(context));
    },
    { byPin: true },
  ),
  ...beverages.changeWithUndo(
    {
      summary: 'Change a beverage. Fields left out keep their values',
      description:
        'All kegs of the beverage show the new values, finished ones too. A value of null makes a field unknown. ' +
        'Written to the audit log, and can be undone.',
    },
    { put: NewBeverageJson, patch: BeverageChangeJson },
    (context, { id }, { body }) =>
      context.engine.catalogue.changeBeverage(id, toBeverageFields(body), actorContext(context)),
  ),
  beverages.removeWithUndo(
    {
      summary: 'Delete a beverage. Refused while any keg contains it, finished kegs included',
      description:
        'Its prices and picture are deleted too. Refused with 409 while a keg has it. Written to the audit log, and can be undone: then it is there again under its id, with its prices and, while that is stored, its picture.',
    },
    (context, { id }) => correctionIdOf(context.engine.catalogue.removeBeverage(id, actorContext(context))),
  ),
];

/** Maps each field of a request to the field of the record. */
const fieldNames = {
  name: 'name',
  beverage_type: 'beverageType',
  style: 'style',
  vintage_year: 'vintageYear',
  abv_percent: 'abvPercent',
  calories_per_ml: 'caloriesPerMl',
  carbs_per_ml: 'carbsPerMl',
  color_hex: 'colorHex',
  original_gravity: 'originalGravity',
  specific_gravity: 'specificGravity',
  srm: 'srm',
  ibu: 'ibu',
  star_rating: 'starRating',
  untappd_beer_id: 'untappdBeerId',
  allergens: 'allergens',
} as const satisfies Partial<Record<keyof Static<typeof BeverageChangeJson>, keyof BeverageFields>>;

function toBeverageFields(body: Static<typeof BeverageChangeJson>): Partial<BeverageFields> {
  const { producer_id: producerId, description } = body;
  const plain = Object.entries(fieldNames).flatMap(([from, to]) => {
    const value = body[from as keyof typeof fieldNames];
    return value === undefined ? [] : [[to, value]];
  });
  return {
    ...(Object.fromEntries(plain) as Partial<BeverageFields>),
    ...omitUndefined({
      producerId: producerId === undefined ? undefined : toId(producerId),
      description: description === null ? '' : description,
    }),
  };
}

import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { BeverageFields } from '../../../engine/engine.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import { actorContext } from '../../routes/route-context.ts';
import { CalendarDate, Closed, errorWords, Id, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { toPageRequest } from '../shared/paging.ts';
import { readableResource } from '../shared/resource.ts';
import { BeverageJson, beverageJson } from '../shared/views.ts';
import { BeverageType } from './new-keg.ts';

const amount = (maximum: number, unit?: string) =>
  Maybe(Nullable(Type.Number({ minimum: 0, maximum, ...omitUndefined({ 'x-unit': unit }) })));

const requiredFields = { name: Type.String({ minLength: 1, maxLength: 255 }), producer_id: AnyId };
const optionalFields = {
  beverage_type: Maybe(BeverageType),
  style: Maybe(Nullable(Type.String({ maxLength: 255 }))),
  description: Maybe(Nullable(Type.String({ maxLength: 10_000 }))),
  vintage_year: Maybe(Nullable(CalendarDate)),
  abv_percent: amount(100, '%'),
  calories_per_ml: amount(100, 'kcal/mL'),
  carbs_per_ml: amount(100, 'g/mL'),
  color_hex: Maybe(
    Type.String({
      pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
      description: '`#rgb` or `#rrggbb`; amber by default.',
      ...errorWords('must be a colour such as #C35900', { name: 'colour' }),
    }),
  ),
  original_gravity: amount(10),
  specific_gravity: amount(10),
  srm: amount(1_000),
  ibu: amount(10_000),
  star_rating: amount(5),
  untappd_beer_id: Maybe(Nullable(Id)),
};

const NewBeverageJson = named('NewBeverage', Closed({ ...requiredFields, ...optionalFields }));
const BeverageChangeJson = named(
  'BeverageChange',
  Closed({ name: Maybe(requiredFields.name), producer_id: Maybe(AnyId), ...optionalFields }),
);

const beverages = readableResource({
  name: 'Beverage',
  noun: 'beverage',
  path: '/beverages',
  access: 'viewer',
  item: 'beverage',
  items: 'beverages',
  json: BeverageJson,
  show: beverageJson,
});

export const beverageRoutes = [
  beverages.list('List beverages, newest first', ({ lists }, query) => lists.beverages(toPageRequest(query))),
  beverages.get('Get a beverage', ({ kegs }, id) => kegs.beverage(id)),
  beverages.create('Create a beverage', NewBeverageJson, (context, body) => {
    const fields = { ...toBeverageFields(body), name: body.name, producerId: toId(body.producer_id) };
    return context.engine.catalogue.addBeverage(fields, actorContext(context));
  }),
  ...beverages.change(
    'Change a beverage. Fields left out keep their values',
    { put: NewBeverageJson, patch: BeverageChangeJson },
    (context, { id }, { body }) =>
      context.engine.catalogue.changeBeverage(id, toBeverageFields(body), actorContext(context)),
  ),
  beverages.remove(
    'Delete a beverage. Refused while any keg contains it, finished kegs included',
    (context, { id }) => context.engine.catalogue.removeBeverage(id, actorContext(context)),
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

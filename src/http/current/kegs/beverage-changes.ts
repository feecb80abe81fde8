import Type, { type Static } from 'typebox';
import type { BeverageFields } from '../../../engine/engine.ts';
import { actorContext } from '../../auth/actor-context.ts';
import { AnyId, toId } from '../../routes/any-id.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { BeverageJson, beverageJson } from '../shared/views.ts';
import { BeverageType } from './new-keg.ts';

const params = Open({ id: Id });
const BeverageReply = Closed({ beverage: BeverageJson });

const amount = (maximum: number, unit?: string) =>
  Maybe(Nullable(Type.Number({ minimum: 0, maximum, ...(unit === undefined ? {} : { unit }) })));

const requiredFields = { name: Type.String({ minLength: 1, maxLength: 255 }), producer_id: AnyId };
const optionalFields = {
  beverage_type: Maybe(BeverageType),
  style: Maybe(Nullable(Type.String({ maxLength: 255 }))),
  description: Maybe(Nullable(Type.String({ maxLength: 10_000 }))),
  vintage_year: Maybe(
    Nullable(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A date such as `2024-09-01`.' })),
  ),
  abv_percent: amount(100, '%'),
  calories_per_ml: amount(100, 'kcal/mL'),
  carbs_per_ml: amount(100, 'g/mL'),
  color_hex: Maybe(
    Type.String({
      pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
      description: '`#rgb` or `#rrggbb`; amber by default.',
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

const createBeverage = defineRoute({
  id: 'createBeverage',
  method: 'post',
  path: '/beverages',
  summary: 'Create a beverage',
  access: 'staff',
  accepts: { body: NewBeverageJson },
  replies: { status: 201, body: BeverageReply },
  run(context, { body }) {
    const { name, producer_id: producerId } = body;
    const fields = { ...toBeverageFields(body), name, producerId: toId(producerId) };
    return { beverage: beverageJson(context.engine.catalogue.addBeverage(fields, actorContext(context))) };
  },
});

const changeBeverage = (method: 'put' | 'patch') =>
  defineRoute({
    id: method === 'put' ? 'replaceBeverage' : 'changeBeverage',
    method,
    path: '/beverages/{id}',
    summary: 'Change a beverage. Fields left out keep their values',
    access: 'staff',
    accepts: { params, body: method === 'put' ? NewBeverageJson : BeverageChangeJson },
    replies: { status: 200, body: BeverageReply },
    run: (context, { params: { id }, body }) => ({
      beverage: beverageJson(
        context.engine.catalogue.changeBeverage(id, toBeverageFields(body), actorContext(context)),
      ),
    }),
  });

const removeBeverage = defineRoute({
  id: 'removeBeverage',
  method: 'delete',
  path: '/beverages/{id}',
  summary: 'Delete a beverage. Refused while any keg contains it, finished kegs included',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    context.engine.catalogue.removeBeverage(id, actorContext(context));
    return {};
  },
});

/** Routes that change beverages, for staff. */
export const beverageChangeRoutes = [
  createBeverage,
  changeBeverage('put'),
  changeBeverage('patch'),
  removeBeverage,
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
    ...(producerId === undefined ? {} : { producerId: toId(producerId) }),
    ...(description === undefined ? {} : { description: description ?? '' }),
  };
}

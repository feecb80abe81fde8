import { expect, test } from 'vitest';
import { currentApi } from '../../src/http/current/api.ts';
import { legacyApi } from '../../src/http/legacy-v1/api.ts';
import { SnapshotMessage } from '../../src/http/live/shapes.ts';
import type { Route } from '../../src/http/routes/route.ts';
import { schemaName } from '../../src/http/routes/schemas.ts';
import type { RouteServices } from '../../src/http/services.ts';
import { allExtensions } from '../kit/extensions.ts';

/** What an id is in JSON. `text` is the decimal text of a number; `name` is any text, such as a username. */
type IdType = 'number' | 'text' | 'name';

/** The type of each resource's id in answers. */
const idTypes: Readonly<Record<string, IdType>> = {
  tap: 'text',
  session: 'text',
  beverage: 'text',
  brewer: 'text',
  sensor: 'text',
  user: 'name',
  token: 'name',
  grant: 'name',
  pour: 'name',
  style: 'name',
  // Of the audit log: a record of any kind.
  subject: 'name',
  request: 'name',
  model: 'name',
  // Of the audit log: the entry by which a change of pins is undone.
  change: 'number',
  undo: 'number',
  cleaning: 'number',
  controller: 'number',
  correction: 'number',
  drink: 'number',
  entry: 'number',
  event: 'number',
  import: 'number',
  item: 'number',
  key: 'number',
  keg: 'number',
  login: 'number',
  merge: 'number',
  meter: 'number',
  producer: 'number',
  record: 'number',
  scale: 'number',
  schedule: 'number',
  size: 'number',
  till: 'number',
  toggle: 'number',
  // Ids of other systems.
  check: 'name',
  external: 'name',
  untappd: 'number',
};

/** The resource that a property refers to; without an entry, the last word before `_id`. */
const resources: Readonly<Record<string, string>> = {
  corrects_id: 'entry',
  type_id: 'beverage',
  // The only reference of another type than its resource: the specification has a text here.
  brewer_id: 'brewer',
  untappd_id: 'untappd',
  untappd_beer_id: 'untappd',
  last_drink_id: 'drink',
  greatest_volume_id: 'drink',
};

/** The resource of the objects with this component name that have an `id`. */
const owners: Readonly<Record<string, string>> = {
  ApiKey: 'key',
  AuthToken: 'token',
  BeerType: 'beverage',
  Controller: 'controller',
  Drink: 'drink',
  Event: 'event',
  FlowMeter: 'meter',
  FlowToggle: 'toggle',
  Grant: 'grant',
  HeldPour: 'drink',
  Keg: 'keg',
  KegSize: 'size',
  KegTap: 'tap',
  Login: 'login',
  MeterModel: 'model',
  MeteredPour: 'drink',
  PriceSchedule: 'schedule',
  Producer: 'producer',
  Scale: 'scale',
  Session: 'session',
  ThermoSensor: 'sensor',
  ThermoSensorItem: 'sensor',
  UnknownToken: 'token',
};

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface IdProperty {
  readonly where: string;
  readonly name: string;
  /** The component that has the property. */
  readonly owner: string;
  /** JSON types without null. */
  readonly types: readonly string[];
}

const jsonTypes = ({ type, anyOf, items }: Schema): readonly string[] =>
  anyOf?.flatMap(jsonTypes) ?? (items ? jsonTypes(items) : type === 'null' ? [] : [String(type)]);

/** All properties `id`, `…_id` and `…_ids` of a schema. */
function idProperties(schema: Schema, where: string, owner = ''): IdProperty[] {
  const named = schemaName(schema) ?? owner;
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...(/(^|_)ids?$/.test(name) ? [{ where, name, owner: named, types: jsonTypes(property) }] : []),
      ...idProperties(property, `${where}.${name}`, property.properties ? `${named}.${name}` : named),
    ]),
    ...(schema.anyOf ?? []).flatMap((one) => idProperties(one, where, named)),
    ...(schema.items ? idProperties(schema.items, where, named) : []),
  ];
}

function resourceOf({ name, owner }: IdProperty): string {
  if (name === 'id') return owners[owner.replace(/^Kegbot/, '')] ?? 'record';
  return (
    resources[name] ??
    name
      .replace(/_ids?$/, '')
      .split('_')
      .at(-1)!
  );
}

const currentRoutes = currentApi({} as RouteServices, { extensions: allExtensions.http }).routes;

/** Id properties in the answers of the routes in one reply format. */
const inAnswers = (routes: readonly Route[], format: string) =>
  routes.flatMap(({ id, answer }) => {
    const view = answer.kind === 'json' ? (answer.views[format] ?? answer.views.any) : undefined;
    return view === undefined ? [] : idProperties(view.body as Schema, id);
  });

/** The properties whose type is not that of their resource. */
const wrongTypes = (
  found: readonly IdProperty[],
  expectedType: (resource: string, property: IdProperty) => IdType | undefined,
) =>
  found
    .filter((property) => {
      const type = expectedType(resourceOf(property), property);
      return (
        type === undefined || property.types.some((one) => one !== (type === 'number' ? 'integer' : 'string'))
      );
    })
    .map(
      (property) => `${property.where} ${property.owner}.${property.name}: ${property.types.join(' or ')}`,
    );

test.each([
  ['the current API', inAnswers(currentRoutes, 'current')],
  ['the legacy API', inAnswers(legacyApi.routes, 'reference')],
])('in %s an id has the type of its resource, also where others refer to it', (_api, found) => {
  expect(found.length).toBeGreaterThan(30);
  expect(wrongTypes(found, (resource) => idTypes[resource])).toEqual([]);
});

test('in the kegbot form all ids are numbers but those that are names', () => {
  const found = inAnswers(legacyApi.routes, 'kegbot');
  expect(found.length).toBeGreaterThan(50);
  const expected = (resource: string, { name }: IdProperty): IdType =>
    // Existing clients expect a text.
    resource === 'user' || name === 'untappd_id' ? 'name' : 'number';
  expect(wrongTypes(found, expected)).toEqual([]);
});

test('the live stream has the ids of the API', () => {
  const { taps, drinks } = SnapshotMessage.properties;
  const found = [...idProperties(taps as Schema, 'taps'), ...idProperties(drinks as Schema, 'drinks')];
  expect(found.map(({ where, name, types }) => `${where}.${name}: ${types.join(' or ')}`)).toEqual([
    'taps.id: string',
    'taps.keg.id: integer',
    'taps.kegs_behind.id: integer',
    'taps.other_taps.id: string',
    'taps.last_drink.id: integer',
    'taps.cleaning.id: integer',
    'taps.beverage.id: string',
    'taps.prices.serving_size_id: integer',
    'taps.serving_size_ids: integer',
    'taps.next.keg_id: integer',
    'taps.pouring.pour_id: string',
    'drinks.id: integer',
    'drinks.tap_id: string',
    'drinks.user_id: string',
  ]);
});

test('a request takes the id of an answer, whatever its type', () => {
  const inputs = currentRoutes.flatMap(({ id, path, accepts: { params, query, body } }) =>
    [params, query, body].flatMap((schema) =>
      Object.entries((schema as Schema | undefined)?.properties ?? {}).map(([name, property]) => ({
        where: `${id} ${path} ${name}`,
        path,
        name,
        types: jsonTypes(property),
      })),
    ),
  );
  const textIds = inputs.filter(
    ({ path, name }) =>
      /^(tap|session|beverage|thermo_sensor|sensor)(_id)?$/.test(name) ||
      (name === 'id' && /\/(taps|prices|sessions|beverages)\/\{id\}/.test(path)),
  );
  expect(textIds.length).toBeGreaterThan(15);
  expect(textIds.filter(({ types }) => !types.includes('string')).map(({ where }) => where)).toEqual([]);
});

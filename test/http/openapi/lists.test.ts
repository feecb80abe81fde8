import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { allExtensions } from '../../kit/extensions.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = printOpenApi(
  currentApi({} as RouteServices, { extensions: allExtensions.http }),
  {},
) as unknown as Document;

const resolve = (schema: Schema = {}): Schema =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)!]) : schema;

const isListOfObjects = (schema: Schema): boolean => {
  const { type, items } = resolve(schema);
  const of = resolve(items);
  return type === 'array' && (of.type === 'object' || of.anyOf !== undefined);
};

/** The lists: reads whose result has an array of objects. */
const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const reply = get && Object.entries(get.responses).find(([status]) => status.startsWith('2'))?.[1];
  const body = resolve(reply?.content?.['application/json']?.schema);
  const properties = resolve(body.properties?.result).properties ?? {};
  if (!get || !Object.values(properties).some(isListOfObjects)) return [];
  return [{ path, id: get.operationId, paging: properties.paging, get }];
});

/** Reads of one thing that has several parts. */
const notLists = [
  'getMe',
  'exportMe',
  'exportUser',
  'getStatus',
  'getSystemStats',
  'getDrink',
  'getTokenHistory',
  'getKeg',
  'getKegStats',
  'getTap',
  'getTapLineHealth',
  'getSessionDirectory',
  'getSessionStats',
  'getThermoChart',
  'getUserStats',
  'getExportSizes',
  'getFirstSteps',
  'getLinkedAlarms',
  'getMeterLearning',
  'listKegWeighings',
  'getFeatures',
  ...extensionCases.flatMap(({ unpagedReads = [] }) => unpagedReads),
];

test('every reply with a list has the same paging', () => {
  const without = lists.filter(({ paging }) => paging?.$ref !== '#/components/schemas/Paging');
  expect(without.map(({ id }) => id).sort()).toEqual([...notLists].sort());
  expect(lists.length).toBeGreaterThan(40);
});

test('every list takes start, limit and cursor, or is answered whole', () => {
  const others = lists.filter(({ id, paging, get }) => {
    if (paging === undefined || id === 'listBusinessDays') return false;
    const names = get.parameters?.map(({ name }) => name) ?? [];
    const found = ['start', 'limit', 'cursor'].filter((name) => names.includes(name));
    return found.length !== 0 && found.length !== 3;
  });
  expect(others.map(({ id }) => id)).toEqual([]);
  const whole = lists.filter(
    ({ paging, get }) => paging && !get.parameters?.some(({ name }) => name === 'limit'),
  );
  expect(whole.map(({ id }) => id).sort()).toEqual(
    [
      'getBeveragePrices',
      'getTemperatureSheets',
      'listAlarmChannels',
      'listAliases',
      'listBackups',
      'listLogins',
      'listMeterPours',
      'listOpenValves',
      'listPlugins',
      'listPriceSchedules',
      'listServingSizes',
      'listTabletStaff',
      'listTapLosses',
      'listTaps',
      'listUnknownTokens',
      'listUserLogins',
      'listWebhooks',
      ...extensionCases.flatMap(({ wholeLists = [] }) => wholeLists),
    ].sort(),
  );
});

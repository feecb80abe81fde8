import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { customKeywords, validate } from '../../../src/http/pipeline/validate.ts';
import { AnyId, IdempotencyHeader, Instant } from '../../../src/http/routes/input-values.ts';
import { CalendarDate, Closed, errorWords, Maybe, Nullable } from '../../../src/http/routes/schemas.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';

const routes = [
  ...legacyApi.routes,
  ...currentApi({} as RouteServices, { extensions: allExtensions.http }).routes,
];
const ofRoutes = routes.flatMap(({ id, accepts: { params, query, body } }) =>
  [params, query, body].flatMap((schema) => (schema === undefined ? [] : [{ id, schema }])),
);
const ofApis = allExtensions.http.apis.flatMap((api) =>
  api.operations.map(({ id, request }) => ({ id, schema: request })),
);
const schemas = [...ofRoutes, ...ofApis, { id: 'IdempotencyHeader', schema: IdempotencyHeader }];

test('every request schema is valid JSON Schema', () => {
  const ajv = new Ajv2020();
  for (const keyword of customKeywords) ajv.addKeyword(keyword);
  expect(ofRoutes.length).toBeGreaterThan(200);
  const wrong = schemas.filter(({ schema }) => ajv.validateSchema(schema) !== true).map(({ id }) => id);
  expect(wrong).toEqual([]);
  // An invalid schema is detected.
  expect(ajv.validateSchema({ type: 'pint' })).toBe(false);
});

/** The patterns without words for their error, neither of their own nor of the union around them. */
function wordlessPatterns(schema: unknown, hasWords = false): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, anyOf = [], ...rest } = schema as { pattern?: unknown; anyOf?: readonly unknown[] };
  const has = 'x-error' in schema;
  return [
    ...(typeof pattern === 'string' && !has && !hasWords ? [pattern] : []),
    ...anyOf.flatMap((one) => wordlessPatterns(one, has)),
    ...Object.values(rest).flatMap((one) => wordlessPatterns(one)),
  ];
}

test('every pattern of a request has words for its error', () => {
  const found = schemas.flatMap(({ id, schema }) => wordlessPatterns(schema).map((one) => `${id}: ${one}`));
  expect(found).toEqual([]);
  expect(wordlessPatterns(Type.Object({ name: Type.String({ pattern: '^a' }) }))).toEqual(['^a']);
});

const beer = Closed({
  colour: Maybe(
    Type.String({ minLength: 2, pattern: '^#', ...errorWords('must be a colour', { name: 'colour' }) }),
  ),
  date: Maybe(Nullable(CalendarDate)),
  time: Maybe(Nullable(Instant('Any.'))),
  bare: Maybe(Type.String({ pattern: '^[a-z]+$' })),
  ids: Maybe(Type.Array(AnyId, { maxItems: 2 })),
  above: Maybe(Type.Number({ exclusiveMinimum: 0 })),
});
const fault = (value: object) => {
  try {
    validate(beer, value);
  } catch (error) {
    return Object.values((error as AppError).fields ?? {}).join();
  }
  return null;
};

test.each<[object, string]>([
  [{ colour: 'ambr' }, 'must be a colour'],
  [{ colour: '#' }, 'must have at least 2 character(s)'],
  [{ colour: 5 }, 'must be text'],
  [{ date: '1 May' }, 'must be a date such as 2024-09-01'],
  [{ bare: '5' }, 'is not written as the API’s documentation says'],
  [{ ids: ['x'] }, 'must be a positive whole number'],
  [{ ids: [1, 2, 3] }, 'must have at most 2 items'],
  [{ above: 0 }, 'must be above 0'],
])('%j: the error says “%s”', (value, words) => expect(fault(value)).toBe(words));

test.each([5.5, -1, 1e12, 'noon', '2026-05-02', true, [], { at: 'noon' }])(
  'the error of the time %j is one sentence with examples',
  (time) =>
    expect(fault({ time })).toMatch(/^must be a time from 1970 to 2100, such as 2026-05-02T17:04:11Z,/),
);

test('the words of a pattern have their rule for translation', () => {
  expect(() => validate(beer, { colour: 'ambr', date: 'x', time: 'x' })).toThrow(
    expect.objectContaining({
      rules: { colour: { name: 'colour' }, date: { name: 'date' }, time: { name: 'time' } },
    }),
  );
});

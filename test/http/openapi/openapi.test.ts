import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { currentFormat } from '../../../src/http/current/shared/reply-format.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import { jsonReader } from '../../../src/http/pipeline/body/read-body.ts';
import { customKeywords } from '../../../src/http/pipeline/validate.ts';
import type { ApiDefinition } from '../../../src/http/routes/api-definition.ts';
import { defineRoute } from '../../../src/http/routes/route.ts';
import { Closed, Id, Maybe, Nullable, named, Open, TapRef, Ticks } from '../../../src/http/routes/schemas.ts';

const Beer = named('Beer', Closed({ id: Id, ticks: Ticks }));

const createApi = (beer: Type.TSchema): ApiDefinition => ({
  name: 'test',
  title: 'Test',
  prefix: '/api',
  headers: {},
  about: { summary: 'Test', description: 'Test.', tags: { taps: 'Taps.', beers: 'Beers.' } },
  routes: [
    defineRoute({
      id: 'pourBeer',
      method: 'post',
      path: '/taps/{ref}',
      summary: 'Pour',
      access: 'staff',
      accepts: {
        params: Open({ ref: TapRef }),
        query: Open({ limit: Maybe(Type.Integer()) }),
        body: Closed({ ticks: Ticks }),
      },
      replies: { status: 201, body: Closed({ beer: Beer, next: Nullable(Beer), last: Maybe(Beer) }) },
      run: () => ({ beer: { id: 1, ticks: 1 }, next: null }),
    }),
    defineRoute({
      id: 'listBeers',
      method: 'get',
      path: '/beers',
      summary: 'List',
      access: 'open',
      accepts: {},
      replies: { status: 200, body: Closed({ beers: Type.Array(beer) }) },
      run: () => ({ beers: [] }),
    }),
  ],
  retired: [],
  bodyReaders: [jsonReader],
  lenientJson: false,
  basicKeys: true,
  formats: [currentFormat],
  formatFor: () => currentFormat,
});

type Printed = { paths: Record<string, never>; components: { schemas: Record<string, object> } };
const text = (value: unknown) => JSON.stringify(value);

test('a named schema becomes one component and references', () => {
  const document = printOpenApi(createApi(Beer)) as unknown as Printed;
  expect(Object.keys(document.components.schemas).sort()).toEqual([
    'Beer',
    'BrokenRule',
    'Failure',
    'FailureReason',
  ]);
  const references = text(document.paths).match(/"\$ref":"#\/components\/schemas\/Beer"/g);
  expect(references).toHaveLength(4);
});

test('an operation has the id, fields, statuses and security of its route', () => {
  const document = printOpenApi(createApi(Beer)) as unknown as {
    paths: Record<string, Record<string, unknown>>;
  };
  expect(document.paths['/api/taps/{ref}']?.post).toMatchObject({
    operationId: 'pourBeer',
    parameters: [
      { name: 'ref', in: 'path', required: true },
      { name: 'limit', in: 'query', required: false },
    ],
    requestBody: { content: { 'application/json': { schema: { required: ['ticks'] } } } },
    responses: {
      '201': {},
      '400': { $ref: '#/components/responses/BadRequest' },
      '401': {},
      '403': {},
      '404': {},
      '413': {},
      '415': {},
      '429': {},
      '503': {},
    },
    security: [{ header: [] }, { query: [] }, { bearer: [] }, { basic: [] }],
  });
  expect(document.paths['/api/beers']?.get).toMatchObject({ security: [] });
});

test('rejects two different schemas of one name', () => {
  expect(() => printOpenApi(createApi(named('Beer', Closed({ id: Id }))))).toThrow('named Beer');
});

test('the schemas of the legacy API are valid and contain both reply formats', () => {
  const document = printOpenApi(legacyApi) as unknown as Printed;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const keyword of [...customKeywords, 'components']) ajv.addKeyword(keyword);
  ajv.addSchema({ $id: 'document', components: document.components } as object, 'document');
  for (const name of Object.keys(document.components.schemas)) {
    expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
  }
  expect(Object.keys(document.components.schemas)).toContain('KegTap');
  expect(Object.keys(document.components.schemas)).toContain('KegbotTap');
});

import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { clientTypes } from '../../../src/http/openapi/client-types.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';

const operation = (more: object, result: object = { type: 'null' }) => ({
  summary: 'Pour',
  parameters: [],
  responses: {
    '200': { content: { 'application/json': { schema: { type: 'object', properties: { result } } } } },
  },
  ...more,
});

/** The types of one operation, on one line. */
const typesOf = (one: object, schemas: object = {}) =>
  clientTypes({ paths: { '/api/beer/{id}': { post: one } }, components: { schemas } }, '/api').replace(
    /\s+/g,
    ' ',
  );

test('types every operation of the current API', () => {
  // Only the declarations of the routes are used.
  const api = currentApi({} as RouteServices, { extensions: { ...allExtensions.http, apis: [] } });
  const printed = printOpenApi(api) as { readonly paths: Readonly<Record<string, object>> };
  const types = clientTypes(printed, api.prefix);
  const operations = Object.entries(printed.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(api.prefix.length)}`),
  );
  expect(operations.length).toBeGreaterThan(100);
  expect(operations.filter((name) => !types.includes(`readonly '${name}': {`))).toEqual([]);
});

test('types path, query and body, with optional members', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
  ];
  const body = {
    type: 'object',
    required: ['ml'],
    properties: { ml: { type: 'number' }, who: { $ref: '#/components/schemas/Who' } },
  };
  const types = typesOf(
    operation({ parameters, requestBody: { content: { 'application/json': { schema: body } } } }),
    { Who: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A name.' } },
  );
  expect(types).toContain('/** A name. */ export type Who = string | null;');
  expect(types).toContain(
    "/** Pour. */ readonly 'POST /beer/{id}': { readonly path: { readonly id: number; }; " +
      'readonly query: { readonly limit?: number; }; ' +
      'readonly body: { readonly ml: number; readonly who?: Who; }; readonly result: null; };',
  );
});

test.each<[schema: object, type: string]>([
  [{ enum: ['keg', "brewer's"] }, "'keg' | 'brewer\\'s'"],
  [{ const: true }, 'true'],
  [{ type: 'array', items: { enum: ['a', 1] } }, "readonly ('a' | 1)[]"],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'number' } } }, 'Readonly<Record<string, number>>'],
  [{ type: 'object', properties: {}, additionalProperties: false }, 'Readonly<Record<string, never>>'],
  [{ type: 'object', properties: {} }, 'Readonly<Record<string, never>>'],
  [{ type: 'object', properties: {}, additionalProperties: true }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', properties: { 'a-b': { type: 'string' } } }, "{ readonly 'a-b'?: string; }"],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{}, 'unknown'],
])('%j is written as %s', (schema, type) => {
  expect(typesOf(operation({}, schema))).toContain(`readonly result: ${type};`);
});

test('a body with files is FormData, and an answer that is not JSON is listed in Files', () => {
  expect(typesOf(operation({ requestBody: { content: { 'multipart/form-data': {} } } }))).toContain(
    'readonly body: FormData;',
  );
  const table = { responses: { '200': { content: { 'text/csv': {} } } } };
  expect(typesOf(operation(table))).toContain(
    "export interface Files { /** Pour. */ readonly 'POST /beer/{id}': { }; }",
  );
});

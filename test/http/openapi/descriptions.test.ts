import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { type Examples, examplesFile } from '../../../src/http/openapi/examples.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { type OpenApiDocument, operations } from './openapi-faults.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly contentMediaType?: string;
}

const apis = [currentApi({} as RouteServices, { extensions: allExtensions.http }), legacyApi].map((api) => {
  const examples = JSON.parse(readFileSync(examplesFile(api.name), 'utf8')) as Examples;
  return {
    title: api.title,
    examples,
    document: printOpenApi(api, examples) as unknown as OpenApiDocument,
  };
});

type Described = OpenApiDocument['paths'][string][string] & {
  readonly summary?: string;
  readonly description?: string;
};

test.each(apis)(
  'every operation of $title has a description that says more than its summary',
  ({ document }) => {
    const missing = operations(document).filter(({ operation }) => {
      const { summary, description } = operation as Described;
      return !summary || !description || description === summary;
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
);

test.each(apis)('every operation of $title has an example', ({ document, examples }) => {
  const missing = operations(document).filter(({ operation: { operationId } }) => {
    const other = allExtensions.http.apis
      .flatMap((api) => api.operations)
      .find(({ id }) => id === operationId);
    return Object.keys(other?.examples ?? examples[operationId] ?? {}).length === 0;
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test.each(apis)('every parameter and property of $title has a description', ({ document }) => {
  const missing = new Set<string>();
  const find = (where: string, schema: Schema, required: boolean): void => {
    if (required && !isDescribed(schema, document)) missing.add(where);
    if (schema.$ref !== undefined) return;
    for (const one of schema.anyOf ?? []) find(where, one, false);
    if (schema.items) find(`${where}[]`, schema.items, false);
    for (const [name, one] of Object.entries(schema.properties ?? {})) find(`${where}.${name}`, one, true);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) find(name, schema, false);
  for (const { name, operation } of operations(document)) {
    const { parameters = [], requestBody, responses } = operation;
    for (const one of parameters) {
      const hasOwn = Boolean((one as { readonly description?: string }).description);
      find(`${name} ${one.in} ${one.name}`, one.schema as Schema, !hasOwn);
    }
    for (const part of [requestBody, ...Object.values(responses)]) {
      for (const { schema } of Object.values(part?.content ?? {}))
        if (schema !== undefined) find(name, schema as Schema, false);
    }
  }
  expect([...missing]).toEqual([]);
});

test.each(apis)('every value in a body of a request to $title has a maximum', ({ document }) => {
  const missing = new Set<string>();
  const find = (where: string, schema: Schema): void => {
    const resolved = resolve(schema, document);
    const { anyOf, items, properties, type } = resolved;
    for (const one of anyOf ?? []) find(where, one);
    if (items) find(`${where}[]`, items);
    for (const [name, one] of Object.entries(properties ?? {})) find(`${where}.${name}`, one);
    if (!isBounded(type, resolved)) missing.add(where);
  };
  for (const { name, operation } of operations(document)) {
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      find(name, schema as Schema);
  }
  expect([...missing].filter((one) => !isClamped(one))).toEqual([]);
});

/**
 * True for values that are limited after they were accepted, so that a wrong clock or a faulty field does not refuse a pour:
 * the duration in the legacy API, and device events, whose batches have at most 16 KiB.
 */
const isClamped = (where: string): boolean =>
  /^post \/api\/(v1\/taps?\/\{ref\}\.duration$|(device|kegboard)-event\.)/.test(where);

function isBounded(type: string | undefined, schema: Schema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined) return true;
  if (type === 'integer' || type === 'number') return schema.maximum !== undefined;
  if (type === 'array') return schema.maxItems !== undefined;
  if (type !== 'string') return true;
  // A pattern without a repetition of unknown length bounds the text; a file is bounded by its upload.
  const isFixed =
    schema.pattern !== undefined && !/[*+]/.test(schema.pattern.replace(/\\[*+]|\[[^\]]*\]/g, ''));
  return schema.maxLength !== undefined || schema.contentMediaType !== undefined || isFixed;
}

const resolve = (schema: Schema, document: OpenApiDocument): Schema =>
  schema.$ref === undefined
    ? schema
    : resolve(document.components.schemas[schema.$ref.split('/').at(-1)!] as Schema, document);

/** True if the schema, its component, or one of its alternatives has a description. */
function isDescribed(schema: Schema, document: OpenApiDocument): boolean {
  const { description, anyOf = [] } = resolve(schema, document);
  return Boolean(schema.description || description) || anyOf.some((one) => isDescribed(one, document));
}

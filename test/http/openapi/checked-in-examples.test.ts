import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { type Examples, examplesFile } from '../../../src/http/openapi/examples.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { ajvFor, type OpenApiDocument, operations } from './openapi-faults.ts';

/** An example as printed, with the schema it is an example of. */
interface PrintedExample {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

test.each([currentApi({} as RouteServices, { extensions: allExtensions.http }), legacyApi])(
  'the examples of $title fit their schemas',
  (api) => {
    const examples = JSON.parse(readFileSync(examplesFile(api.name), 'utf8')) as Examples;
    const document = printOpenApi(api, examples) as unknown as OpenApiDocument;
    const ajv = ajvFor(document);
    const wrong = operations(document).flatMap(({ operation }) => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const printed = [
        ...parameters,
        ...[requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
      ] as PrintedExample[];
      return printed.flatMap(({ schema, examples = {} }) =>
        Object.entries(examples)
          .filter(([, { value }]) => schema !== undefined && ajv.compile(schema)(value) !== true)
          .map(([name]) => `${operationId}: ${name}`),
      );
    });
    expect(wrong).toEqual([]);
    const ids = new Set(api.routes.map(({ id }) => id));
    expect(Object.keys(examples).filter((id) => !ids.has(id))).toEqual([]);
  },
);

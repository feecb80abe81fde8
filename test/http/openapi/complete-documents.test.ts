import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { type OpenApiDocument, type Operation, operations } from './openapi-faults.ts';

interface PrintedOperation extends Operation {
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
}

const apis = [currentApi({} as RouteServices, { extensions: allExtensions.http }), legacyApi] as const;

test.each(apis)('every operation of $title has a description, errors and a tag with a text', (api) => {
  const document = printOpenApi(api) as unknown as OpenApiDocument & {
    readonly tags: readonly { readonly name: string; readonly description?: string }[];
  };
  const described = new Set(document.tags.filter((tag) => tag.description).map(({ name }) => name));
  const wrong = operations(document).flatMap(({ operation }) => {
    const { operationId, description, tags, responses } = operation as PrintedOperation;
    return [
      ...(description ? [] : [`${operationId}: no description`]),
      ...(tags.length === 1 && described.has(tags[0]!) ? [] : [`${operationId}: no tag with a text`]),
      ...['400', '503'].filter((status) => !(status in responses)).map((one) => `${operationId}: no ${one}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test('the legacy API is marked as deprecated, the current one is not', () => {
  const deprecated = apis.map((api) =>
    operations(printOpenApi(api) as unknown as OpenApiDocument).filter(
      ({ operation }) => (operation as PrintedOperation).deprecated,
    ),
  );
  expect(deprecated[0]).toEqual([]);
  expect(deprecated[1]).toHaveLength(legacyApi.routes.length);
});

test('the document contains the APIs of extensions and the events of the live stream', () => {
  const document = printOpenApi(apis[0]) as unknown as OpenApiDocument;
  const paths = allExtensions.http.apis.flatMap((api) => api.paths);
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(paths));
  expect(JSON.stringify(document.paths['/api/live'])).toContain('"const":"snapshot"');
});

test('objects of replies may have further properties, those of requests may not', () => {
  const document = printOpenApi(apis[0]) as unknown as OpenApiDocument;
  const closed = operations(document).filter(({ operation }) =>
    JSON.stringify(operation.responses).includes('"additionalProperties":false'),
  );
  expect(closed.map(({ name }) => name)).toEqual([]);
  expect(JSON.stringify(document.paths['/api/auth/login'])).toContain('"additionalProperties":false');
});

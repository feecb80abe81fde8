import { createRequire } from 'node:module';
import Type from 'typebox';
import type { ApiDefinition } from '../routes/api-definition.ts';
import { defineRawRoute, type Route } from '../routes/route.ts';
import { Maybe, Open } from '../routes/schemas.ts';
import { printOpenApi } from './openapi.ts';

type Format = 'json' | 'yaml';

const mediaTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
};

const load = createRequire(import.meta.url);

/** Serves the API's OpenAPI document, printed from its routes on the first request. */
export function schemaRoute(api: () => ApiDefinition): Route {
  const texts = new Map<Format, string>();
  const documentText = (format: Format): string => {
    const text = texts.get(format) ?? formatDocument(api(), format);
    texts.set(format, text);
    return text;
  };
  return defineRawRoute({
    id: 'schema',
    method: 'get',
    path: '/schema',
    summary: 'This document: OpenAPI 3.1',
    access: 'open',
    allowedBeforeSetUp: true,
    accepts: { query: Open({ format: Maybe(Type.Enum(['json', 'yaml'])) }) },
    mediaType: 'application/json',
    otherMediaTypes: ['application/yaml'],
    send(_context, { response }, { query: { format = 'json' } }) {
      const text = documentText(format);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.writeHead(200, { 'Content-Type': mediaTypes[format] }).end(text);
    },
  });
}

function formatDocument(api: ApiDefinition, format: Format): string {
  const document = printOpenApi(api);
  if (format === 'json') return JSON.stringify(document);
  // Loaded on the first request; most sites never need it.
  const { stringify } = load('yaml') as typeof import('yaml');
  // Without anchors, which not every parser supports.
  return stringify(document, { aliasDuplicateObjects: false });
}

import type { Edition } from './edition.ts';
import { printOpenApi } from './openapi.ts';
import { defineRawRoute, type Route } from './route.ts';

/** The edition’s own document, printed from its routes when first asked for. */
export function schemaRoute(edition: () => Edition): Route {
  let text: string | undefined;
  return defineRawRoute({
    id: 'schema',
    method: 'get',
    path: '/schema',
    summary: 'This document: OpenAPI 3.1',
    access: 'open',
    accepts: {},
    mediaType: 'application/json',
    send(_context, { response }) {
      text ??= JSON.stringify(printOpenApi(edition()));
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(text);
    },
  });
}

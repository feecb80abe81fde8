import { productVersion } from '../../system/product.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import type { Examples } from './examples.ts';
import { headerComponents, headersFor } from './headers.ts';
import { createFailurePrinter } from './print-failures.ts';
import { printOperation, printOtherOperation, toTag } from './print-operation.ts';
import { createSchemaPrinter, type JsonObject } from './print-schemas.ts';
import { securitySchemes } from './security.ts';

/** Prints an API as an OpenAPI 3.1 document. Each named schema becomes one component. */
export function printOpenApi(api: ApiDefinition, examples: Examples = {}): JsonObject {
  const schemas = createSchemaPrinter();
  const failures = createFailurePrinter(api, schemas);
  const paths: Record<string, JsonObject> = {};
  for (const route of api.routes) {
    const path = `${api.prefix}${route.path}`.replace(/\/$/, '');
    const operation = printOperation(route, api, { schemas, failures }, examples[route.id]);
    paths[path] = { ...paths[path], [route.method]: operation };
  }
  for (const other of api.otherOperations ?? [])
    paths[other.path] = { post: printOtherOperation(other, schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: productVersion(),
      summary: api.about.summary,
      description: api.about.description,
      contact: { name: 'the Tapster authors' },
      license: { name: 'MIT License', identifier: 'MIT' },
    },
    servers,
    tags: usedTags(api),
    paths,
    components: {
      schemas: schemas.components(),
      responses: { ...(api.entityTags ? { NotModified: notModified(api) } : {}), ...failures.components() },
      headers: headerComponents(api),
      securitySchemes: securitySchemes(api),
    },
  };
}

const notModified = (api: ApiDefinition): JsonObject => ({
  description: 'Not modified: the reply is the one that `If-None-Match` names.',
  headers: headersFor(api, 304, true),
});

const hostVariable = { default: 'tapster.local', description: 'Name or address of the machine' };

const servers: readonly JsonObject[] = [
  { url: '/', description: 'The Tapster that serves this document' },
  {
    url: 'http://{host}:{port}',
    description: 'Another Tapster',
    variables: {
      host: hostVariable,
      port: { default: '8080', description: 'TCP port, the setting `http.port`' },
    },
  },
  {
    url: 'https://{host}:{port}',
    description: 'Another Tapster, over HTTPS; clients must trust the authority at `/ca.crt`',
    variables: {
      host: hostVariable,
      port: { default: '8443', description: 'TCP port, the setting `https.port`' },
    },
  },
];

/** The tags of an API's routes in the declared order. */
function usedTags({ about: { tags }, routes, otherOperations = [] }: ApiDefinition): readonly JsonObject[] {
  const used = new Set([...routes.map(({ path }) => toTag(path)), ...otherOperations.map(({ tag }) => tag)]);
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

import type Type from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { productVersion } from '../../system/product.ts';
import { loginCookie, tabletCookie } from '../pipeline/cookies.ts';
import { type ApiDefinition, acceptsLogins, bodyReadersFor } from '../routes/api-definition.ts';
import type { JsonAnswer, Route } from '../routes/route.ts';
import { schemaName } from '../routes/schemas.ts';
import type { Example, Examples, OperationExamples } from './examples.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Prints an API as an OpenAPI 3.1 document. Each named schema becomes one component. */
export function printOpenApi(api: ApiDefinition, examples: Examples = {}): Json {
  const hoisted = new Map<string, { readonly schema: object; printed: Json }>();

  function print(value: unknown, isTop = false): Json {
    if (typeof value !== 'object' || value === null) return value as Json;
    if (Array.isArray(value)) return value.map((item) => print(item));
    const name = isTop ? undefined : schemaName(value);
    if (name !== undefined) return reference(name, value);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, print(inner)]));
  }

  function reference(name: string, schema: object): Json {
    const known = hoisted.get(name);
    if (known && JSON.stringify(known.schema) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are named ${name}.`);
    }
    if (!known) {
      const entry = { schema, printed: {} as Json };
      hoisted.set(name, entry);
      entry.printed = print(schema, true);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  const paths: Record<string, Record<string, Json>> = {};
  for (const route of api.routes) {
    const path = `${api.prefix}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operation(route, api, print, examples[route.id]) };
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: productVersion() },
    paths,
    components: {
      schemas: Object.fromEntries([...hoisted].map(([name, { printed }]) => [name, printed])),
      securitySchemes: securitySchemes(api),
    },
  };
}

function operation(
  route: Route,
  api: ApiDefinition,
  print: (value: unknown) => Json,
  examples: OperationExamples = {},
): Json {
  const { params, query, body } = route.accepts;
  const credentials = toSecurity(route, api);
  const isOpen = route.access === 'open' || route.access === 'setup';
  const isKeyOptional = ['viewer', 'loopback', 'same-origin'].includes(route.access);
  return {
    operationId: route.id,
    tags: [toTag(route.path)],
    summary: route.summary,
    ...omitUndefined({ description: route.description }),
    security: isOpen ? [] : [...(isKeyOptional ? [{}] : []), ...credentials],
    parameters: [
      ...parameters('path', params, print, examples),
      ...parameters('query', query, print, examples),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contents(api, route, body, print, examples) } }),
    responses: {
      ...success(route, api, print, examples),
      default: {
        description: 'Refused or failed',
        content: {
          'application/json': { schema: anyOfSchemas(api.formats.map((format) => print(format.failSchema))) },
        },
      },
    },
  };
}

/** Returns the alternative credentials of a route: keys, a login, a shared tablet, or a tablet with a PIN unlock. */
function toSecurity(route: Route, api: ApiDefinition): readonly Json[] {
  if (route.access === 'tablet') return [{ tablet: [] }];
  const onTablets = acceptsLogins(api, route) && route.access === 'viewer' ? [{ tablet: [] }] : [];
  const keys = Object.keys(securitySchemes(api))
    .filter((name) => name !== 'tablet' && name !== 'pinUnlock')
    .filter((name) => name !== 'login' || acceptsLogins(api, route))
    .filter((name) => name === 'login' || route.access !== 'confirmed-superuser')
    .map((name) => ({ [name]: [] }));
  return [...keys, ...onTablets, ...(route.byPin ? [{ tablet: [], pinUnlock: [] }] : [])];
}

/** Returns the tag of a route, `drinks` for `/drinks/{id}`; the interactive page groups routes by it. */
const toTag = (path: string): string => path.split('/')[1] ?? '';

function success(
  route: Route,
  api: ApiDefinition,
  print: (value: unknown) => Json,
  examples: OperationExamples,
): Record<string, Json> {
  const { answer } = route;
  const shown = (status: number, mediaType: string) =>
    exampleValues(examples, ({ reply }) =>
      reply.status === status && reply.mediaType === mediaType ? reply.body : undefined,
    );
  if (answer.kind === 'raw') {
    const content = Object.fromEntries(
      [answer.mediaType, ...answer.otherMediaTypes].map((mediaType) => [mediaType, shown(200, mediaType)]),
    );
    return { '200': { description: 'Done', content } };
  }
  const schema = anyOfSchemas(
    api.formats.map((format) => print(format.okSchema(replySchema(answer, format.name)))),
  );
  const content = { 'application/json': { schema, ...shown(answer.status, 'application/json') } };
  return { [answer.status]: { description: 'Done', content } };
}

/** The member `examples` with one value of each example that has one; empty without any. */
function exampleValues(
  examples: OperationExamples,
  pick: (example: Example) => unknown,
): Record<string, Json> {
  const values = Object.entries(examples).flatMap(([name, example]) => {
    const value = pick(example) as Json | undefined;
    return value === undefined ? [] : [[name, { summary: example.summary, value }] as const];
  });
  return values.length === 0 ? {} : { examples: Object.fromEntries(values) };
}

function replySchema(answer: JsonAnswer, format: string): Type.TSchema {
  const view = answer.views[format] ?? answer.views.any;
  if (!view) throw new Error(`No view for the reply format ${format}.`);
  return view.body;
}

function parameters(
  where: 'path' | 'query',
  schema: Type.TObject | undefined,
  print: (value: unknown) => Json,
  examples: OperationExamples,
): readonly Json[] {
  if (!schema) return [];
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: print(property),
    ...exampleValues(examples, ({ params, query }) => (where === 'path' ? params : query)?.[name]),
  }));
}

function contents(
  api: ApiDefinition,
  route: Route,
  body: Type.TObject,
  print: (value: unknown) => Json,
  examples: OperationExamples,
): Json {
  const { files = [] } = route.accepts;
  const upload = { type: 'string', contentMediaType: 'application/octet-stream' };
  const uploads = Object.fromEntries(files.map((name) => [name, upload]));
  // One merged object instead of `allOf`: a closed object would reject the files of the other.
  const withFiles = () => print({ ...body, properties: { ...body.properties, ...uploads } });
  return Object.fromEntries(
    bodyReadersFor(api, route).map(({ mediaType }) => {
      const hasFiles = files.length > 0 && mediaType === 'multipart/form-data';
      const shown = exampleValues(examples, (example) => example.body);
      return [mediaType, { schema: hasFiles ? withFiles() : print(body), ...shown }];
    }),
  );
}

const anyOfSchemas = (schemas: readonly Json[]): Json =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };

function securitySchemes(api: ApiDefinition): Record<string, Json> {
  return {
    header: { type: 'apiKey', in: 'header', name: 'X-Kegbot-Api-Key' },
    query: { type: 'apiKey', in: 'query', name: 'api_key' },
    bearer: { type: 'http', scheme: 'bearer' },
    ...omitUndefined({
      basic: api.basicKeys ? { type: 'http', scheme: 'basic' } : undefined,
      login: api.logins ? { type: 'apiKey', in: 'cookie', name: loginCookie } : undefined,
      tablet: api.logins ? { type: 'apiKey', in: 'cookie', name: tabletCookie } : undefined,
    }),
    ...(api.routes.some(({ byPin }) => byPin)
      ? { pinUnlock: { type: 'apiKey', in: 'header', name: 'X-Tapster-Pin-Unlock' } }
      : {}),
  };
}

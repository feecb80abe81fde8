import type Type from 'typebox';
import { productVersion } from '../../system/product.ts';
import { loginCookie, tabletCookie } from '../auth/login-cookie.ts';
import { type Edition, readersOf, takesLogins } from './edition.ts';
import type { JsonAnswer, Route } from './route.ts';
import { nameOf } from './schemas.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Prints an edition as an OpenAPI 3.1 document. Named schemas are hoisted, each once, by the object's identity. */
export function printOpenApi(edition: Edition): Json {
  const hoisted = new Map<string, { readonly schema: object; printed: Json }>();

  function print(value: unknown, isTop = false): Json {
    if (typeof value !== 'object' || value === null) return value as Json;
    if (Array.isArray(value)) return value.map((item) => print(item));
    const name = isTop ? undefined : nameOf(value);
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
  for (const route of edition.routes) {
    const path = `${edition.prefix}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operation(route, edition, print) };
  }
  return {
    openapi: '3.1.0',
    info: { title: edition.title, version: productVersion() },
    paths,
    components: {
      schemas: Object.fromEntries([...hoisted].map(([name, { printed }]) => [name, printed])),
      securitySchemes: keyCarriers(edition),
    },
  };
}

function operation(route: Route, edition: Edition, print: (value: unknown) => Json): Json {
  const { params, query, body } = route.accepts;
  const carriers = carriersOf(route, edition);
  const needsNobody = route.access === 'open' || route.access === 'setup';
  const needsNoKey = ['viewer', 'loopback', 'same-origin'].includes(route.access);
  return {
    operationId: route.id,
    tags: [subjectOf(route.path)],
    summary: route.summary,
    security: needsNobody ? [] : [...(needsNoKey ? [{}] : []), ...carriers],
    parameters: [...parameters('path', params, print), ...parameters('query', query, print)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contents(edition, route, body, print) } }),
    responses: {
      ...success(route, edition, print),
      default: {
        description: 'Refused or failed',
        content: {
          'application/json': { schema: oneOrAny(edition.forms.map((form) => print(form.failSchema))) },
        },
      },
    },
  };
}

/** What lets somebody in: a key, a login, or a shared tablet, where staff confirm some things by their PIN. */
function carriersOf(route: Route, edition: Edition): readonly Json[] {
  if (route.access === 'tablet') return [{ tablet: [] }];
  const onTablets = takesLogins(edition, route) && route.access === 'viewer' ? [{ tablet: [] }] : [];
  const keys = Object.keys(keyCarriers(edition))
    .filter((name) => name !== 'tablet' && name !== 'pinUnlock')
    .filter((name) => name !== 'login' || takesLogins(edition, route))
    .map((name) => ({ [name]: [] }));
  return [...keys, ...onTablets, ...(route.byPin ? [{ tablet: [], pinUnlock: [] }] : [])];
}

/** What a route is about, `drinks` of `/drinks/{id}`: the interactive page folds a long document by it. */
const subjectOf = (path: string): string => path.split('/')[1] ?? '';

function success(route: Route, edition: Edition, print: (value: unknown) => Json): Record<string, Json> {
  const { answer } = route;
  if (answer.kind === 'raw') {
    const content = Object.fromEntries(
      [answer.mediaType, ...answer.otherMediaTypes].map((mediaType) => [mediaType, {}]),
    );
    return { '200': { description: 'Done', content } };
  }
  const schema = oneOrAny(edition.forms.map((form) => print(form.okSchema(bodyOf(answer, form.name)))));
  return { [answer.status]: { description: 'Done', content: { 'application/json': { schema } } } };
}

function bodyOf(answer: JsonAnswer, form: string): Type.TSchema {
  const shown = answer.views[form] ?? answer.views.any;
  if (!shown) throw new Error(`No view for the wire form ${form}.`);
  return shown.body;
}

function parameters(
  where: 'path' | 'query',
  schema: Type.TObject | undefined,
  print: (value: unknown) => Json,
): readonly Json[] {
  if (!schema) return [];
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: print(property),
  }));
}

function contents(edition: Edition, route: Route, body: Type.TObject, print: (value: unknown) => Json): Json {
  const { files = [] } = route.accepts;
  const upload = { type: 'string', contentMediaType: 'application/octet-stream' };
  const uploads = Object.fromEntries(files.map((name) => [name, upload]));
  // One object and not a sum of two: a closed one would refuse the files of the other.
  const withFiles = () => print({ ...body, properties: { ...body.properties, ...uploads } });
  return Object.fromEntries(
    readersOf(edition, route).map(({ mediaType }) => {
      const hasFiles = files.length > 0 && mediaType === 'multipart/form-data';
      return [mediaType, { schema: hasFiles ? withFiles() : print(body) }];
    }),
  );
}

const oneOrAny = (schemas: readonly Json[]): Json =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };

function keyCarriers(edition: Edition): Record<string, Json> {
  return {
    header: { type: 'apiKey', in: 'header', name: 'X-Kegbot-Api-Key' },
    query: { type: 'apiKey', in: 'query', name: 'api_key' },
    bearer: { type: 'http', scheme: 'bearer' },
    ...(edition.basicKeys ? { basic: { type: 'http', scheme: 'basic' } } : {}),
    ...(edition.logins
      ? {
          login: { type: 'apiKey', in: 'cookie', name: loginCookie },
          tablet: { type: 'apiKey', in: 'cookie', name: tabletCookie },
        }
      : {}),
    ...(edition.routes.some(({ byPin }) => byPin)
      ? { pinUnlock: { type: 'apiKey', in: 'header', name: 'X-Tapster-Pin-Unlock' } }
      : {}),
  };
}

import { removeHiddenCharacters } from '../../core/text/text-rules.ts';
import type { Upload } from '../../engine/engine.ts';
import { type ApiDefinition, acceptsKeyInBody } from '../routes/api-definition.ts';
import type { Accepts, Fields, Route, RouteInput } from '../routes/route.ts';
import { parseTexts } from './body/form-values.ts';
import type { ReadBody } from './body/read-body.ts';
import type { IdentifiedRequest, ValidatedRequest } from './context.ts';
import { requireKnownQuery } from './require-known-query.ts';
import { paramNames } from './route-table.ts';
import { validate } from './validate.ts';

const noFiles: ReadonlyMap<string, Upload> = new Map();
const noLeftOut: ReadonlyMap<string, string> = new Map();

/** Converts and validates the input by the route's schemas. Throws the error of the body, or `invalid_request`. */
export function validateInput(identified: IdentifiedRequest): ValidatedRequest {
  const { api, route, paramValues, query, body, bodyFault } = identified;
  if (bodyFault !== null) throw bodyFault;
  if (api.refusesUnknownQuery) requireKnownQuery(route, query);
  const { accepts, path } = route;
  const clean = api.removesHiddenCharacters ? cleanFields : (fields: Fields) => fields;
  const input = {
    params: accepts.params ? parseFields(accepts.params, clean(toParams(path, paramValues)), true) : {},
    query: accepts.query ? parseFields(accepts.query, clean(withoutKey(query)), true) : {},
    body: accepts.body ? parseBody(route, { ...body, fields: clean(body.fields) }, api) : {},
    files: body.files ?? noFiles,
    leftOutFiles: body.leftOutFiles ?? noLeftOut,
  } as RouteInput<Accepts>;
  return { ...identified, input };
}

/**
 * Removes hidden characters from texts; the engine knows which fields may have line breaks. A text of nothing else stays
 * as it is: it names nothing and must not count as a missing field.
 */
function cleanFields(fields: Fields): Fields {
  const clean = (value: unknown) =>
    typeof value === 'string' ? removeHiddenCharacters(value, 'lines') || value : value;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(value)]));
}

function toParams(path: string, paramValues: readonly string[]): Fields {
  return Object.fromEntries(paramNames(path).map((name, i) => [name, paramValues[i]!]));
}

function parseBody(route: Route, body: ReadBody, api: ApiDefinition): Fields {
  const fields = acceptsKeyInBody(api, route) ? withoutKey(body.fields) : body.fields;
  const acceptedFields = route.removeIgnoredFields ? route.removeIgnoredFields(fields) : fields;
  const areTexts = body.areTexts || api.lenientJson;
  return parseFields(
    route.accepts.body!,
    areTexts ? acceptedFields : (emptyBlanks(acceptedFields) as Fields),
    areTexts,
  );
}

/** Every character of these counts. */
const passwordName = /password$/;

/** Makes each text of blanks alone an empty one, so that a field takes both or refuses both. */
function emptyBlanks(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value.trim() === '' && !passwordName.test(name) ? '' : value;
  if (Array.isArray(value)) return value.map((one) => emptyBlanks(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, emptyBlanks(one, key)]));
}

function parseFields(schema: NonNullable<Accepts['body']>, fields: Fields, areTexts: boolean): Fields {
  const values = areTexts ? parseTexts(schema, fields) : fields;
  validate(schema, values);
  return values;
}

function withoutKey(fields: Fields): Fields {
  if (!('api_key' in fields)) return fields;
  const { api_key: _key, ...rest } = fields;
  return rest;
}

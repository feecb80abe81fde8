import type { Upload } from '../../engine/engine.ts';
import { parseTexts } from '../body/form-values.ts';
import type { ReadBody } from '../body/read-body.ts';
import type { Edition } from './edition.ts';
import type { Accepts, Fields, Route, RouteInput } from './route.ts';
import { paramNames } from './route-table.ts';
import { mustFit } from './validate.ts';

/** What a request has brought, unread. */
export interface Brought {
  /** Texts that stood where the route's path has `{…}`, in order. */
  readonly values: readonly string[];
  readonly query: Fields;
  readonly body: ReadBody;
}

const noFiles: ReadonlyMap<string, Upload> = new Map();

/** The handler's input, checked and converted by the route's schemas. Throws `invalid_request`. */
export function fitInput(route: Route, edition: Edition, { values, query, body }: Brought) {
  const { accepts, path } = route;
  return {
    params: accepts.params ? fitted(accepts.params, paramsOf(path, values), true) : {},
    query: accepts.query ? fitted(accepts.query, withoutKey(query), true) : {},
    body: accepts.body ? fittedBody(route, body, edition) : {},
    files: body.files ?? noFiles,
  } as RouteInput<Accepts>;
}

function paramsOf(path: string, values: readonly string[]): Fields {
  return Object.fromEntries(paramNames(path).map((name, i) => [name, values[i]!]));
}

function fittedBody(route: Route, body: ReadBody, edition: Edition): Fields {
  const fields = withoutKey(body.fields);
  const tidy = route.tidyBody ? route.tidyBody(fields) : fields;
  return fitted(route.accepts.body!, tidy, body.areTexts || edition.lenientJson);
}

function fitted(schema: NonNullable<Accepts['body']>, fields: Fields, areTexts: boolean): Fields {
  const values = areTexts ? parseTexts(schema, fields) : fields;
  mustFit(schema, values);
  return values;
}

function withoutKey(fields: Fields): Fields {
  if (!('api_key' in fields)) return fields;
  const { api_key: _key, ...rest } = fields;
  return rest;
}

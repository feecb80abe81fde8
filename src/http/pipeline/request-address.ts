import type { ReadRequest } from './context.ts';

/**
 * Returns path and query of the request with some query parameters changed, for links to it; undefined removes a
 * parameter. The API key of the query is always removed: links are stored and shown.
 */
export function requestAddress(
  { api, route, paramValues, query }: Pick<ReadRequest, 'api' | 'route' | 'paramValues' | 'query'>,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const values = paramValues.values();
  const path = route.path.replace(/\{[^}]*\}/g, () => encodeURIComponent(values.next().value ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...changes, api_key: undefined })) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `${api.prefix}${path}${search.size > 0 ? '?' : ''}${search}`;
}

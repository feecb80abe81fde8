import { AppError } from '../../core/app-error.ts';
import { findClosest } from '../../core/text/find-closest.ts';
import type { Fields, Route } from '../routes/route.ts';

/** Bounds the size of the answer to a query with hundreds of unknown names. */
const maxNamedFaults = 5;

/**
 * Throws `invalid_request` for query parameters that the route does not have, with the nearest known names: a filter with a
 * typing error would otherwise select everything. The key is known everywhere.
 */
export function requireKnownQuery({ accepts }: Pick<Route, 'accepts'>, query: Fields): void {
  const known = [...Object.keys(accepts.query?.properties ?? {}), 'api_key'];
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const fields = unknown.slice(0, maxNamedFaults).map((name) => [name.slice(0, 64), describe(name, known)]);
  const listed = fields.map(([name, fault]) => `${name} ${fault}`).join('; ');
  throw new AppError('invalid_request', `The query is invalid: ${listed}${listed.endsWith('?') ? '' : '.'}`, {
    fields: Object.fromEntries(fields),
    rules: Object.fromEntries(fields.map(([name]) => [name, { name: 'unknown' }])),
  });
}

function describe(name: string, known: readonly string[]): string {
  const closest = findClosest(name, known);
  if (closest !== null) return `is unknown here; did you mean ${closest}?`;
  const names = known.filter((one) => one !== 'api_key');
  return names.length === 0 ? 'is unknown here' : `is unknown here; known are ${names.join(', ')}`;
}

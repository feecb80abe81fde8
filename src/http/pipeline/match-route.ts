import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import { featureOff } from '../../engine/engine.ts';
import { withHint } from '../routes/api-definition.ts';
import type { Route } from '../routes/route.ts';
import type { MatchedRequest, ReceivedRequest } from './context.ts';
import type { Endpoint } from './route-table.ts';

/** A usual request URL: without scheme, host and fragment. */
const plainUrl = /^(\/[^?#\s]*)(?:\?|$)/;

/**
 * Finds the route. Throws `not_found`, `wrong_method`, `gone`, or `invalid_request` for a malformed address. Sets
 * `Allow` for `OPTIONS` and 405.
 */
export function matchRoute(received: ReceivedRequest): MatchedRequest | 'options' {
  const { api, findEndpoint, request, response } = received;
  const match = findEndpoint(splitPath(requestPath(request)));
  if (!match) {
    const feature = api.findFeature?.(requestPath(request)) ?? null;
    if (feature !== null) throw featureOff(feature);
    const message = `This address does not exist below ${api.prefix}.`;
    throw new AppError('not_found', withHint(message, api, request));
  }
  const route = routeFor(received, match.endpoint, response);
  return route === 'options' ? route : { ...received, route, paramValues: match.paramValues };
}

/** A path whose last part names an operation on the resource before it: `/kegs/{id}/end`. */
export const operationPath = /\}\/[^/{}]+$/;

/**
 * Finds the read of the resource that a write changes: at the same address, or for an operation at the address above it.
 * Null if that cannot be read.
 */
export function findRead({
  findEndpoint,
  request,
  route,
}: MatchedRequest): Pick<MatchedRequest, 'route' | 'paramValues'> | null {
  const segments = splitPath(requestPath(request));
  const addresses = operationPath.test(route.path) ? [segments, segments.slice(0, -1)] : [segments];
  for (const address of addresses) {
    const match = findEndpoint(address);
    const read = match?.endpoint.routes.get('GET');
    if (match && read) return { route: read, paramValues: match.paramValues };
  }
  return null;
}

function routeFor(
  { api, request }: ReceivedRequest,
  { routes, retired }: Endpoint,
  response: Response,
): Route | 'options' {
  const { method } = request;
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return route;
  // An address without any route left is gone for every method.
  if (routes.size === 0 || retired.has(method) || (method === 'HEAD' && retired.has('GET'))) {
    throw new AppError('gone', 'This address has been retired; use the current API under /api/.');
  }
  const allowed = [...routes.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (method === 'OPTIONS') return 'options';
  throw new AppError(
    'wrong_method',
    withHint(`This address accepts only ${allowed.join(', ')}.`, api, request),
  );
}

const requestPath = (request: Request): string => plainUrl.exec(request.url)?.[1] ?? request.path;

function splitPath(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  try {
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    throw new AppError('invalid_request', 'The address is not valid percent-encoded UTF-8.');
  }
}

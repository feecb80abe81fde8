import type { Route } from '../routes/route.ts';

/** A retired address: the listed methods answer 410 for any value of the `{…}` parts. */
export interface RetiredPath {
  /** Upper case. */
  readonly methods: readonly string[];
  /** Relative to the API's prefix. */
  readonly path: string;
}

/** The routes at one address. */
export interface Endpoint {
  /** By upper-case method. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly retired: ReadonlySet<string>;
}

/** An endpoint and the texts for the `{…}` of its path, in order. */
export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly paramValues: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  wildcard: Node | undefined;
  endpoint: { readonly routes: Map<string, Route>; readonly retired: Set<string> } | undefined;
}

const createNode = (): Node => ({ literals: new Map(), wildcard: undefined, endpoint: undefined });

/** Parameter names by path. */
const cachedNames = new Map<string, readonly string[]>();

/** Returns the names in braces of a route's path, in order. */
export function paramNames(path: string): readonly string[] {
  const cached = cachedNames.get(path);
  if (cached) return cached;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  cachedNames.set(path, names);
  return names;
}

const splitPath = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** Creates a look-up of endpoints by decoded path; literals win over `{…}`. Throws on duplicate routes. */
export function routeTable(
  routes: readonly Route[],
  retired: readonly RetiredPath[],
): (segments: readonly string[]) => RouteMatch | null {
  const root = createNode();
  const endpointAt = (path: string) => {
    let node = root;
    for (const segment of splitPath(path)) {
      const isWildcard = segment.startsWith('{');
      const next = (isWildcard ? node.wildcard : node.literals.get(segment)) ?? createNode();
      if (isWildcard) node.wildcard = next;
      else node.literals.set(segment, next);
      node = next;
    }
    node.endpoint ??= { routes: new Map(), retired: new Set() };
    return node.endpoint;
  };

  for (const route of routes) {
    const endpoint = endpointAt(route.path);
    const method = route.method.toUpperCase();
    if (endpoint.routes.has(method)) throw new Error(`Two routes for ${method} ${route.path}.`);
    endpoint.routes.set(method, route);
  }
  for (const { methods, path } of retired) {
    const endpoint = endpointAt(path);
    for (const method of methods) endpoint.retired.add(method);
  }
  return (segments) => find(root, segments, 0, []);
}

function find(
  node: Node,
  segments: readonly string[],
  at: number,
  paramValues: readonly string[],
): RouteMatch | null {
  const segment = segments[at];
  if (segment === undefined) return node.endpoint ? { endpoint: node.endpoint, paramValues } : null;
  const literal = node.literals.get(segment);
  const byWord = literal ? find(literal, segments, at + 1, paramValues) : null;
  if (byWord || !node.wildcard || segment === '') return byWord;
  return find(node.wildcard, segments, at + 1, [...paramValues, segment]);
}

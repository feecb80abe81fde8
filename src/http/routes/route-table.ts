import type { Route } from './route.ts';

/** Addresses that used to answer: every method named, at any value of the `{…}` parts, is gone. */
export interface RetiredPath {
  /** Upper case. */
  readonly methods: readonly string[];
  /** Below the edition's prefix. */
  readonly path: string;
}

/** What lies at one address. */
export interface Place {
  /** By upper-case method. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly retired: ReadonlySet<string>;
}

/** A place and the texts that stood where its path has `{…}`, in order. */
export interface FoundPlace {
  readonly place: Place;
  readonly values: readonly string[];
}

interface Node {
  readonly words: Map<string, Node>;
  wild: Node | undefined;
  place: { readonly routes: Map<string, Route>; readonly retired: Set<string> } | undefined;
}

const freshNode = (): Node => ({ words: new Map(), wild: undefined, place: undefined });

/** By path; there are no more of them than routes. */
const knownNames = new Map<string, readonly string[]>();

/** The names between braces in a route's path, in order. */
export function paramNames(path: string): readonly string[] {
  const known = knownNames.get(path);
  if (known) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  knownNames.set(path, names);
  return names;
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** Finds the place of a decoded path; a plain word wins over a `{…}`. Throws on two routes for one method and place. */
export function routeTable(
  routes: readonly Route[],
  retired: readonly RetiredPath[],
): (segments: readonly string[]) => FoundPlace | null {
  const root = freshNode();
  const placeAt = (path: string) => {
    let node = root;
    for (const segment of segmentsOf(path)) {
      const isWild = segment.startsWith('{');
      const next = (isWild ? node.wild : node.words.get(segment)) ?? freshNode();
      if (isWild) node.wild = next;
      else node.words.set(segment, next);
      node = next;
    }
    node.place ??= { routes: new Map(), retired: new Set() };
    return node.place;
  };

  for (const route of routes) {
    const place = placeAt(route.path);
    const method = route.method.toUpperCase();
    if (place.routes.has(method)) throw new Error(`Two routes for ${method} ${route.path}.`);
    place.routes.set(method, route);
  }
  for (const { methods, path } of retired) {
    const place = placeAt(path);
    for (const method of methods) place.retired.add(method);
  }
  return (segments) => find(root, segments, 0, []);
}

function find(
  node: Node,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): FoundPlace | null {
  const segment = segments[at];
  if (segment === undefined) return node.place ? { place: node.place, values } : null;
  const word = node.words.get(segment);
  const byWord = word ? find(word, segments, at + 1, values) : null;
  if (byWord || !node.wild || segment === '') return byWord;
  return find(node.wild, segments, at + 1, [...values, segment]);
}

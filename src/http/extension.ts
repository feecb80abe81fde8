import type { Route } from './routes/route.ts';
import type { RouteServices } from './services.ts';

/** An extension as the HTTP layer knows it, on or off. */
export interface HttpExtension {
  readonly name: string;
  /** Its addresses below `/api`, each with all that is below it: while it is off they answer `feature_off`. */
  readonly addresses?: readonly string[];
  /** One sentence for each tag of its operations, for the OpenAPI document; a route's tag is the first part of its path. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The addresses of its pages; `:name` stands for one segment. */
  readonly pages?: readonly string[];
}

/** The routes of an extension that is on. */
export type ExtensionRoutes = (services: RouteServices) => readonly Route[];

/** All extensions of the program, and the routes of those that are on. */
export interface HttpExtensions {
  readonly all: readonly HttpExtension[];
  readonly routes: readonly ExtensionRoutes[];
}

export const noExtensions: HttpExtensions = { all: [], routes: [] };

/** The extension that answers at a path below `/api` while it is on; null for other paths. */
export function findExtensionAt(all: readonly HttpExtension[], path: string): HttpExtension | null {
  const isAt = (address: string) => path === address || path.startsWith(`${address}/`);
  return all.find(({ addresses = [] }) => addresses.some(isAt)) ?? null;
}

import type { RequestHandler } from 'express';
import type { AlarmDeclarations } from '../core/alarms/alarm-kinds.ts';
import type { ExportPlan } from '../engine/engine.ts';
import type { MountOptions } from './pipeline/context.ts';
import type { OtherOperation } from './routes/api-definition.ts';
import type { Route } from './routes/route.ts';
import type { RouteServices } from './services.ts';

/** An extension as the HTTP layer knows it, on or off. */
export interface HttpExtension {
  readonly name: string;
  /** Its addresses below `/api`, each with all that is below it, `{name}` for any one segment: while it is off they answer `feature_off`. */
  readonly addresses?: readonly string[];
  /** One sentence for each tag of its operations, for the OpenAPI document; a route's tag is the first part of its path. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Kinds of its records that can be exported, also while it is off. */
  readonly exports?: readonly ExportPlan[];
  /** How its own changes come about, as `via` of the audit log; entries stay while it is off. */
  readonly auditVias?: readonly string[];
  /** The kinds of alarms that it raises; who is told of them is chosen while it is off, too. */
  readonly alarms?: AlarmDeclarations;
  /** The addresses of its pages; `:name` stands for one segment. */
  readonly pages?: readonly string[];
}

/** The routes of an extension that is on. */
export type ExtensionRoutes = (services: RouteServices) => readonly Route[];

/** An API of an extension beside the current one, with a wire form of its own. */
export interface ExtensionApi {
  /** Its whole addresses; while it is off they answer `feature_off`, since the extension declares them as its own. */
  readonly paths: readonly string[];
  /** What the document of the current API says of them. */
  readonly operations: readonly OtherOperation[];
  /** Creates what answers every request to them, by itself. */
  readonly createHandler: (options: MountOptions) => RequestHandler;
}

/** All extensions of the program, and the routes and APIs of those that are on. */
export interface HttpExtensions {
  readonly all: readonly HttpExtension[];
  /** May change while the program runs. */
  readonly routes: readonly ExtensionRoutes[];
  /** May change too. */
  readonly apis: readonly ExtensionApi[];
}

export const noExtensions: HttpExtensions = { all: [], routes: [], apis: [] };

/** The extension that answers at a path below `/api` while it is on; null for other paths. */
export function findExtensionAt(all: readonly HttpExtension[], path: string): HttpExtension | null {
  const segments = path.split('/');
  const isAt = (address: string) =>
    address.split('/').every((segment, i) => segment.startsWith('{') || segment === segments[i]);
  return all.find(({ addresses = [] }) => addresses.some(isAt)) ?? null;
}

/**
 * Returns the function that gives the routes of the base with those of the extensions that are on: the same array until features
 * are switched. The routes of an extension are made once.
 */
export function withRoutesOfExtensions(
  services: RouteServices,
  extensions: HttpExtensions,
  base: readonly Route[],
): () => readonly Route[] {
  const made = new Map<ExtensionRoutes, readonly Route[]>();
  let on: readonly ExtensionRoutes[] | null = null;
  let all = base;
  return () => {
    const now = extensions.routes;
    if (on?.length === now.length && now.every((routes, i) => routes === on![i])) return all;
    on = [...now];
    all = [...base, ...now.flatMap(routesOf)];
    return all;
  };

  function routesOf(create: ExtensionRoutes): readonly Route[] {
    const routes = made.get(create) ?? create(services);
    made.set(create, routes);
    return routes;
  }
}

/** Answers requests to the APIs of the extensions that are on, and passes others. */
export function answerApisOf(extensions: HttpExtensions, options: MountOptions): RequestHandler {
  const handlers = new Map<ExtensionApi, RequestHandler>();
  return (request, response, next) => {
    const path = request.path.replace(/\/$/, '');
    const api = extensions.apis.find(({ paths }) => paths.includes(path));
    if (api === undefined) {
      next();
      return;
    }
    const handler = handlers.get(api) ?? api.createHandler(options);
    handlers.set(api, handler);
    return handler(request, response, next);
  };
}

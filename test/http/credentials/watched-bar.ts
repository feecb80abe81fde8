import { currentApi } from '../../../src/http/current/api.ts';
import type { ApiDefinition } from '../../../src/http/routes/api-definition.ts';
import type { Route } from '../../../src/http/routes/route.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { exampleRequests } from '../openapi/example-requests/all.ts';
import type { ExampleRequest } from '../openapi/example-requests/example-request.ts';
import { createBar } from '../openapi/record-examples.ts';
import { openWatchedStore } from './credential-watch.ts';

const demo = { reset: async () => {} };

/** The current API with the routes of a demo. */
export const current = currentApi({ demo } as unknown as RouteServices, { extensions: allExtensions.http });

export const routeOf = (id: string): Route => current.routes.find((route) => route.id === id)!;

/** A bar whose writes of credentials are noted. The routes of a demo exist only there. */
export function openBar({ path }: Pick<Route, 'path'>) {
  const { store, takeWrites, hashes } = openWatchedStore();
  const bar = createBar({ store, services: path.startsWith('/demo/') ? { demo } : {} });
  return { bar, takeWrites, hashes };
}

/** The request of the example of an operation. */
export const requestOf = ({ name }: ApiDefinition, id: string): ExampleRequest =>
  exampleRequests[name === 'current' ? 'current' : 'legacy'][id] ?? {};

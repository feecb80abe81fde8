import { omitUndefined } from '../../core/omit-undefined.ts';
import { loginCookie, tabletCookie } from '../pipeline/cookies.ts';
import { type ApiDefinition, acceptsLogins } from '../routes/api-definition.ts';
import { refusesKeys } from '../routes/credential-proof.ts';
import type { Route } from '../routes/route.ts';
import type { Json, JsonObject } from './print-schemas.ts';

/** The ways in which an API identifies its callers. */
export function securitySchemes(api: ApiDefinition): JsonObject {
  return {
    header: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Kegbot-Api-Key',
      description: 'An API key. Found before those of the other carriers.',
    },
    query: {
      type: 'apiKey',
      in: 'query',
      name: 'api_key',
      description: `An API key in the address, where logs and histories keep it; better send a header.${api.keysInBodies ? ' A field `api_key` of the body is read as well.' : ''}`,
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
    ...omitUndefined({
      basic: api.basicKeys
        ? { type: 'http', scheme: 'basic', description: 'The user name `api` with an API key as password.' }
        : undefined,
      login: api.logins
        ? {
            type: 'apiKey',
            in: 'cookie',
            name: loginCookie,
            description:
              'The login of a browser, set by `POST /api/auth/login`; over HTTPS its name is `__Host-sessionid`. Ignored if a key is sent.',
          }
        : undefined,
      tablet: api.logins
        ? {
            type: 'apiKey',
            in: 'cookie',
            name: tabletCookie,
            description: 'Marks a browser as a shared tablet, which sees what members see.',
          }
        : undefined,
    }),
    ...(api.routes.some(({ byPin }) => byPin)
      ? {
          pinUnlock: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Tapster-Pin-Unlock',
            description:
              'Together with `tablet`: the `pin_unlock` of `POST /api/tablet/pin-unlock`, which names the member of staff who entered a PIN and is valid for a minute.',
          },
        }
      : {}),
  };
}

/** The alternative credentials of a route: keys, a login, a shared tablet, or a tablet with a PIN unlock. */
export function routeSecurity(route: Route, api: ApiDefinition): readonly Json[] {
  if (route.access === 'open' || route.access === 'setup') return [];
  if (route.access === 'tablet') return [{ tablet: [] }];
  const isOptional = ['viewer', 'loopback', 'same-origin'].includes(route.access);
  const keys = Object.keys(securitySchemes(api))
    .filter((name) => name !== 'tablet' && name !== 'pinUnlock')
    .filter((name) => name !== 'login' || acceptsLogins(api, route))
    .filter((name) => name === 'login' || !refusesKeys(route))
    .map((name) => ({ [name]: [] }));
  const onTablets = acceptsLogins(api, route) && route.access === 'viewer' ? [{ tablet: [] }] : [];
  const byPin = route.byPin ? [{ tablet: [], pinUnlock: [] }] : [];
  return [...(isOptional ? [{}] : []), ...keys, ...onTablets, ...byPin];
}

import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { printOpenApi } from '../../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { allExtensions } from '../../kit/extensions.ts';

const { paths } = printOpenApi(currentApi({} as RouteServices, { extensions: allExtensions.http })) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** Names of parameters do not matter: `/taps/{ref}` is `/taps/{id}`. */
const anyName = (path: string) => path.replace(/\{\w+\}/g, '{}');
const documented = new Set(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${anyName(path)}`),
  ),
);

/**
 * The operations of Kegbot 2.0's API, without the linking of old devices (`devices`) and the log-in pages of its framework.
 * `all` stands for listing, creating, and reading, replacing, changing and deleting one record.
 */
const operations = `
  GET /
  GET /users/me
  PATCH /users/me
  GET /status
  GET /schema
  GET /docs
  GET /drinks
  GET /drinks/{id}
  GET /sessions
  GET /sessions/{id}
  GET /sessions/current
  GET /sessions/directory
  GET /sessions/{id}/stats
  GET /events
  GET /events/{id}
  GET /thermo-logs
  GET /thermo-logs/{id}
  GET /stats/system
  GET /stats
  GET /stats/{id}
  GET /users
  GET /users/{username}
  GET /users/{username}/stats
  all /taps
  POST /taps/{id}/attach-keg
  POST /taps/{id}/start-keg
  POST /taps/{id}/end-keg
  POST /taps/{id}/connect-meter
  POST /taps/{id}/connect-toggle
  POST /taps/{id}/connect-thermo
  POST /taps/{id}/record-drink
  all /kegs
  GET /kegs/{id}/stats
  POST /kegs/{id}/end
  POST /kegs/{id}/reactivate
  POST /kegs/{id}/spill
  all /beverages
  POST /beverages/{id}/picture
  all /beverage-producers
  POST /beverage-producers/{id}/picture
  PATCH /drinks/{id}
  POST /drinks/{id}/reassign
  DELETE /drinks/{id}
  POST /drinks/{id}/picture
  DELETE /drinks/{id}/picture
  all /controllers
  all /flow-meters
  all /flow-toggles
  all /thermo-sensors
  all /auth-tokens
  POST /auth/login
  POST /auth/logout
  POST /auth/register
  POST /auth/password-reset
  POST /auth/password-reset-confirm
  POST /account/activate
  POST /account/password
  POST /account/email
  POST /account/confirm-email
  POST /account/mugshot
  POST /account/regenerate-api-key
  all /api-keys
  all /notification-settings
  GET /invitations
  GET /invitations/{id}
  POST /invitations
  DELETE /invitations/{id}
  POST /users
  PATCH /users/{username}
  POST /users/{username}/set-password
  GET /site
  PATCH /site
  POST /site/background-image
  GET /admin/dashboard
  GET /admin/backups
  POST /admin/backups
  DELETE /admin/backups/{filename}
  GET /admin/logs
  POST /admin/email-test
  GET /admin/bugreport
  GET /admin/plugins
  GET /admin/plugins/{short_name}/settings
  PUT /admin/plugins/{short_name}/settings
  all /plugin-data
  GET /setup/status
  POST /setup/migrate
  POST /setup/settings
  POST /setup/admin-user
  POST /setup/finish
  POST /setup/upgrade`
  .trim()
  .split('\n')
  .concat(extensionCases.flatMap(({ kegbotOperations = [] }) => kegbotOperations))
  .flatMap((line) => {
    const [method, path] = line.trim().split(' ') as [string, string];
    if (method !== 'all') return [`${method} ${path}`];
    return ['GET', 'POST']
      .map((one) => `${one} ${path}`)
      .concat(['GET', 'PUT', 'PATCH', 'DELETE'].map((one) => `${one} ${path}/{id}`));
  });

test('every operation of Kegbot 2.0’s API is in the document', () => {
  expect(operations.length).toBeGreaterThan(130);
  const missing = operations.filter((operation) => {
    const [method, path] = operation.split(' ') as [string, string];
    return !documented.has(`${method} /api${path === '/' ? '' : anyName(path)}`);
  });
  expect(missing).toEqual([]);
});

import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createPopulatedServer, type PopulatedServer } from './populated-server.ts';

const viewerPaths = [
  '/drinks',
  '/drinks/1',
  '/taps',
  '/taps/1',
  '/kegs',
  '/kegs/1',
  '/kegs/1/drinks',
  '/kegs/1/sessions',
  '/keg-sizes',
  '/beverages',
  '/beverages/1',
  '/beverage-producers',
  '/beverage-producers/1',
  '/sessions',
  '/sessions/1',
  '/sessions/current',
  '/events',
  '/events/1',
  '/users/anna',
  '/users/anna/drinks',
  '/thermo-sensors',
  '/thermo-sensors/1',
  '/thermo-logs',
  '/status',
];

const staffPaths = [
  '/auth-tokens',
  '/auth-tokens/core.rfid.0089f2c4',
  '/auth-tokens/core.rfid/0089f2c4',
  '/controllers',
  '/controllers/1',
  '/flow-meters',
  '/flow-meters/1',
  '/flow-toggles',
  '/flow-toggles/1',
  '/drinks?is_valid=false',
];

const get = (server: PopulatedServer, path: string, key = '') =>
  request(server.app).get(`/api${path}`).set('X-Kegbot-Api-Key', key);

test.each(viewerPaths)('%s follows the privacy setting of the site', async (path) => {
  const server = createPopulatedServer();
  await get(server, path).expect(200);
  server.engine.users.changeSite({ privacy: 'members' });
  expect((await get(server, path).expect(401)).body.error.code).toBe('NoAuthTokenError');
  await get(server, path, server.guestKey).expect(200);
  server.engine.users.changeSite({ privacy: 'staff' });
  expect((await get(server, path, server.guestKey).expect(403)).body.error.code).toBe(
    'PermissionDeniedError',
  );
  await get(server, path, server.staffKey).expect(200);
});

test.each(staffPaths)('%s is for staff only, also on a public site', async (path) => {
  const server = createPopulatedServer();
  expect((await get(server, path).expect(401)).body.error.code).toBe('NoAuthTokenError');
  expect((await get(server, path, server.guestKey).expect(403)).body.error.code).toBe(
    'PermissionDeniedError',
  );
  await get(server, path, server.staffKey).expect(200);
});

test('users/me shows the requester under every privacy setting, and nobody for a wrong key', async () => {
  const server = createPopulatedServer();
  const now = { monoMs: 1, wallMs: Date.UTC(2026, 4, 3), synced: true, bootId: 'boot-1' };
  server.engine.users.addUser({ username: 'cleo', email: 'cleo@example.org' }, now);
  const cleo = server.engine.users.createKey('cleo', 'test', now).secret;
  for (const privacy of ['public', 'members', 'staff'] as const) {
    server.engine.users.changeSite({ privacy });
    for (const key of ['', 'wrong']) {
      expect((await get(server, '/users/me', key).expect(200)).body.result.user).toBeNull();
    }
    const me = (await get(server, '/users/me', cleo).expect(200)).body.result.user;
    expect(me).toMatchObject({ username: 'cleo', email: 'cleo@example.org' });
  }
});

test('a held pour is 404 for everybody but staff', async () => {
  const server = createPopulatedServer();
  for (const key of ['', server.guestKey]) await get(server, '/drinks/7', key).expect(404);
  const { drink } = (await get(server, '/drinks/7', server.staffKey).expect(200)).body.result;
  expect(drink).toMatchObject({ is_valid: false, held_reason: 'unbound_meter', session_id: null });
});

test('no answer contains e-mail addresses of others, and only staff see notes', async () => {
  const server = createPopulatedServer();
  const now = { monoMs: 1, wallMs: Date.UTC(2026, 4, 3), synced: true, bootId: 'boot-1' };
  server.engine.users.addUser({ username: 'cleo', email: 'cleo@example.org' }, now);
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 10, username: 'cleo' }, now);
  server.engine.taps.create({ name: 'Shed', notes: 'behind the crates' });
  for (const path of [...viewerPaths, ...staffPaths, '/users/cleo', '/kegs/2', '/drinks/8']) {
    const { text } = await get(server, path, server.staffKey).expect(200);
    expect(text).not.toContain('cleo@example.org');
  }
  for (const path of [...viewerPaths, '/users/cleo', '/kegs/2', '/drinks/8']) {
    for (const key of [undefined, server.guestKey]) {
      const { text } = await get(server, path, key).expect(200);
      expect(text).not.toContain('behind the crates');
    }
  }
  for (const path of ['/taps', '/taps/4', '/kegs', '/kegs/2']) {
    expect((await get(server, path, server.staffKey)).text).toContain('behind the crates');
  }
});

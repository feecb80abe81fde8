import request from 'supertest';
import { expect, test } from 'vitest';
import { type FullHouse, openFullHouse } from './full-house.ts';

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
  '/users',
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

const get = (house: FullHouse, path: string, key = '') =>
  request(house.app).get(`/api${path}`).set('X-Kegbot-Api-Key', key);

test.each(viewerPaths)('%s is for whom the house is open to', async (path) => {
  const house = openFullHouse();
  await get(house, path).expect(200);
  house.engine.people.changeSite({ privacy: 'members' });
  expect((await get(house, path).expect(401)).body.error.code).toBe('NoAuthTokenError');
  await get(house, path, house.guestKey).expect(200);
  house.engine.people.changeSite({ privacy: 'staff' });
  expect((await get(house, path, house.guestKey).expect(403)).body.error.code).toBe('PermissionDeniedError');
  await get(house, path, house.staffKey).expect(200);
});

test.each(staffPaths)('%s is for the staff of an open house too', async (path) => {
  const house = openFullHouse();
  expect((await get(house, path).expect(401)).body.error.code).toBe('NoAuthTokenError');
  expect((await get(house, path, house.guestKey).expect(403)).body.error.code).toBe('PermissionDeniedError');
  await get(house, path, house.staffKey).expect(200);
});

test('who asks is told who they are, whatever the house is open to, and a wrong key is nobody', async () => {
  const house = openFullHouse();
  const now = { monoMs: 1, wallMs: Date.UTC(2026, 4, 3), synced: true, bootId: 'boot-1' };
  house.engine.people.addUser({ username: 'cleo', email: 'cleo@example.org' }, now);
  const cleo = house.engine.people.createKey('cleo', 'test', now).secret;
  for (const privacy of ['public', 'members', 'staff'] as const) {
    house.engine.people.changeSite({ privacy });
    for (const key of ['', 'wrong']) {
      expect((await get(house, '/users/me', key).expect(200)).body.result.user).toBeNull();
    }
    const me = (await get(house, '/users/me', cleo).expect(200)).body.result.user;
    expect(me).toMatchObject({ username: 'cleo', email: 'cleo@example.org' });
  }
});

test('a held pour is shown to nobody but the staff, not even that it is there', async () => {
  const house = openFullHouse();
  for (const key of ['', house.guestKey]) await get(house, '/drinks/7', key).expect(404);
  const { drink } = (await get(house, '/drinks/7', house.staffKey).expect(200)).body.result;
  expect(drink).toMatchObject({ is_valid: false, held_reason: 'unbound_meter', session_id: null });
});

test('no answer carries an address, whoever asks, and a note only what staff ask for', async () => {
  const house = openFullHouse();
  const now = { monoMs: 1, wallMs: Date.UTC(2026, 4, 3), synced: true, bootId: 'boot-1' };
  house.engine.people.addUser({ username: 'cleo', email: 'cleo@example.org' }, now);
  house.engine.pours.report({ tap: 'pi.flow0', ticks: 10, username: 'cleo', source: 'post' }, now);
  house.engine.taps.create({ name: 'Shed', notes: 'behind the crates' });
  for (const path of [...viewerPaths, ...staffPaths, '/users/cleo', '/kegs/2', '/drinks/8']) {
    const { text } = await get(house, path, house.staffKey).expect(200);
    expect(text).not.toContain('cleo@example.org');
  }
  for (const path of [...viewerPaths, '/users/cleo', '/kegs/2', '/drinks/8']) {
    for (const key of [undefined, house.guestKey]) {
      const { text } = await get(house, path, key).expect(200);
      expect(text).not.toContain('behind the crates');
    }
  }
  for (const path of ['/taps', '/taps/4', '/kegs', '/kegs/2']) {
    expect((await get(house, path, house.staffKey)).text).toContain('behind the crates');
  }
});

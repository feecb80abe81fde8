import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink, insertPour } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

const token = 'core.rfid|0089f2c4';
const claimedName = 'zoe';

/** A server with drink 1, poured by somebody unknown who gave a name and a token, and drink 2 from the own pins. */
function createServerWithClaim() {
  const server = createTestServer();
  const report = {
    tap: 'pi.flow0',
    ticks: 600,
    username: claimedName,
    authToken: token,
    source: 'post',
  } as const;
  insertDrink(server.store, report, server.now());
  insertPour(
    server.store,
    {
      pourId: 'own-1',
      ticks: 500,
      durationMs: 4_000,
      series: '',
      ticksLost: 7,
      recovered: true,
      rateDefault: 'calibration',
    },
    { ...server.now(), monoMs: server.now().monoMs - 5_000, wallMs: server.now().wallMs - 5_000 },
  );
  return server;
}

const get = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  request(server.app).get(path).set(headers).expect(200);

const staff = (server: TestServer) => ({ 'X-Kegbot-Api-Key': server.staffKey });
const member = (server: TestServer) => ({ 'X-Kegbot-Api-Key': server.guestKey });

test('a drink tells its tap, meter, source, missing ticks, whether it was recovered and whether its time is certain', async () => {
  const server = createServerWithClaim();
  const { drinks } = (await get(server, '/api/drinks')).body.result;
  expect(drinks).toMatchObject([
    {
      id: 2,
      tap_id: '1',
      meter: 'pi.flow0',
      source: 'pin',
      ticks_lost: 7,
      recovered: true,
      time_certain: true,
    },
    { id: 1, tap_id: '1', meter: 'pi.flow0', source: 'post', ticks_lost: null, recovered: false },
  ]);
  expect(drinks.map((drink: { rate_default?: string }) => drink.rate_default)).toEqual([
    'calibration',
    undefined,
  ]);
  // A meter that nobody calibrated by measured pours is known within 12 %.
  expect(drinks[0].uncertainty_ml).toBeCloseTo(31, 0);
  const { attic, store, now } = server;
  insertDrink(store, { tap: attic.id, ticks: 0, volumeMl: 200, source: 'manual' }, now());
  expect((await get(server, '/api/drinks/3')).body.result.drink).toMatchObject({
    tap_id: String(attic.id),
    meter: null,
    source: 'manual',
  });
});

test('a drink of a pour for which the clock was not set says so', async () => {
  const server = createTestServer();
  server.setClock({ synced: false });
  server.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 600, source: 'post' }, server.now());
  expect((await get(server, '/api/drinks/1')).body.result.drink.time_certain).toBe(false);
});

const readsOfDrinks = [
  '/api/drinks',
  '/api/drinks/1',
  '/api/kegs/1',
  '/api/kegs/1/drinks',
  '/api/taps',
  '/api/taps/1',
  '/api/sessions/1',
  '/api/events',
  '/api/status',
];

test.each(readsOfDrinks)('GET %s tells the name and token sent with a pour to staff only', async (path) => {
  const server = createServerWithClaim();
  server.engine.users.changeSite({ allowClaims: true });
  // In turns, so that an answer kept for one requester would reach the other.
  for (const role of ['anybody', 'staff', 'anybody', 'member', 'staff', 'member'] as const) {
    const headers = role === 'anybody' ? {} : role === 'staff' ? staff(server) : member(server);
    const { text } = await get(server, path, headers);
    if (role === 'staff' && /drinks|kegs/.test(path)) {
      expect(text).toContain(`"claimed_username":"${claimedName}"`);
      expect(text).toContain(`"auth_token":"${token}"`);
    } else {
      expect(text).not.toContain(claimedName);
      expect(text).not.toContain('0089f2c4');
    }
  }
});

test('a member sees neither name nor token of a drink that can be claimed, and of the own drink once it is', async () => {
  const server = createServerWithClaim();
  server.engine.users.changeSite({ allowClaims: true });
  const claims = await get(server, '/api/claims', member(server));
  expect(claims.body.result.claims).toHaveLength(2);
  const claimed = await request(server.app).post('/api/drinks/1/claim').set(member(server)).expect(200);
  const own = await get(server, '/api/users/bert/drinks', member(server));
  expect(own.body.result.drinks).toHaveLength(1);
  for (const { text } of [claims, claimed, own]) {
    expect(text).not.toContain(claimedName);
    expect(text).not.toContain('0089f2c4');
  }
  expect((await get(server, '/api/users/bert/drinks', staff(server))).body.result.drinks[0]).toMatchObject({
    claimed_username: claimedName,
    auth_token: token,
  });
});

test('staff who act by PIN on a shared tablet see the name, and not the token', async () => {
  const server = createServerWithClaim();
  const { body } = await request(server.app)
    .post('/api/drinks/1/reassign')
    .set(server.createUnlockedTablet('Bar', 'anna'))
    .send({ username: null })
    .expect(200);
  expect(body.result.drink).toMatchObject({ claimed_username: claimedName });
  expect(body.result.drink).not.toHaveProperty('auth_token');
});

test('superusers see the notes of kegs and taps as staff do', async () => {
  const server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const headers = { Cookie: server.createLoginCookie('root') };
  expect((await get(server, '/api/kegs/1', headers)).body.result.keg).toHaveProperty('notes');
  expect((await get(server, '/api/taps/1', headers)).body.result.tap).toHaveProperty('notes');
});

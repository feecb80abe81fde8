import { setImmediate as nextTurn } from 'node:timers/promises';
import request, { type Response } from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { hashPassword } from '../../src/engine/users/secrets.ts';
import { currentApi } from '../../src/http/current/api.ts';
import type { RouteServices } from '../../src/http/services.ts';
import { extensionCases } from '../kit/extension-cases.ts';
import { allExtensions } from '../kit/extensions.ts';
import { createTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
const pin = '4719';
const [passwordHash, pinHash] = [await hashPassword('hop-garden', 4), await hashPassword(pin, 4)];

beforeEach(() => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'cleo', isStaff: true, password: passwordHash }, server.now());
});

/** Returns the cookies that an answer sets, with their attributes. */
const parseCookies = ({ headers }: Response) =>
  ((headers['set-cookie'] ?? []) as unknown as string[]).map((text) => text.split('; '));

const setAnnaPin = () => server.store.users.pins.set(server.engine.users.user('anna')!.id, pinHash);

/** Makes a browser with Anna's login a shared tablet and returns its cookie. */
async function enrol(name = 'Bar left'): Promise<string> {
  const anna = server.createConfirmedCookie('anna');
  const reply = await request(server.app).post('/api/tablets').set('Cookie', anna).send({ name }).expect(201);
  expect((await request(server.app).get('/api/users/me').set('Cookie', anna)).body.result.user).toBeNull();
  return parseCookies(reply).find(([pair]) => pair?.startsWith('tabletid='))![0]!;
}

const confirm = (tablet: string, body: object = { username: 'anna', pin }) =>
  request(server.app).post('/api/tablet/pin-unlock').set('Cookie', tablet).send(body);

const unlockByPin = async (tablet: string) =>
  (await confirm(tablet).expect(201)).body.result.pin_unlock as string;

/** Waits until the check of Anna's PIN has started: it counts as wrong until its hash is verified. */
async function waitForPinCheck() {
  const { id } = server.engine.users.user('anna')!;
  while (server.store.users.pins.byUser(id)?.wrong === 0) await nextTurn();
}

const recordManually = (headers: Record<string, string>) =>
  request(server.app).post(`/api/taps/${server.left.id}/record-drink`).set(headers).send({ volume_ml: 300 });

test('staff set a PIN with their password, and no answer returns it', async () => {
  const cookie = { Cookie: server.createConfirmedCookie('cleo') };
  const set = (body: object) => request(server.app).post('/api/account/pin').set(cookie).send(body);
  const wrong = await set({ current_password: 'malt-garden', pin }).expect(400);
  expect(wrong.body.error.fields).toEqual({ current_password: 'is not the password of this account' });
  for (const [obvious, rule] of [
    ['0000', 'pin_one_digit'],
    ['4321', 'pin_in_a_row'],
    ['1212', 'pin_repeated'],
    ['1987', 'pin_year'],
    ['2580', 'pin_common'],
  ]) {
    const refused = await set({ current_password: 'hop-garden', pin: obvious }).expect(400);
    expect(refused.body.error.rules.pin).toEqual({ name: rule });
  }
  for (const invalidPin of ['123', '123456789', '12a4']) {
    await set({ current_password: 'hop-garden', pin: invalidPin }).expect(400);
  }
  const done = await set({ current_password: 'hop-garden', pin }).expect(200);
  expect(done.body).toEqual({ result: { is_set: true, is_locked: false } });
  expect((await request(server.app).get('/api/account/pin').set(cookie)).body.result.is_set).toBe(true);
  await request(server.app)
    .post('/api/account/pin')
    .set('Cookie', server.createConfirmedCookie('bert'))
    .send({})
    .expect(403);
  await request(server.app).delete('/api/account/pin').set(cookie).expect(200);
  expect((await request(server.app).get('/api/account/pin').set(cookie)).body.result.is_set).toBe(false);
});

test('enrolling a tablet sets a HttpOnly, SameSite=Strict cookie', async () => {
  const anna = server.createConfirmedCookie('anna');
  const reply = await request(server.app)
    .post('/api/tablets')
    .set('Cookie', anna)
    .send({ name: 'Bar left' })
    .expect(201);
  expect(reply.body.result.tablet).toMatchObject({ name: 'Bar left', enrolled_by: 'anna' });
  const [login, tablet] = parseCookies(reply);
  expect(login![0]).toBe('sessionid=');
  expect(tablet!.toSorted()).toEqual(
    ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Strict', tablet![0]].toSorted(),
  );
  const me = await request(server.app).get('/api/users/me').set('Cookie', tablet![0]!);
  expect(me.body.result).toMatchObject({ user: null, tablet: { name: 'Bar left' } });
  const byKey = request(server.app).post('/api/tablets').set('X-Kegbot-Api-Key', server.staffKey);
  expect((await byKey.send({ name: 'Bar' }).expect(403)).body.error.reason.name).toBe('no_keys');
});

test('a tablet without a PIN unlock may read what members may, and cannot record a drink', async () => {
  const tablet = await enrol();
  server.engine.users.changeSite({ privacy: 'members' });
  await request(server.app).get('/api/taps').expect(401);
  await request(server.app).get('/api/taps').set('Cookie', tablet).expect(200);
  await request(server.app).get('/api/v1/taps').set('Cookie', tablet).expect(200);
  const refused = await recordManually({ Cookie: tablet }).expect(401);
  expect(refused.body.error.fields).toEqual({ pin: 'is needed' });
  await request(server.app).get('/api/api-keys').set('Cookie', tablet).expect(403);
  await request(server.app)
    .get('/api/site')
    .set('Cookie', tablet)
    .expect((reply) => reply.status !== 500);
  expect(server.engine.lists.drinks({}).total).toBe(0);
  server.engine.users.changeSite({ privacy: 'staff' });
  await request(server.app).get('/api/taps').set('Cookie', tablet).expect(403);
});

test('a drink recorded by PIN is in the audit log with the user and the tablet', async () => {
  setAnnaPin();
  const tablet = await enrol();
  const confirmed = await confirm(tablet).expect(201);
  expect(confirmed.body.result).toMatchObject({ seconds: 60, username: 'anna', wrong_before: 0 });
  const headers = { Cookie: tablet, 'X-Tapster-Pin-Unlock': confirmed.body.result.pin_unlock as string };
  const { drink } = (await recordManually(headers).expect(201)).body.result;
  await request(server.app).delete(`/api/drinks/${drink.id}`).set(headers).expect(200);
  const auditLog = await request(server.app).get('/api/audit').set('X-Kegbot-Api-Key', server.staffKey);
  expect(auditLog.body.result.entries.slice(0, 2)).toMatchObject([
    { action: 'drink.cancelled', user_id: 'anna', via: 'tablet', tablet: 'Bar left' },
    { action: expect.stringMatching(/^drink\./), user_id: 'anna', via: 'tablet', tablet: 'Bar left' },
  ]);
  expect(auditLog.body.result.entries[2]).toMatchObject({
    action: 'tablet.enrolled',
    via: 'page',
    tablet: null,
  });
});

test('a PIN unlock ends after a minute or on request', async () => {
  setAnnaPin();
  const tablet = await enrol();
  let pinUnlock = await unlockByPin(tablet);
  const pours = () => recordManually({ Cookie: tablet, 'X-Tapster-Pin-Unlock': pinUnlock });
  await pours().expect(201);
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + 60_000, wallMs: wallMs + 60_000 });
  await pours().expect(401);
  pinUnlock = await unlockByPin(tablet);
  await pours().expect(201);
  await request(server.app).delete('/api/tablet/pin-unlock').set('Cookie', tablet).expect(200);
  await pours().expect(401);
});

test('the minute of a PIN unlock starts when the PIN has been verified', async () => {
  setAnnaPin();
  const tablet = await enrol();
  const { monoMs, wallMs } = server.now();
  const pending = unlockByPin(tablet);
  await waitForPinCheck();
  server.setClock({ monoMs: monoMs + 5_000, wallMs: wallMs + 5_000 });
  const headers = { Cookie: tablet, 'X-Tapster-Pin-Unlock': await pending };
  server.setClock({ monoMs: monoMs + 64_999, wallMs: wallMs + 64_999 });
  await recordManually(headers).expect(201);
  server.setClock({ monoMs: monoMs + 65_000, wallMs: wallMs + 65_000 });
  await recordManually(headers).expect(401);
});

test('a PIN unlock does not give access to keys, users, backups and tablets', async () => {
  setAnnaPin();
  const tablet = await enrol();
  const headers = { Cookie: tablet, 'X-Tapster-Pin-Unlock': await unlockByPin(tablet) };
  await request(server.app).post('/api/api-keys').set(headers).send({}).expect(403);
  await request(server.app).post('/api/users').set(headers).send({}).expect(403);
  await request(server.app).get('/api/admin/backups').set(headers).expect(403);
  await request(server.app).get('/api/tablets').set(headers).expect(403);
  await request(server.app).post('/api/account/pin').set(headers).send({}).expect(403);
});

test('only the routes listed here accept a PIN unlock', () => {
  // Only the declarations of the routes are used.
  const opened = currentApi({} as RouteServices, { extensions: allExtensions.http }).routes.filter(
    ({ byPin }) => byPin,
  );
  expect(opened.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    [
      ...extensionCases.flatMap(({ byPin = [] }) => byPin),
      'delete /drinks/{id}',
      'delete /taps/{ref}/kegs/{keg_id}',
      'delete /taps/{ref}/next',
      'get /admin/valves',
      'get /alarms',
      'get /held-pours',
      'get /users',
      'patch /drinks/{id}',
      'post /admin/taps/{id}/deauthorize',
      'post /alarms/{id}/acknowledge',
      'post /beverage-producers',
      'post /beverages',
      'post /corrections/{id}/undo',
      'post /drinks/{id}/count-as-beer',
      'post /drinks/{id}/join',
      'post /drinks/{id}/move',
      'post /drinks/{id}/reassign',
      'post /drinks/{id}/split',
      'post /drinks/{id}/undo',
      'post /flow-toggles/{id}/close',
      'post /flow-toggles/{id}/open',
      'post /held-pours/{id}/discard',
      'post /held-pours/{id}/keep',
      'post /held-pours/{id}/undo',
      'post /kegs',
      'post /kegs/{id}/end',
      'post /kegs/{id}/reactivate',
      'post /kegs/{id}/spill',
      'post /taps/{ref}/attach-keg',
      'post /taps/{ref}/end-keg',
      'post /taps/{ref}/keg-empty',
      'post /taps/{ref}/kegs',
      'post /taps/{ref}/losses/{date}/spill',
      'post /taps/{ref}/record-drink',
      'post /taps/{ref}/start-keg',
      'put /taps/{ref}/next',
    ].sort(),
  );
});

test('a PIN and a PIN unlock are accepted on their tablet only', async () => {
  setAnnaPin();
  const [left, right] = [await enrol('Left'), await enrol('Right')];
  const pinUnlock = await unlockByPin(left);
  await recordManually({ 'X-Tapster-Pin-Unlock': pinUnlock }).expect(401);
  await recordManually({ Cookie: right, 'X-Tapster-Pin-Unlock': pinUnlock }).expect(401);
  await recordManually({
    Cookie: server.createConfirmedCookie('bert'),
    'X-Tapster-Pin-Unlock': pinUnlock,
  }).expect(403);
  await request(server.app).post('/api/tablet/pin-unlock').send({ username: 'anna', pin }).expect(401);
  const byKey = request(server.app).post('/api/tablet/pin-unlock').set('X-Kegbot-Api-Key', server.staffKey);
  await byKey.send({ username: 'anna', pin }).expect(403);
  await request(server.app).post('/api/auth/login').send({ username: 'anna', password: pin }).expect(400);
});

test('rejects a PIN and a PIN unlock on requests from a page of another site', async () => {
  setAnnaPin();
  const tablet = await enrol();
  const pinUnlock = await unlockByPin(tablet);
  const elsewhere = { Origin: 'http://evil.example', Host: 'bar.local' };
  await confirm(tablet).set(elsewhere).expect(403);
  await recordManually({ Cookie: tablet, 'X-Tapster-Pin-Unlock': pinUnlock, ...elsewhere }).expect(403);
});

test('five wrong PINs lock the tablet for 30 s, with Retry-After', async () => {
  setAnnaPin();
  const tablet = await enrol();
  for (let i = 0; i < 5; i++) {
    const wrong = await confirm(tablet, { username: 'anna', pin: '0471' }).expect(400);
    expect(wrong.body.error.message).toBe('This name and this PIN do not belong together.');
  }
  const paused = await confirm(tablet).expect(429);
  expect(paused.headers['retry-after']).toBe('30');
  const { monoMs } = server.now();
  server.setClock({ monoMs: monoMs + 29_001 });
  expect((await confirm(tablet).expect(429)).body.error.message).toMatch(/ in 1 second\.$/);
  server.setClock({ monoMs: monoMs + 30_000 });
  expect((await confirm(tablet).expect(201)).body.result.wrong_before).toBe(5);
});

test('a tablet lists the staff with a PIN, without their addresses', async () => {
  setAnnaPin();
  const tablet = await enrol();
  const staff = await request(server.app).get('/api/tablet/staff').set('Cookie', tablet).expect(200);
  expect(staff.body.result.staff).toEqual([{ username: 'anna', display_name: 'anna', mugshot_url: '' }]);
});

test('a removed tablet is anonymous, and a login takes precedence over a tablet', async () => {
  const tablet = await enrol();
  const { tablets } = (await request(server.app).get('/api/tablets').set('X-Kegbot-Api-Key', server.staffKey))
    .body.result;
  const both = `${tablet}; ${server.createConfirmedCookie('anna')}`;
  await request(server.app).get('/api/tablets').set('Cookie', both).expect(200);
  const one = `/api/tablets/${tablets[0].id}`;
  await request(server.app).patch(one).set('Cookie', both).send({ name: 'Garden' }).expect(200);
  await request(server.app).delete(one).set('Cookie', both).expect(200);
  await confirm(tablet).expect(401);
  expect(
    (await request(server.app).get('/api/users/me').set('Cookie', tablet)).body.result.tablet,
  ).toBeNull();
});

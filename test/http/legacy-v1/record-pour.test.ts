import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const nowSeconds = openingMs / 1000;
const url = '/api/v1/taps/pi.flow0';

const post = (server: TestServer, fields: Record<string, unknown>, path = url) =>
  request(server.app)
    .post(path)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });

/** The newest drink in the database. */
const newestDrink = (server: TestServer) => server.engine.drinks.newest(1)[0];

test('records a form post: 660 ticks at 2 ticks/mL are 330 mL', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '660', username: 'bert', duration: '9' }).expect(200);
  expect(reply.body.result).toMatchObject({
    drink: {
      id: 1,
      ticks: 660,
      volume_ml: 330,
      user_id: 'bert',
      is_valid: true,
      pour_time: '2026-05-02T17:00:00Z',
      duration: 9,
      keg_id: server.keg.id,
    },
    keg: { id: server.keg.id, status: 'online', volume_ml_remain: 30_000 - 330, percent_full: 0.989 },
    user: { username: 'bert', is_active: true, is_staff: false, is_superuser: false, mugshot_url: '' },
    session: { start_time: '2026-05-02T17:00:00Z', end_time: '2026-05-02T20:00:00Z', volume_ml: 330 },
  });
  expect(reply.body.result.drink.session_id).toBe(reply.body.result.session.id);
  expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
  expect(newestDrink(server)).toMatchObject({ id: 1, source: 'post', volumeGiven: false, durationMs: 9_000 });
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test.each([
  '/api/v1/taps/pi.flow0/',
  '/api/v1/taps/1',
  '/api/v1/tap/1/',
  '/api/v1/tap/1',
  '/api/v1/tap/pi.flow0',
])('accepts pours at %s', async (path) => {
  const server = createTestServer();
  await post(server, { ticks: '10' }, path).expect(200);
  expect(newestDrink(server)).toMatchObject({ ticks: 10, tapId: server.left.id });
});

test('accepts JSON with form-like text values', async () => {
  const server = createTestServer();
  const body = { api_key: server.staffKey, ticks: '660', volume_ml: 500, username: null, spilled: 'False' };
  await request(server.app).post(url).send(body).expect(200);
  expect(newestDrink(server)).toMatchObject({ ticks: 660, volumeMl: 500, username: null });
});

interface Refusal {
  readonly fields: Record<string, string>;
  readonly path?: string;
}

test.each<[string, Refusal]>([
  ['ticks are missing', { fields: {} }],
  ['ticks are empty', { fields: { ticks: '' } }],
  ['ticks are 12abc', { fields: { ticks: '12abc' } }],
  ['ticks are negative', { fields: { ticks: '-1' } }],
  ['ticks are broken', { fields: { ticks: '1.5' } }],
  ['ticks are nan', { fields: { ticks: 'nan' } }],
  ['ticks are more than any meter counts', { fields: { ticks: '99999999999' } }],
  ['the volume is negative', { fields: { ticks: '1', volume_ml: '-0.1' } }],
  ['the volume is inf', { fields: { ticks: '1', volume_ml: 'inf' } }],
  ['the volume is 1e400', { fields: { ticks: '1', volume_ml: '1e400' } }],
  ['the volume is a word', { fields: { ticks: '1', volume_ml: 'much' } }],
  ['the pour time is a word', { fields: { ticks: '1', pour_time: 'today', now: '1' } }],
  ['the pour time comes without now', { fields: { ticks: '1', pour_time: '1777741200' } }],
  ['the pour time comes with a now that was never set', { fields: { ticks: '1', pour_time: '5', now: '0' } }],
  ['the duration is broken', { fields: { ticks: '1', duration: '1.5' } }],
  ['spilled is maybe', { fields: { ticks: '1', spilled: 'maybe' } }],
  ['the tap has no meter and no volume is given', { fields: { ticks: '1' }, path: '/api/v1/taps/3' }],
])('records nothing when %s', async (_what, { fields, path }) => {
  const server = createTestServer();
  const reply = await post(server, fields, path).expect(400);
  expect(reply.body).toEqual({ error: { code: 'BadRequestError', message: expect.any(String) } });
  expect(reply.headers.deprecation).toBe('true');
  expect(newestDrink(server)).toBeUndefined();
});

test.each([
  ['-1', 0],
  ['86401', 86_400],
])('limits an implausible duration of %s seconds and records the drink', async (duration, seconds) => {
  const server = createTestServer();
  await post(server, { ticks: '660', duration }).expect(200);
  expect(newestDrink(server)).toMatchObject({ ticks: 660, durationMs: seconds * 1000 });
});

test('a given volume overrides the ticks, even when it is 0', async () => {
  const server = createTestServer();
  await post(server, { ticks: '660', volume_ml: '0' }).expect(200);
  expect(newestDrink(server)).toMatchObject({ ticks: 660, volumeMl: 0, volumeGiven: true });
});

test('a tap without a meter accepts a volume', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '0', volume_ml: '250' }, '/api/v1/taps/3').expect(200);
  expect(reply.body.result).toMatchObject({ drink: { volume_ml: 250, keg_id: null }, keg: null });
});

test.each([
  ['a controller whose clock is an hour fast', nowSeconds + 3_600 - 90, nowSeconds + 3_600],
  ['a controller whose clock is in 1971', 50_000_000 - 90, 50_000_000],
])('computes that the pour ended 90 s ago for %s', async (_who, pourTime, now) => {
  const server = createTestServer();
  await post(server, { ticks: '1', pour_time: String(pourTime), now: String(now) }).expect(200);
  expect(newestDrink(server)?.pourTimeMs).toBe(openingMs - 90_000);
});

test('a pour time in the future becomes now', async () => {
  const server = createTestServer();
  const fields = { ticks: '1', pour_time: String(nowSeconds + 500), now: String(nowSeconds) };
  const reply = await post(server, fields).expect(200);
  expect(reply.body.result.drink.pour_time).toBe('2026-05-02T17:00:00Z');
});

test('ignores now without pour_time', async () => {
  const server = createTestServer();
  await post(server, { ticks: '1', now: '5' }).expect(200);
  expect(newestDrink(server)?.pourTimeMs).toBe(openingMs);
});

test.each(['', 'guest'])('the username “%s” means nobody', async (username) => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '1', username }).expect(200);
  expect(reply.body.result).toMatchObject({ drink: { user_id: null }, user: null });
  expect(newestDrink(server)).toMatchObject({ username: null, claimedUsername: null });
});

test('stores an unknown username as claimed and records the drink', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '1', username: 'zoe' }).expect(200);
  expect(reply.body.result.user).toBeNull();
  expect(newestDrink(server)).toMatchObject({ username: null, claimedUsername: 'zoe' });
});

test.each([
  ['core.rfid|0089f2c4', 'bert'],
  ['0089f2c4', 'bert'],
  ['core.rfid|ffff', null],
])('the token %s resolves to user %s and is stored with the drink', async (token, username) => {
  const server = createTestServer();
  server.engine.access.tokens.create(
    { device: 'core.rfid', value: '0089f2c4', username: 'bert' },
    {
      monoMs: 0,
      wallMs: openingMs,
      synced: true,
      bootId: 'boot-1',
    },
  );
  await post(server, { ticks: '1', auth_token: token }).expect(200);
  expect(newestDrink(server)).toMatchObject({ username, authToken: token });
});

test('a username overrides the token, which is stored as well', async () => {
  const server = createTestServer();
  await post(server, { ticks: '1', username: 'anna', auth_token: 'core.rfid|0089f2c4' }).expect(200);
  expect(newestDrink(server)).toMatchObject({ username: 'anna', authToken: 'core.rfid|0089f2c4' });
});

test('a spill adds to the keg’s spilled volume, creates no drink and ignores irrelevant fields', async () => {
  const server = createTestServer();
  const invalidFields = {
    username: 'x'.repeat(999),
    pour_time: 'x',
    now: '-',
    duration: 'long',
    auth_token: '',
  };
  const reply = await post(server, { ticks: '200', spilled: 'True', ...invalidFields }).expect(200);
  expect(reply.body.result).toMatchObject({ drink: null, keg: { volume_ml_remain: 29_900 } });
  expect(newestDrink(server)).toBeUndefined();
  expect(server.engine.kegs.get(server.keg.id)?.spilledVolumeMl).toBe(100);
});

test('records a spill on a tap without a keg; a given volume overrides the ticks', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '200', volume_ml: '70', spilled: '1' }, '/api/v1/taps/2');
  expect(reply.body).toEqual({ result: { drink: null, keg: null } });
  await post(server, { ticks: '200', volume_ml: '70', spilled: '1' }).expect(200);
  expect(server.engine.kegs.get(server.keg.id)?.spilledVolumeMl).toBe(70);
});

test('spilled=False records a drink', async () => {
  const server = createTestServer();
  await post(server, { ticks: '10', spilled: 'False' }).expect(200);
  expect(newestDrink(server)).toMatchObject({ ticks: 10, isValid: true });
});

test('a tap without a keg records a drink without a keg', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '1000' }, '/api/v1/taps/pi.flow1').expect(200);
  expect(reply.body.result).toMatchObject({ drink: { keg_id: null, volume_ml: 200 }, keg: null });
});

test('holds a pour on a meter without a tap for review and answers with success', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '100' }, '/api/v1/taps/pi.flow2').expect(200);
  expect(reply.body.result).toMatchObject({
    drink: { is_valid: false, keg_id: null, session_id: null },
    session: null,
  });
  expect(server.engine.drinks.held()).toMatchObject([{ heldReason: 'unbound_meter', meter: 'pi.flow2' }]);
});

test('holds a pour of more than 100 L for review', async () => {
  const server = createTestServer();
  const reply = await post(server, { ticks: '1', volume_ml: '100001' }).expect(200);
  expect(reply.body.result.drink.is_valid).toBe(false);
});

test.each(['/api/v1/taps/pi.flow9', '/api/v1/taps/99', '/api/v1/tap/nobody.flow0'])(
  '%s is 404',
  async (path) => {
    const server = createTestServer();
    const reply = await post(server, { ticks: '1' }, path).expect(404);
    expect(reply.body.error.code).toBe('NotFoundError');
  },
);

test('a pour posted twice with one pour_id creates one drink', async () => {
  const server = createTestServer();
  const first = await post(server, { ticks: '660', pour_id: 'kb-1' }).expect(200);
  const again = await post(server, { ticks: '660', pour_id: 'kb-1', username: 'bert' }).expect(200);
  expect(again.body).toEqual(first.body);
  expect(server.engine.drinks.list({}).total).toBe(1);
});

test('Idempotency-Key works like pour_id, which overrides it', async () => {
  const server = createTestServer();
  const send = (fields: Record<string, string>) =>
    post(server, { ticks: '660', ...fields }).set('Idempotency-Key', 'key-1');
  await send({}).expect(200);
  await send({}).expect(200);
  expect(server.engine.drinks.list({}).total).toBe(1);
  await send({ pour_id: 'other' }).expect(200);
  expect(server.engine.drinks.list({}).total).toBe(2);
  await post(server, { ticks: '1' }).set('Idempotency-Key', 'k'.repeat(65)).expect(400);
});

test('a repeated pour of a cancelled drink is answered and not recorded again', async () => {
  const server = createTestServer();
  const first = await post(server, { ticks: '660', pour_id: 'kb-1' }).expect(200);
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.drinks.cancel(first.body.result.drink.id, { spilled: false }, now);
  const again = await post(server, { ticks: '660', pour_id: 'kb-1' }).expect(200);
  expect(again.body.result.drink).toMatchObject({ ticks: 660, is_valid: false });
  expect(newestDrink(server)).toBeUndefined();
});

test('stores series and shout, and ignores a malformed series', async () => {
  const server = createTestServer();
  await post(server, { ticks: '3', tick_time_series: '0:1 500:2', shout: 'Prost' }).expect(200);
  expect(newestDrink(server)).toMatchObject({ series: '0:1 500:2', shout: 'Prost' });
  await post(server, { ticks: '3', tick_time_series: 'tick tock' }).expect(200);
  expect(newestDrink(server)).toMatchObject({ series: null });
});

test('ignores unknown fields', async () => {
  const server = createTestServer();
  await post(server, { ticks: '3', tap_name: 'kegboard.flow0', record_date: '2026' }).expect(200);
});

test('texts that are too long are dropped or cut, which the history of the drink tells, and the pour is recorded', async () => {
  const server = createTestServer();
  const fields = {
    ticks: '660',
    username: 'b'.repeat(129),
    auth_token: 'x'.repeat(257),
    shout: `${'🍺'.repeat(1_000)}!`,
    pour_id: 'zwei Wörter, und lang'.repeat(9),
  };
  const reply = await post(server, fields).expect(200);
  expect(reply.body.result.drink).toMatchObject({ volume_ml: 330, user_id: null });
  expect(newestDrink(server)).toMatchObject({
    claimedUsername: null,
    authToken: null,
    shout: '🍺'.repeat(1_000),
  });
  const { items } = server.engine.audit.list({ subject: { kind: 'drink', id: '1' } });
  expect(items.map(({ action, after }) => [action, Object.keys(JSON.parse(after!).left_out).sort()])).toEqual(
    [['drink.report_shortened', ['auth_token', 'shout', 'username']]],
  );
  const key = server.staffKey;
  const history = await request(server.app).get('/api/drinks/1/corrections').set('X-Kegbot-Api-Key', key);
  expect(history.body.result.corrections).toMatchObject([
    { action: 'drink.report_shortened', left_out: { shout: 'was cut to 1000 characters' }, before: null },
  ]);
  await post(server, fields).expect(200);
  expect(server.engine.drinks.list({}).total).toBe(1);
});

test.each(['garbage', '-1', '1e400', '[]'])('now=%s without pour_time is ignored', async (now) => {
  const server = createTestServer();
  for (const fields of [{ now }, { now, pour_time: '' }])
    await post(server, { ticks: '660', ...fields }).expect(200);
  expect(server.engine.drinks.list({}).total).toBe(2);
});

test.each([
  { ticks: 'many' },
  { volume_ml: 'much' },
  { duration: 'long' },
  { pour_time: '40', now: 'garbage' },
  { pour_time: 'yesterday', now: '41' },
])('a malformed number of the specification’s table stays an error: %j', async (fields) => {
  const server = createTestServer();
  const { error } = (await post(server, { ticks: '660', ...fields }).expect(400)).body;
  expect(error.code).toBe('BadRequestError');
  expect(server.engine.drinks.list({}).total).toBe(0);
});

import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

/** What is sent to `POST /tap/1/`, the expected reply and the expected stored value. */
interface Row {
  readonly row: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly reply: object;
  readonly readStored: (server: TestServer) => unknown;
  readonly stored: unknown;
}

const nowSeconds = openingMs / 1000;
const drink = ({ engine }: TestServer) => engine.drinks.newest(1)[0];
const spilledMl = ({ engine }: TestServer) => engine.kegs.get(1)?.spilledVolumeMl;
const bad = { error: { code: 'BadRequestError' } };

const rows: Row[] = [
  {
    row: 'ticks: ticks counted by the meter',
    fields: { ticks: '660' },
    reply: { result: { drink: { ticks: 660, volume_ml: 330 } } },
    readStored: drink,
    stored: { ticks: 660, volumeMl: 330, volumeGiven: false },
  },
  { row: 'ticks: required', fields: {}, status: 400, reply: bad, readStored: drink, stored: undefined },
  {
    row: 'ticks: whole',
    fields: { ticks: '2.5' },
    status: 400,
    reply: bad,
    readStored: drink,
    stored: undefined,
  },
  {
    row: 'volume_ml: overrides the volume computed from ticks',
    fields: { ticks: '660', volume_ml: '300.5' },
    reply: { result: { drink: { ticks: 660, volume_ml: 300.5 } } },
    readStored: drink,
    stored: { ticks: 660, volumeMl: 300.5, volumeGiven: true },
  },
  {
    row: 'volume_ml: malformed',
    fields: { ticks: '660', volume_ml: '12abc' },
    status: 400,
    reply: bad,
    readStored: drink,
    stored: undefined,
  },
  {
    row: 'username: the drinker',
    fields: { ticks: '1', username: 'bert' },
    reply: { result: { drink: { user_id: 'bert' }, user: { username: 'bert' } } },
    readStored: drink,
    stored: { username: 'bert', claimedUsername: null },
  },
  {
    row: 'username: overrides auth_token',
    fields: { ticks: '1', username: 'anna', auth_token: 'core.rfid|0089f2c4' },
    reply: { result: { drink: { user_id: 'anna' } } },
    readStored: drink,
    stored: { username: 'anna', authToken: 'core.rfid|0089f2c4' },
  },
  {
    row: 'pour_time: when the pour ended',
    fields: { ticks: '1', pour_time: String(nowSeconds - 60), now: String(nowSeconds) },
    reply: { result: { drink: { pour_time: '2026-05-02T16:59:00Z' } } },
    readStored: drink,
    stored: { pourTimeMs: openingMs - 60_000 },
  },
  {
    row: 'pour_time: requires now',
    fields: { ticks: '1', pour_time: String(nowSeconds - 60) },
    status: 400,
    reply: bad,
    readStored: drink,
    stored: undefined,
  },
  {
    row: 'pour_time: absent, the time of the request is used',
    fields: { ticks: '1' },
    reply: { result: { drink: { pour_time: '2026-05-02T17:00:00Z' } } },
    readStored: drink,
    stored: { pourTimeMs: openingMs },
  },
  {
    row: 'now: corrects the client’s clock',
    fields: { ticks: '1', pour_time: '1000', now: '1060' },
    reply: { result: { drink: { pour_time: '2026-05-02T16:59:00Z' } } },
    readStored: drink,
    stored: { pourTimeMs: openingMs - 60_000 },
  },
  {
    row: 'now: discarded without pour_time',
    fields: { ticks: '1', now: '1060' },
    reply: { result: { drink: { pour_time: '2026-05-02T17:00:00Z' } } },
    readStored: drink,
    stored: { pourTimeMs: openingMs },
  },
  {
    row: 'duration: seconds of the pour',
    fields: { ticks: '1', duration: '9' },
    reply: { result: { drink: { duration: 9 } } },
    readStored: drink,
    stored: { durationMs: 9_000 },
  },
  {
    row: 'auth_token: its owner is the drinker when no username is given',
    fields: { ticks: '1', auth_token: 'core.rfid|0089f2c4' },
    reply: { result: { drink: { user_id: 'bert' } } },
    readStored: drink,
    stored: { username: 'bert', authToken: 'core.rfid|0089f2c4' },
  },
  {
    row: 'auth_token: always stored, also without an owner',
    fields: { ticks: '1', auth_token: 'core.rfid|ffffffff' },
    reply: { result: { drink: { user_id: null }, user: null } },
    readStored: drink,
    stored: { username: null, authToken: 'core.rfid|ffffffff' },
  },
  {
    row: 'spilled: creates no drink',
    fields: { ticks: '200', spilled: 'true' },
    reply: { result: { drink: null } },
    readStored: drink,
    stored: undefined,
  },
  {
    row: 'spilled: adds to the keg’s spilled volume',
    fields: { ticks: '200', spilled: 'true' },
    reply: { result: { keg: { id: 1, volume_ml_remain: 29_900 } } },
    readStored: spilledMl,
    stored: 100,
  },
  {
    row: 'spilled: username, pour_time, auth_token, now and duration are ignored',
    fields: {
      ticks: '200',
      spilled: 'true',
      username: 'x'.repeat(500),
      pour_time: 'yesterday',
      auth_token: 'y'.repeat(500),
      now: 'soon',
      duration: '-3',
    },
    reply: { result: { drink: null } },
    readStored: spilledMl,
    stored: 100,
  },
  {
    row: 'spilled: false records a drink',
    fields: { ticks: '200', spilled: 'false' },
    reply: { result: { drink: { volume_ml: 100 } } },
    readStored: spilledMl,
    stored: 0,
  },
];

test.each(rows)('$row', async ({ fields, status = 200, reply, readStored, stored }) => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  const body = { api_key: server.staffKey, ...fields };
  const answer = await request(server.app).post('/api/v1/tap/1/').type('form').send(body).expect(status);
  expect(answer.body).toMatchObject(reply);
  if (typeof stored === 'object') expect(readStored(server)).toMatchObject(stored as object);
  else expect(readStored(server)).toBe(stored);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('rule 1: the drink is recorded against the keg on the tap, if there is one', async () => {
  const server = createTestServer();
  const post = (tap: number) =>
    request(server.app)
      .post(`/api/v1/tap/${tap}/`)
      .type('form')
      .send({ api_key: server.staffKey, ticks: 100 });
  expect((await post(1).expect(200)).body.result).toMatchObject({ drink: { keg_id: 1 }, keg: { id: 1 } });
  expect((await post(2).expect(200)).body.result).toMatchObject({ drink: { keg_id: null }, keg: null });
  expect(server.engine.kegs.get(1)?.servedVolumeMl).toBe(50);
});

test('rule 3: the reply has the form of a drink detail', async () => {
  const server = createTestServer();
  const fields = { api_key: server.staffKey, ticks: 100, username: 'bert' };
  const { result } = (await request(server.app).post('/api/v1/tap/1/').type('form').send(fields)).body;
  expect(Object.keys(result)).toEqual(['drink', 'keg', 'user', 'session']);
  expect(result.session.id).toBe(result.drink.session_id);
});

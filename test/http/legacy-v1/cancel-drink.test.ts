import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const post = (server: TestServer, path: string, fields: object) =>
  request(server.app)
    .post(`/api/v1${path}`)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });

test('cancelling returns the drink as it was, and removes it from keg, session and events', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 660, username: 'bert' }, server.now());
  const reply = await post(server, '/cancel-drink/', { id: '1' }).expect(200);
  expect(reply.body.result).toMatchObject({
    drink: { id: 1, volume_ml: 330, is_valid: false, keg_id: 1, session_id: '1' },
    keg: { id: 1, volume_ml_remain: 29_670 },
    user: { username: 'bert' },
    session: { id: '1', volume_ml: 330 },
  });
  expect(server.engine.drinks.list({}).total).toBe(0);
  expect(server.engine.kegs.get(1)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 0 });
  expect(server.engine.drinks.events.session(1)).toBeNull();
  expect(server.engine.drinks.events.list({ limit: 10 }).map(({ kind }) => kind)).toEqual(['keg_tapped']);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test.each([
  ['True', 330],
  ['1', 330],
  ['on', 330],
  ['yes', 330],
  ['False', 0],
  ['0', 0],
  ['off', 0],
  ['no', 0],
  ['', 0],
])('spilled “%s” adds %d mL to the keg’s spilled volume', async (spilled, lostMl) => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 660 }, server.now());
  await post(server, '/cancel-drink', { id: '1', spilled }).expect(200);
  expect(server.engine.kegs.get(1)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: lostMl });
});

test.each([
  {},
  { id: '' },
  { id: '0' },
  { id: '-1' },
  { id: '1.5' },
  { id: 'x' },
  { id: '1', spilled: 'maybe' },
])('refuses to cancel with %o', async (fields) => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 660 }, server.now());
  expect((await post(server, '/cancel-drink', fields).expect(400)).body.error.code).toBe('BadRequestError');
  expect(server.engine.drinks.list({}).total).toBe(1);
});

test('a drink can be cancelled only once', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 660 }, server.now());
  await post(server, '/cancel-drink', { id: 1 }).expect(200);
  await post(server, '/cancel-drink', { id: 1 }).expect(404);
});

test('accepts JSON, and the session’s end moves back to the previous drink', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 100 }, server.now());
  server.setClock({ wallMs: openingMs + 60_000 });
  insertDrink(server.store, { ticks: 100 }, server.now());
  await request(server.app)
    .post('/api/v1/cancel-drink')
    .send({ api_key: server.staffKey, id: 2, spilled: false })
    .expect(200);
  expect(server.engine.drinks.events.session(1)).toMatchObject({
    volumeMl: 50,
    endTimeMs: openingMs + 180 * 60_000,
  });
});

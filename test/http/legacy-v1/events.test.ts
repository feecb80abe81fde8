import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

const events = async ({ app }: TestServer, query = '') =>
  (await request(app).get(`/api/v1/events${query}`).expect(200)).body.result.events as { id: number }[];

test('the first drink creates the events session started, session joined and drink poured', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 20, username: 'bert' }, server.now());
  const time = '2026-05-02T17:00:00Z';
  const drink = { time, drink_id: 1, session_id: '1', user_id: 'bert' };
  expect(await events(server)).toEqual([
    { id: 4, kind: 'drink_poured', keg_id: 1, ...drink },
    { id: 3, kind: 'session_joined', keg_id: null, ...drink },
    { id: 2, kind: 'session_started', keg_id: null, ...drink },
    { id: 1, kind: 'keg_tapped', time, drink_id: null, keg_id: 1, session_id: null, user_id: null },
  ]);
});

test('lists at most the ten newest events', async () => {
  const server = createTestServer();
  for (let i = 0; i < 12; i++) insertDrink(server.store, { ticks: 20 }, server.now());
  const ids = (await events(server)).map(({ id }) => id);
  expect(ids).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
  expect((await events(server, '?since=13')).map(({ id }) => id)).toEqual([15, 14]);
  expect(await events(server, '?since=2')).toHaveLength(10);
});

test.each(['?since=', '?since=x', '?since=1.5', '?since=nan', '?since=-3', '?other=1', '/?since=0'])(
  'ignores the query %s',
  async (query) => {
    expect(await events(createTestServer(), query)).toHaveLength(1);
  },
);

test.each(['?since=1', '?since=999999999999999999999', '?since=1e300'])(
  'lists no events for %s',
  async (query) => {
    expect(await events(createTestServer(), query)).toEqual([]);
  },
);

test('a held pour creates no events', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 20, heldReason: 'too_large' }, server.now());
  expect(await events(server)).toHaveLength(1);
});

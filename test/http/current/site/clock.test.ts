import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs } from '../../test-server.ts';

/** A restarted server whose clock is not synchronized; its newest drink is of 17:00. */
function createUnsyncedServer() {
  const server = createTestServer();
  const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-0' };
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 1 }, now);
  server.setClock({ synced: false });
  return server;
}

const later = openingMs / 1000 + 86_400;

test.each([
  [later, '2026-05-03T17:00:00Z'],
  [String(later), '2026-05-03T17:00:00Z'],
  ['2026-05-03T17:00:00', '2026-05-03T17:00:00Z'],
  ['2026-05-03T17:00:00Z', '2026-05-03T17:00:00Z'],
  ['2026-05-03T19:00:00.123+02:00', '2026-05-03T17:00:00Z'],
])('sets the clock to %s', async (time, expected) => {
  const server = createUnsyncedServer();
  const reply = await request(server.app).post('/api/clock').send({ time }).expect(200);
  expect(reply.body).toEqual({ result: { time: expected, clock_synced: true } });
});

test.each([
  ['before the newest drink', openingMs / 1000 - 1],
  ['in the next century', Date.UTC(2101, 0, 1) / 1000],
  ['never', Number.MAX_SAFE_INTEGER],
  ['before time', -1],
  ['with a fraction of a second as a number', later + 0.25],
  ['without an hour', '2026-05-03'],
  ['some words', 'half past beer'],
  ['a month too many', '2026-13-03T17:00:00Z'],
])('refuses a time %s', async (_what, time) => {
  const server = createUnsyncedServer();
  const reply = await request(server.app).post('/api/clock').send({ time }).expect(400);
  expect(reply.body.error.fields).toEqual({ time: expect.any(String) });
});

test('refuses to set a synchronized clock, even with a staff key', async () => {
  const server = createTestServer();
  await request(server.app).post('/api/clock').send({ time: later }).expect(409);
  const keyed = request(server.app).post('/api/clock').set('Authorization', `Bearer ${server.staffKey}`);
  await keyed.send({ time: later }).expect(409);
});

test('a page of another origin cannot set the clock; one opened by IP address can', async () => {
  const server = createUnsyncedServer();
  const post = (headers: Record<string, string>) =>
    request(server.app).post('/api/clock').set(headers).send({ time: later });
  await post({ Origin: 'http://evil.example' }).expect(403);
  await post({ Host: 'evil.example', Origin: 'http://evil.example' }).expect(403);
  await request(server.app).post('/api/clock').type('form').send(`time=${later}`).expect(415);
  await post({ Host: '192.168.1.5:8080', Origin: 'http://192.168.1.5:8080' }).expect(200);
});

import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

type TestServer = ReturnType<typeof createTestServer>;

/** Sends a long poll and returns once it is pending. The reply is wrapped in an object so that it is not awaited. */
async function startWaiting(server: TestServer, query: string) {
  const before = server.scheduler.waiting;
  const reply = request(server.app)
    .get(`/api/events?${query}`)
    .then((one) => one);
  while (server.scheduler.waiting === before) await new Promise(setImmediate);
  return { reply };
}

const pour = ({ engine }: TestServer) =>
  engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 600, source: 'post' },
    { monoMs: 0, wallMs: Date.UTC(2026, 4, 2, 18), synced: true, bootId: 'boot-1' },
  );

test('a long poll returns as soon as a drink is recorded', async () => {
  const server = createTestServer();
  const newest = server.engine.drinks.events.list({ limit: 1 })[0]!.id;
  const { reply } = await startWaiting(server, `since=${newest}&wait=30`);
  pour(server);
  server.scheduler.advance(0);
  const { status, body } = await reply;
  expect(status).toBe(200);
  expect(body.result.events.map(({ kind }: { kind: string }) => kind)).toEqual([
    'drink_poured',
    'session_joined',
    'session_started',
  ]);
});

test('a long poll returns an empty page after the requested time', async () => {
  const server = createTestServer();
  const { reply } = await startWaiting(server, 'since=1000&wait=20');
  server.scheduler.advance(20_000);
  expect((await reply).body.result).toMatchObject({ events: [], paging: { total: 0 } });
});

test('an event that does not match the filter does not end a long poll', async () => {
  const server = createTestServer();
  const { reply } = await startWaiting(server, 'since=1&kind=keg_ended&wait=20');
  pour(server);
  server.scheduler.advance(1_000);
  server.bus.publish({ type: 'database.changed' });
  server.scheduler.advance(19_000);
  expect((await reply).body.result.events).toEqual([]);
});

test('a long poll returns existing events at once', async () => {
  const server = createTestServer();
  pour(server);
  const { body } = await request(server.app).get('/api/events?since=1&wait=60').expect(200);
  expect(body.result.events).toHaveLength(3);
});

test('a ninth long poll from one address ends the oldest one', async () => {
  const server = createTestServer();
  const waiting = [];
  for (let i = 0; i < 8; i++) waiting.push(await startWaiting(server, 'since=1000&wait=60'));
  server.setClock({ monoMs: server.now().monoMs + 1_000 });
  const ninth = request(server.app)
    .get('/api/events?since=1000&wait=60')
    .then((one) => one);
  expect((await waiting[0]!.reply).body.result.events).toEqual([]);
  server.scheduler.advance(60_000);
  for (const { reply } of waiting) expect((await reply).status).toBe(200);
  expect((await ninth).status).toBe(200);
});

test('a ninth long poll right after the others gets 503 with Retry-After instead of ending one', async () => {
  const server = createTestServer();
  const waiting = [];
  for (let i = 0; i < 8; i++) waiting.push(await startWaiting(server, 'since=1000&wait=60'));
  for (let attempt = 0; attempt < 3; attempt++) {
    const ninth = await request(server.app).get('/api/events?since=1000&wait=60').expect(503);
    expect(ninth.headers['retry-after']).toBe('5');
  }
  expect(server.scheduler.waiting).toBeGreaterThanOrEqual(8);
  pour(server);
  server.scheduler.advance(0);
  server.scheduler.advance(60_000);
  for (const { reply } of waiting) expect((await reply).status).toBe(200);
  expect(server.faults).toEqual([]);
});

test('shutdown answers all pending polls', async () => {
  const server = createTestServer();
  const { reply } = await startWaiting(server, 'since=1000&wait=60');
  server.bus.publish({ type: 'daemon.stopping' });
  expect((await reply).status).toBe(200);
  await request(server.app).get('/api/events?since=1000&wait=60').expect(200);
});

test('a pending poll gets 401 when the site becomes private', async () => {
  const server = createTestServer();
  const { reply } = await startWaiting(server, 'since=1&wait=60');
  server.engine.users.changeSite({ privacy: 'staff' });
  pour(server);
  server.scheduler.advance(0);
  expect((await reply).status).toBe(401);
});

test.each(['wait=10', 'since=1&wait=61', 'since=1&wait=-1', 'since=1&wait=soon'])(
  'refuses the long poll %s',
  async (query) => {
    const { body } = await request(createTestServer().app).get(`/api/events?${query}`).expect(400);
    expect(body.error.fields).toHaveProperty('wait');
  },
);

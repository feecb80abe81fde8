import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs } from '../../test-server.ts';

const hour = 3_600_000;

/** Two sessions, which a late drink between them makes one. */
function createServer() {
  const server = createTestServer();
  const { store, app } = server;
  const at = (afterMs: number) => ({
    monoMs: 100 * hour,
    wallMs: openingMs + afterMs,
    synced: true,
    bootId: 'boot-1',
  });
  const pour = (hours: number) => insertDrink(store, { ticks: 600 }, at(hours * hour));
  const read = async (path: string) => (await request(app).get(`/api${path}`).expect(200)).body.result;
  pour(0);
  pour(3.1);
  return { ...server, read, pourLate: () => pour(1.55) };
}

test('a merged session answers with the one of which it is part', async () => {
  const { read, pourLate, app } = createServer();
  expect((await read('/sessions/2')).session.id).toBe('2');
  pourLate();
  const { session, ...rest } = await read('/sessions/1');
  expect(session).toMatchObject({
    id: '1',
    start_time: '2026-05-02T17:00:00Z',
    end_time: '2026-05-02T23:06:00Z',
    volume_ml: 900,
  });
  expect(rest).not.toHaveProperty('merged_into');
  expect(await read('/sessions/2')).toEqual({ session, ...rest, merged_into: '1' });
  expect((await read('/sessions')).sessions).toEqual([session]);
  expect((await read('/drinks?session=2')).paging.total).toBe(3);
  expect((await read('/events?session=2&kind=session_started')).events).toHaveLength(1);
  expect(await read('/sessions/2/stats')).toEqual(await read('/sessions/1/stats'));
  expect((await read('/sessions/2/pictures')).pictures).toEqual([]);
  await request(app).get('/api/sessions/3').expect(404);
});

test('the feeds tell which session became part of which', async () => {
  const { read, pourLate, app, staffKey } = createServer();
  pourLate();
  const { events } = await read('/events?kind=session_merged');
  expect(events).toMatchObject([{ session_id: '1', merged_session_id: '2', time: '2026-05-02T20:06:00Z' }]);
  const started = await read('/events?kind=session_started');
  expect(started.events).toMatchObject([{ session_id: '1', drink_id: 1 }]);
  expect(started.events[0]).not.toHaveProperty('merged_session_id');
  const legacy = await request(app).get('/api/v1/events').set('X-Kegbot-Api-Key', staffKey).expect(200);
  const merged = legacy.body.objects.filter(({ kind }: { kind: string }) => kind === 'session_merged');
  expect(merged).toMatchObject([{ session_id: 1, session: { id: 1 } }]);
});

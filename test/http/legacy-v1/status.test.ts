import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const status = async ({ app, staffKey }: TestServer, path = '/api/v1/status') =>
  (await request(app).get(path).set('Authorization', `Bearer ${staffKey}`).expect(200)).body.result;

test('shows taps and hardware without a session', async () => {
  const server = createTestServer();
  server.engine.users.changeSite({ title: 'Zum Hahn' });
  const reply = await status(server);
  expect(reply).toEqual({
    site: { title: 'Zum Hahn', server_version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    taps: [
      expect.objectContaining({ tap: expect.objectContaining({ id: '1', meter_name: 'pi.flow0' }) }),
      { tap: expect.objectContaining({ id: '2' }), keg: null, beverage: null },
      { tap: expect.objectContaining({ id: '3' }), keg: null, beverage: null },
    ],
    active_kegs: [expect.objectContaining({ id: 1, status: 'online' })],
    active_session: null,
    active_users: [],
    controllers: [{ id: 1, name: 'pi', model_name: 'Raspberry Pi', serial_number: null }],
    flow_meters: [
      expect.objectContaining({ name: 'pi.flow0' }),
      expect.objectContaining({ name: 'pi.flow1' }),
      expect.objectContaining({ name: 'pi.flow2' }),
    ],
    flow_toggles: [{ id: 1, name: 'pi.relay0', controller_id: 1, port_name: 'relay0', tap_id: '1' }],
    drinks: [],
    events: [expect.objectContaining({ id: 1, kind: 'keg_tapped' })],
  });
  expect(await status(server, '/api/v1/status/')).toEqual(reply);
});

test('shows the session with its users, and the five newest drinks and events', async () => {
  const server = createTestServer();
  for (const username of ['bert', 'anna', 'bert', undefined, 'stranger', 'bert'])
    insertDrink(server.store, { ticks: 20, username }, server.now());
  const reply = await status(server);
  expect(reply.active_session).toMatchObject({ id: '1', volume_ml: 60, end_time: '2026-05-02T20:00:00Z' });
  expect(reply.active_users.map(({ username }: { username: string }) => username)).toEqual(['anna', 'bert']);
  expect(reply.drinks.map(({ id }: { id: number }) => id)).toEqual([6, 5, 4, 3, 2]);
  const ids = reply.events.map(({ id }: { id: number }) => id);
  expect(ids).toHaveLength(5);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});

test('shows no session three hours after the last drink', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 20, username: 'bert' }, server.now());
  expect(await status(server)).toMatchObject({ active_session: { id: '1' } });
  server.setClock({ wallMs: openingMs + 180 * 60_000 });
  expect(await status(server)).toMatchObject({ active_session: null, active_users: [] });
});

test('does not show held pours', async () => {
  const server = createTestServer();
  insertDrink(server.store, { ticks: 20, heldReason: 'too_large' }, server.now());
  expect(await status(server)).toMatchObject({ drinks: [], active_session: null });
});

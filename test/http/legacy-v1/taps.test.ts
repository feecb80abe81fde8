import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../test-server.ts';

test('lists taps with their kegs and beverages', async () => {
  const server = createTestServer();
  const reply = await request(server.app).get('/api/v1/taps/').expect(200);
  expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
  expect(reply.body.result.taps).toHaveLength(3);
  expect(reply.body.result.taps[0]).toEqual({
    tap: {
      id: '1',
      name: 'Left',
      meter_name: 'pi.flow0',
      ml_per_tick: 0.5,
      thermo_sensor_id: '1',
      current_keg_id: 1,
    },
    keg: {
      id: 1,
      status: 'online',
      volume_ml_remain: 30_000,
      percent_full: 1,
      description: '',
      type_id: '1',
      size_id: expect.any(Number),
      started_time: '2026-05-02T17:00:00Z',
      finished_time: null,
    },
    beverage: {
      id: '1',
      name: 'Haus Helles',
      style_id: 'Helles',
      brewer_id: '1',
      abv: 4.9,
      calories_oz: null,
    },
  });
  expect(reply.body.result.taps[2]).toMatchObject({
    tap: { meter_name: null, ml_per_tick: 0, thermo_sensor_id: null, current_keg_id: null },
    keg: null,
    beverage: null,
  });
});

test.each(['1', 'pi.flow0', 'pi%2Eflow0', '1/', 'pi.flow0/'])('finds a tap as %s', async (ref) => {
  const reply = await request(createTestServer().app).get(`/api/v1/taps/${ref}`).expect(200);
  expect(Object.keys(reply.body.result).sort()).toEqual(['beverage', 'keg', 'tap']);
  expect(reply.body.result.tap.name).toBe('Left');
});

test.each(['99', 'pi.flow2', 'pi.flow9', 'Left', '%00', 'x'.repeat(256)])(
  'finds no tap as %s',
  async (ref) => {
    const reply = await request(createTestServer().app).get(`/api/v1/taps/${ref}`).expect(404);
    expect(reply.body.error.code).toBe('NotFoundError');
    expect(reply.headers.deprecation).toBe('true');
  },
);

test('allows only GET and POST for a tap; DELETE is 410', async () => {
  const { app } = createTestServer();
  expect((await request(app).put('/api/v1/taps/1').expect(405)).headers.allow).toBe(
    'GET, HEAD, POST, OPTIONS',
  );
  expect((await request(app).get('/api/v1/tap/1').expect(405)).headers.allow).toBe('POST, OPTIONS');
  await request(app).delete('/api/v1/taps/1').expect(410);
});

test('creates an empty tap; requires a name and a key', async () => {
  const server = createTestServer();
  const post = (fields: object) => request(server.app).post('/api/v1/taps').type('form').send(fields);
  const reply = await post({ api_key: server.staffKey, name: 'Cellar' }).expect(200);
  expect(reply.body.result).toMatchObject({ tap: { id: '4', name: 'Cellar', current_keg_id: null } });
  expect((await post({ api_key: server.staffKey, name: '' }).expect(400)).body.error.code).toBe(
    'BadRequestError',
  );
  await post({ name: 'Cellar' }).expect(401);
  expect(server.engine.taps.list()).toHaveLength(4);
  const kegbot = await post({ name: 'Roof' }).set('X-Kegbot-Api-Key', server.staffKey).expect(200);
  expect(kegbot.body.object).toMatchObject({ id: 5, name: 'Roof', meter_name: 'unknown.5', relay_name: '' });
});

test('serves its own OpenAPI document', async () => {
  const reply = await request(createTestServer().app).get('/api/v1/schema').expect(200);
  expect(Object.keys(reply.body.paths)).toContain('/api/v1/taps/{ref}');
  expect(reply.headers.deprecation).toBe('true');
});

import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../test-server.ts';

const ok = { result: 'ok' };

test('a tap includes all its fields, without null fields', async () => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: Date.UTC(2026, 4, 2, 17, 4, 20), synced: true, bootId: 'boot-1' };
  server.engine.temperatures.log({ sensor: '28-0000000000a1', tempC: 4.5 }, now);
  const reply = await request(server.app)
    .get('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', '')
    .expect(200);
  const controller = { id: 1, name: 'pi', model_name: 'Raspberry Pi' };
  const last = { id: 1, sensor_id: 1, temperature_c: 4.5, time: '2026-05-02T17:04:00+00:00' };
  expect(reply.body).toEqual({
    object: {
      id: 1,
      name: 'Left',
      sort_order: 0,
      meter_name: 'pi.flow0',
      ml_per_tick: 0.5,
      relay_name: 'pi.relay0',
      meter: { id: 1, name: 'pi.flow0', controller, port_name: 'flow0', ticks_per_ml: 2 },
      toggle: { id: 1, name: 'pi.relay0', controller, port_name: 'relay0' },
      current_keg_id: 1,
      current_keg: {
        id: 1,
        keg_type: 'euro-30-liter',
        remaining_volume_ml: 30_000,
        full_volume_ml: 30_000,
        served_volume_ml: 0,
        spilled_volume_ml: 0,
        percent_full: 100,
        start_time: '2026-05-02T17:00:00+00:00',
        end_time: '2026-05-02T17:00:00+00:00',
        online: true,
        beverage: {
          id: 1,
          name: 'Haus Helles',
          producer: expect.objectContaining({ id: 1, name: 'Hausbrauerei', is_homebrew: false, url: '' }),
          beverage_type: 'beer',
          style: 'Helles',
          abv_percent: 4.9,
          color_hex: expect.stringMatching(/^#/),
        },
        illustration_url: '',
        illustration_thumbnail_url: '',
      },
      thermo_sensor: { id: 1, sensor_name: '28-0000000000a1', nice_name: expect.any(String), last_log: last },
      thermo_sensor_id: 1,
      last_temperature: last,
    },
    meta: ok,
  });
});

test('lists taps by name; a tap without a meter has a placeholder meter name', async () => {
  const server = createTestServer();
  const reply = await request(server.app).get('/api/v1/taps').set('X-Kegbot-Api-Key', '').expect(200);
  expect(reply.body.meta).toEqual(ok);
  expect(reply.body.objects.map(({ name }: { name: string }) => name)).toEqual(['Attic', 'Left', 'Right']);
  expect(reply.body.objects[0]).toEqual({
    id: 3,
    name: 'Attic',
    sort_order: 2,
    meter_name: 'unknown.3',
    ml_per_tick: 0,
    relay_name: '',
  });
});

test('a posted pour returns the drink with its related items', async () => {
  const server = createTestServer();
  server.setClock({ wallMs: Date.UTC(2026, 4, 2, 17, 4, 11, 120) });
  const fields = { tap_name: 'pi.flow0', ticks: 660, username: 'bert', duration: 9 };
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .type('form')
    .send(fields)
    .expect(200);
  expect(reply.body).toEqual({
    object: {
      id: 1,
      url: '/drinks/1/',
      ticks: 660,
      volume_ml: 330,
      time: '2026-05-02T17:04:11.120000+00:00',
      duration: 9,
      session_id: 1,
      keg_id: 1,
      user_id: 'bert',
      user: { username: 'bert', url: '/drinkers/bert/', is_active: true, display_name: 'bert' },
      keg: expect.objectContaining({ id: 1, served_volume_ml: 330, percent_full: 98.9 }),
      session: {
        id: 1,
        url: '/sessions/2026/5/2/1/',
        start_time: expect.stringMatching(/^2026-05-02T17:0/),
        end_time: '2026-05-02T20:04:11.120000+00:00',
        volume_ml: 330,
        name: '',
      },
    },
    meta: ok,
  });
});

test('a pour that is held for review belongs to session 0', async () => {
  const server = createTestServer();
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow2')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .type('form')
    .send({ ticks: 100 })
    .expect(200);
  expect(reply.body.object).toMatchObject({ ticks: 100, session_id: 0 });
  for (const name of ['session', 'keg', 'keg_id']) expect(reply.body.object).not.toHaveProperty(name);
});

test('a spill returns an empty object', async () => {
  const server = createTestServer();
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .type('form')
    .send({ ticks: 10, spilled: 'True' })
    .expect(200);
  expect(reply.body).toEqual({ object: {}, meta: ok });
});

test('errors have the names that existing controllers know', async () => {
  const server = createTestServer();
  const post = (key: string, fields: object, path = '/api/v1/taps/pi.flow0') =>
    request(server.app).post(path).set('X-Kegbot-Api-Key', key).type('form').send(fields);
  const failed = (code: string, message: unknown = expect.any(String)) => ({
    error: { code, message },
    meta: { result: 'error' },
  });
  expect((await post('', { ticks: 1 }).expect(401)).body).toEqual(failed('NoAuthTokenError'));
  expect((await post('wrong', { ticks: 1 }).expect(401)).body).toEqual(failed('BadApiKeyError'));
  expect((await post(server.guestKey, { ticks: 1 }).expect(401)).body).toEqual(
    failed('PermissionDeniedError'),
  );
  expect((await post(server.staffKey, {}).expect(400)).body).toEqual(
    failed('BadRequestError', { ticks: ['is required'] }),
  );
  expect((await post(server.staffKey, { ticks: 1 }, '/api/v1/taps/x.flow0').expect(404)).body).toEqual(
    failed('NotFoundError'),
  );
  expect((await post('', {}, '/api/v1/login').expect(410)).body).toEqual(failed('GoneError'));
});

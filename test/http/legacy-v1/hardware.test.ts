import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../test-server.ts';

const read = async (server: TestServer, path: string) =>
  (await request(server.app).get(path).set('Authorization', `Bearer ${server.staffKey}`).expect(200)).body
    .result;
const post = (server: TestServer, path: string, fields: object) =>
  request(server.app)
    .post(path)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });
const pi = { id: 1, name: 'pi', model_name: 'Raspberry Pi', serial_number: null };

test.each(['/api/v1/controllers', '/api/v1/controllers/'])('lists controllers at %s', async (path) => {
  expect(await read(createTestServer(), path)).toEqual({ controllers: [pi] });
});

test('creates a controller with null for empty fields', async () => {
  const server = createTestServer();
  const reply = await post(server, '/api/v1/controllers/', { name: 'kegboard', model_name: '' }).expect(200);
  expect(reply.body).toEqual({
    result: { controller: { id: 2, name: 'kegboard', model_name: null, serial_number: null } },
  });
  expect(server.engine.taps.hardware.controllers()).toHaveLength(2);
});

test('refuses a second controller with the same name', async () => {
  const server = createTestServer();
  const reply = await post(server, '/api/v1/controllers', { name: 'pi', model_name: 'Impostor' }).expect(400);
  expect(reply.body.error.code).toBe('BadRequestError');
  expect(await read(server, '/api/v1/controllers')).toEqual({ controllers: [pi] });
});

test.each([
  ['a name with a dot', { name: 'key.board' }],
  ['an endless name', { name: 'k'.repeat(129) }],
  ['an endless model', { name: 'k', model_name: 'm'.repeat(129) }],
  ['an endless serial number', { name: 'k', serial_number: 's'.repeat(129) }],
])('refuses %s', async (_what, fields) => {
  const server = createTestServer();
  await post(server, '/api/v1/controllers', fields).expect(400);
  expect(server.engine.taps.hardware.controllers()).toHaveLength(1);
});

test.each(['/api/v1/flow-meters', '/api/v1/flow-meters/'])('lists flow meters at %s', async (path) => {
  const { flow_meters: meters } = await read(createTestServer(), path);
  expect(meters).toHaveLength(3);
  expect(meters[0]).toEqual({
    id: 1,
    name: 'pi.flow0',
    controller_id: 1,
    port_name: 'flow0',
    tap_id: '1',
    ticks_per_ml: 2,
  });
  expect(meters[2]).toMatchObject({ name: 'pi.flow2', tap_id: null });
});

test('creates a flow meter without a tap, with the default calibration when none is given', async () => {
  const server = createTestServer();
  const meter = async (fields: object) =>
    (await post(server, '/api/v1/flow-meters/', { controller: '1', ...fields }).expect(200)).body.result;
  expect(await meter({ port_name: 'flow3', ticks_per_ml: '5.4' })).toEqual({
    flow_meter: {
      id: 4,
      name: 'pi.flow3',
      controller_id: 1,
      port_name: 'flow3',
      tap_id: null,
      ticks_per_ml: 5.4,
    },
  });
  expect(await meter({ port_name: 'flow4' })).toMatchObject({ flow_meter: { ticks_per_ml: 2.724 } });
  const created = server.engine.taps.hardware.meters().slice(3);
  expect(created.map(({ calibrated }) => calibrated)).toEqual([true, false]);
});

test.each([
  ['a port that is taken', { controller: 1, port_name: 'flow0' }],
  ['an unknown controller', { controller: 99, port_name: 'flow3' }],
  ['a controller name instead of its id', { controller: 'pi', port_name: 'flow3' }],
  ['no port', { controller: 1 }],
  ['no ticks in a millilitre', { controller: 1, port_name: 'flow3', ticks_per_ml: 0 }],
  ['too many ticks in a millilitre', { controller: 1, port_name: 'flow3', ticks_per_ml: 1001 }],
])('refuses a meter with %s', async (_what, fields) => {
  const server = createTestServer();
  const reply = await post(server, '/api/v1/flow-meters', fields).expect(400);
  expect(reply.body.error.code).toBe('BadRequestError');
  expect(server.engine.taps.hardware.meters()).toHaveLength(3);
});

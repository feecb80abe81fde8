import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const post = (server: TestServer, path: string, fields: object) =>
  request(server.app)
    .post(`/api/v1${path}`)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });

test.each([
  '/thermo-sensors/cellar',
  '/thermo-sensors/cellar/',
  '/thermo-sensor/cellar',
  '/thermo-sensor/cellar/',
])('accepts temperatures at %s', async (path) => {
  const server = createTestServer();
  const reply = await post(server, path, { temp_c: '4.5' }).expect(200);
  expect(reply.body.result).toEqual({
    sensor: { id: '2', name: 'cellar', nice_name: '' },
    last_temp: 4.5,
    last_time: '2026-05-02T17:00:00Z',
  });
});

test.each(['28-0000000000a1', '1', '28-0000000000a1/'])('shows a sensor at %s', async (ref) => {
  const { app, engine } = createTestServer();
  const read = async () => (await request(app).get(`/api/v1/thermo-sensors/${ref}`).expect(200)).body.result;
  const sensor = { id: '1', name: '28-0000000000a1', nice_name: '' };
  expect(await read()).toEqual({ sensor, last_temp: null, last_time: null });
  const now = { monoMs: 0, wallMs: openingMs + 90_000, synced: true, bootId: 'boot-1' };
  engine.temperatures.log({ sensor: '28-0000000000a1', tempC: -0.5 }, now);
  expect(await read()).toEqual({ sensor, last_temp: -0.5, last_time: '2026-05-02T17:01:00Z' });
});

test('the reply shows the new reading, even when a later one exists', async () => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs + 3_600_000, synced: true, bootId: 'boot-1' };
  server.engine.temperatures.log({ sensor: 'cellar', tempC: 9 }, now);
  const reply = await post(server, '/thermo-sensors/cellar', { temp_c: 4 }).expect(200);
  expect(reply.body.result).toMatchObject({ last_temp: 4, last_time: '2026-05-02T17:00:00Z' });
});

test('accepts a sensor name with spaces', async () => {
  const server = createTestServer();
  await post(server, '/thermo-sensors/K%C3%BChlraum%20links', { temp_c: 4 }).expect(200);
  const reply = await request(server.app).get('/api/v1/thermo-sensors/K%C3%BChlraum%20links').expect(200);
  expect(reply.body.result.sensor.name).toBe('Kühlraum links');
});

test.each(['/thermo-sensors/%20', `/thermo-sensors/${'x'.repeat(257)}`, '/thermo-sensors/%E2%80%8B'])(
  'refuses to create a sensor at %s',
  async (path) => {
    const server = createTestServer();
    await post(server, path, { temp_c: 4 }).expect(400);
    expect(server.engine.temperatures.sensors()).toHaveLength(1);
  },
);

test('a sensor’s name is recorded without hidden characters, and found with them', async () => {
  const server = createTestServer();
  const hidden = '/thermo-sensors/cel%00lar%E2%80%AE';
  await post(server, hidden, { temp_c: 4 }).expect(200);
  expect(server.engine.temperatures.sensors().map(({ rawName }) => rawName)).toContain('cellar');
  await request(server.app).get(`/api/v1${hidden}`).expect(200);
});

test('the old singular path is write-only', async () => {
  const { app } = createTestServer();
  const reply = await request(app).get('/api/v1/thermo-sensor/1').expect(405);
  expect(reply.headers.allow).toBe('POST, OPTIONS');
  await request(app).get('/api/v1/thermo-sensors').expect(410);
  await request(app).post('/api/v1/thermo-sensors').expect(410);
});

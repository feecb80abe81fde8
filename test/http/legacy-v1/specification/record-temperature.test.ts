import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

const post = (server: TestServer, sensor: string, fields: object) =>
  request(server.app)
    .post(`/api/v1/thermo-sensor/${sensor}/`)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });
const last = ({ engine }: TestServer, sensor: string) => engine.temperatures.find(sensor)?.last;

test('temp_c: degrees Celsius; the reply is the new record', async () => {
  const server = createTestServer();
  const reply = await post(server, 'cellar', { temp_c: '4.5' }).expect(200);
  expect(reply.body).toEqual({
    result: {
      sensor: { id: '2', name: 'cellar', nice_name: '' },
      last_temp: 4.5,
      last_time: '2026-05-02T17:00:00Z',
    },
  });
  expect(last(server, 'cellar')?.tempC).toBe(4.5);
});

test('temp_c: accepts the sensor’s id', async () => {
  const server = createTestServer();
  await post(server, '1', { temp_c: '4.5' }).expect(200);
  expect(last(server, '28-0000000000a1')?.tempC).toBe(4.5);
});

test.each(['-50', '125', '0', '-0.5'])('temp_c: stores %s °C', async (temp) => {
  const server = createTestServer();
  await post(server, 'cellar', { temp_c: temp }).expect(200);
  expect(last(server, 'cellar')?.tempC).toBe(Number(temp));
});

test.each([
  ['is required', {}],
  ['may not be empty', { temp_c: '' }],
  ['is a number without a suffix', { temp_c: '4.5C' }],
  ['is not nan', { temp_c: 'nan' }],
  ['is not below −50', { temp_c: '-50.1' }],
  ['is not above 125', { temp_c: '125.1' }],
])('temp_c: %s', async (_rule, fields) => {
  const server = createTestServer();
  const reply = await post(server, 'cellar', fields).expect(400);
  expect(reply.body.error.code).toBe('BadRequestError');
  expect(server.engine.temperatures.find('cellar')).toBeNull();
});

test('ignores when and now', async () => {
  const server = createTestServer();
  const reply = await post(server, 'cellar', { temp_c: '4', when: '1000', now: 'soon' }).expect(200);
  expect(reply.body.result.last_time).toBe('2026-05-02T17:00:00Z');
});

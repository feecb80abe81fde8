import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createTestServer();
  anna = createStaffClient(server);
});

/** Undoes a correction on a shared tablet after Anna has entered her PIN. */
const undoByPin = (id: number) =>
  request(server.app).post(`/api/corrections/${id}/undo`).set(server.createUnlockedTablet('Bar', 'anna'));

test.each([
  ['a change of a tap', 'patch', '/taps/1', { name: 'Window' }],
  ['a change of a meter', 'patch', '/flow-meters/1', { nice_name: 'Annex' }],
  ['a change of a beer', 'delete', '/beverages/2', undefined],
  ['a change of a keg', 'patch', '/kegs/1', { notes: 'Dented.' }],
] as const)('%s is not undone by PIN, as it is not made by one', async (_what, method, path, body) => {
  if (path === '/beverages/2')
    await anna.create('/beverages', { name: 'Pils', producer_id: 1, beverage_type: 'beer' });
  const { correction_id: id } = await anna.send(method, path, body);
  expect(id).toBeGreaterThan(0);
  const { status, body: answer } = await undoByPin(id);
  expect([status, answer.error.reason.name]).toEqual([403, 'not_on_tablets']);
  await anna.send('post', `/corrections/${id}/undo`);
});

test('the end of a keg is undone by PIN, as it is by PIN that kegs are ended', async () => {
  const { correction_id: id } = await anna.send('post', '/taps/1/end-keg');
  expect((await undoByPin(id)).status).toBe(200);
});

import request from 'supertest';
import { expect, test } from 'vitest';
import { upstream } from '../../../../src/extensions/upstream/extension.ts';
import { pour } from '../../../engine/bar.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';
import { createTestServer } from '../../../http/test-server.ts';

test('guests do not see the state', async () => {
  const server = createTestServer();
  await request(server.app).get('/api/admin/upstream').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
});

test('staff see the upstream state, retry, and resend or delete refused reports', async () => {
  let retryCount = 0;
  const server = createTestServer({
    services: {
      backgroundOf: () => ({
        host: 'bar.example:8080',
        device: 'cellar-pi',
        state: () => ({
          state: 'connected',
          problem: null,
          pairingCode: null,
          lastAnswerMs: Date.UTC(2026, 4, 2, 17),
        }),
        meterNames: () => ['pi.flow0', 'pi.flow1', 'pi.gone'],
        retryNow() {
          retryCount += 1;
        },
      }),
    },
  });
  const anna = createStaffClient(server);
  const reports = server.engine.serviceOf(upstream);
  for (let i = 0; i < 3; i++) server.engine.drinks.pours.record(pour(server.now()), 'pin', server.now());
  for (const { id } of reports.waiting(2)) reports.setAside(id, '400 invalid');

  const before = (await anna.send('get', '/admin/upstream')).upstream;
  expect(before).toMatchObject({
    state: 'connected',
    host: 'bar.example:8080',
    device: 'cellar-pi',
    waiting: 1,
    set_aside: 2,
    last_answer_time: '2026-05-02T17:00:00Z',
    flow_meters: [
      { name: 'pi.flow0', number: 0 },
      { name: 'pi.flow1', number: 1 },
    ],
  });
  await anna.send('post', '/admin/upstream/retry', undefined, 202);
  expect(retryCount).toBe(1);

  const { reports: refused } = await anna.send('get', '/admin/upstream/set-aside');
  expect(refused).toMatchObject([
    { type: 'pour', refusal: '400 invalid', data: { meter_number: 0, volume_ml: 150 } },
    { type: 'pour', refusal: '400 invalid' },
  ]);
  const [newest, oldest] = refused;
  await anna.send('delete', `/admin/upstream/set-aside/${newest.id}`);
  await anna.expectError(404, 'delete', `/admin/upstream/set-aside/${newest.id}`);
  expect(
    await anna.send('post', `/admin/upstream/set-aside/${oldest.id}/send-again`, undefined, 202),
  ).toEqual({
    sent_again: 1,
  });
  await anna.expectError(404, 'post', `/admin/upstream/set-aside/${oldest.id}/send-again`);
  expect(await anna.send('post', '/admin/upstream/set-aside/send-again', undefined, 202)).toEqual({
    sent_again: 0,
  });
  expect((await anna.send('get', '/admin/upstream')).upstream).toMatchObject({ waiting: 2, set_aside: 0 });
  const { items } = server.engine.audit.list({});
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['upstream_event.discarded', 'upstream_event.sent_again']),
  );
});

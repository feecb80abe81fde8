import request from 'supertest';
import { expect, test } from 'vitest';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import { pour } from '../../../engine/bar.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

test('without an upstream server the state is off and retry is refused', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  expect((await anna.send('get', '/admin/upstream')).upstream).toEqual({
    state: 'off',
    problem: null,
    pairing_code: null,
    host: null,
    device: null,
    last_answer_time: null,
    waiting: 0,
    set_aside: 0,
    events_dropped: 0,
    flow_meters: [],
  });
  await anna.expectError(409, 'post', '/admin/upstream/retry');
  await request(server.app).get('/api/admin/upstream').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
});

test('staff see the upstream state, retry, and resend or delete refused reports', async () => {
  let retryCount = 0;
  const server = createTestServer({
    services: {
      upstream: {
        host: 'bar.example:8080',
        device: 'cellar-pi',
        state: () => ({
          ...{ state: 'connected', problem: null, pairingCode: null },
          lastAnswerMs: Date.UTC(2026, 4, 2, 17),
        }),
        meterNames: () => ['pi.flow0', 'pi.flow1', 'pi.gone'],
        retryNow() {
          retryCount += 1;
        },
      },
    },
  });
  const anna = createStaffClient(server);
  const reporting = createEngine({
    ...{ store: server.store, bus: server.bus },
    ids: { next: () => 'one' },
    settings: { maxFlowMlPerS: 200, reportsUpstream: true },
  });
  for (let i = 0; i < 3; i++) reporting.pours.record(pour(server.now()), 'pin', server.now());
  for (const { id } of reporting.upstream.waiting(2)) reporting.upstream.setAside(id, '400 invalid');

  const before = (await anna.send('get', '/admin/upstream')).upstream;
  expect(before).toMatchObject({
    ...{ state: 'connected', host: 'bar.example:8080', device: 'cellar-pi', waiting: 1, set_aside: 2 },
    last_answer_time: '2026-05-02T17:00:00Z',
    flow_meters: [
      { name: 'pi.flow0', number: 0 },
      { name: 'pi.flow1', number: 1 },
    ],
  });
  await anna.send('post', '/admin/upstream/retry', undefined, 202);
  expect(retryCount).toBe(1);

  const { reports } = await anna.send('get', '/admin/upstream/set-aside');
  expect(reports).toMatchObject([
    { type: 'pour', refusal: '400 invalid', data: { meter_number: 0, volume_ml: 150 } },
    { type: 'pour', refusal: '400 invalid' },
  ]);
  const [newest, oldest] = reports;
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

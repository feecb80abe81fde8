import { afterEach, expect, test } from 'vitest';
import { createEventBus } from '../../src/core/event-bus.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { systemActor } from '../../src/engine/engine.ts';
import { extensions } from '../../src/extensions/all.ts';
import { openStore } from '../../src/store/store.ts';
import { type BarFolder, createStaffKey, makeBar, quickBar, startDaemon } from '../kit/daemon.ts';
import { openReceiver } from '../outbox/test-outbox.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Adds a channel and ends the wait for further alarms, while no daemon runs. */
function addChannel({ database }: BarFolder, url: string) {
  const store = openStore({ file: database, extensions });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const settings = { maxFlowMlPerS: 200, allowLocalWebhooks: true };
  const engine = createEngine({ store, bus, ids: { next: () => 'id' }, settings });
  const now = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'boot' };
  const context = { actor: systemActor, now };
  engine.notifications.alarmChannels.add(
    { kind: 'gotify', name: 'Phone', fields: { url, token: 'token1' } },
    context,
  );
  engine.notifications.alarms.changePolicy({ groupWaitS: 0 }, context);
  store.close();
}

test('an alarm that was raised before kill -9 is sent after it, and one that was sent is not sent again', async () => {
  let isUp = false;
  const service = await openReceiver((_request, response) => {
    if (isUp) response.end('{}');
  });
  closers.push(service.close);
  const bar = makeBar({ ...quickBar, webhooks: { allow_local: true } });
  closers.push(bar.remove);
  const key = await createStaffKey(bar, 'anna');
  addChannel(bar, `http://127.0.0.1:${service.port}`);
  const call = async (url: string, path: string, method = 'GET') => {
    const reply = await fetch(`${url}/api${path}`, { method, headers: { 'X-Kegbot-Api-Key': key } });
    return ((await reply.json()) as { result: { alarms: { told: { is_sent: boolean }[] }[] } }).result;
  };

  const first = await startDaemon(bar);
  closers.push(first.kill);
  await call(first.url, '/admin/alarm-test', 'POST');
  // The service has the request and does not answer.
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(1);
  await first.kill();

  isUp = true;
  const second = await startDaemon(bar);
  closers.push(second.kill);
  const isSent = async () => (await call(second.url, '/alarms')).alarms[0]!.told.map((one) => one.is_sent);
  await expect.poll(isSent, { timeout: 60_000 }).toEqual([true]);
  expect(service.received).toHaveLength(2);
  await second.kill();

  const third = await startDaemon(bar);
  closers.push(third.kill);
  // Ending the test makes the next message, which is the only further one.
  await call(third.url, '/alarms/1/resolve', 'POST');
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(3);
  const titles = service.received.map(({ body }) => (JSON.parse(body) as { title: string }).title);
  expect(titles).toEqual(['Test alarm', 'Test alarm', 'Resolved: Test alarm']);
}, 200_000);

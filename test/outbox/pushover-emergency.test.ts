import { afterEach, expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { createReceiptPoller } from '../../src/outbox/alarms/receipt-poller.ts';
import { hour, minute } from '../engine/bar.ts';
import { openReceiver, openTestOutbox } from './test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const receipt = 'rLqVuqTRh62UzxtmqiaLzQmVcPgiCy';

/** A bar with a Pushover channel for emergencies, and a service as Pushover answers. */
async function open() {
  const bar = await openTestOutbox();
  const state = { acknowledged: 0, status: 200 };
  const pushover = await openReceiver((request, response) => {
    response.statusCode = state.status;
    const isMessage = request.url!.endsWith('/messages.json');
    response.end(
      JSON.stringify({ status: 1, ...(isMessage ? { receipt } : { acknowledged: state.acknowledged }) }),
    );
  });
  closers.push(bar.close, pushover.close);
  const { engine, now } = bar;
  const fields = {
    url: `http://127.0.0.1:${pushover.port}`,
    user_key: 'u1',
    token: 'a/1',
    priority: 'emergency',
  };
  engine.notifications.alarmChannels.add(
    { kind: 'pushover', name: 'Owner', fields },
    { actor: systemActor, now: now() },
  );
  const poller = createReceiptPoller({ engine: () => engine, clock: bar.clock, allowsLocal: true });
  return {
    ...bar,
    state,
    pushover,
    poller,
    /** Method and path of each request to the receipts. */
    asked: () =>
      pushover.received
        .filter(({ path }) => path.includes('/receipts/'))
        .map(({ method, path }) => `${method} ${path}`),
    async raise(kind: 'too_warm' | 'backup_old' = 'too_warm') {
      if (kind === 'too_warm')
        engine.notifications.alarms.raise(kind, 'Left', { sensor: 'Left', tempC: 14, limitC: 12 }, now());
      else engine.notifications.alarms.raise(kind, 'Backups', { days: 3 }, now());
      await bar.pass(30_000);
      engine.notifications.alarms.sendDue(now());
      await bar.sendOut();
    },
  };
}

const formOf = ({ body }: { readonly body: string }) => Object.fromEntries(new URLSearchParams(body));

test('an urgent alarm is an emergency, which is repeated each minute for an hour; others and its end are not', async () => {
  const bar = await open();
  await bar.raise();
  expect(formOf(bar.pushover.received[0]!)).toMatchObject({ priority: '2', retry: '60', expire: '3600' });
  await bar.raise('backup_old');
  expect(formOf(bar.pushover.received[1]!)).toMatchObject({ priority: '0' });
  bar.engine.notifications.alarms.clear('too_warm', 'Left', bar.now());
  bar.engine.notifications.alarms.sendDue(bar.now());
  await bar.sendOut();
  expect(formOf(bar.pushover.received[2]!)).toMatchObject({ priority: '-1' });
  expect(formOf(bar.pushover.received[2]!)).not.toHaveProperty('retry');
});

test('what is acknowledged in the app is acknowledged here, once', async () => {
  const bar = await open();
  await bar.raise();
  await bar.poller.poll();
  expect(bar.asked()).toEqual([`GET /1/receipts/${receipt}.json?token=a%2F1`]);
  expect(bar.engine.notifications.alarms.get(1).acknowledgedMs).toBeNull();
  bar.state.acknowledged = 1;
  await bar.poller.poll();
  expect(bar.engine.notifications.alarms.get(1)).toMatchObject({ acknowledgedChannel: 'Owner' });
  expect(bar.engine.audit.list({ action: 'alarm.acknowledged' }).items).toHaveLength(1);
  const { length } = bar.asked();
  await bar.poller.poll();
  expect(bar.asked()).toHaveLength(length);
});

type Bar = Awaited<ReturnType<typeof open>>;

const endings: Readonly<Record<string, (bar: Bar) => void>> = {
  acknowledged({ engine, now }) {
    engine.notifications.alarms.acknowledge(1, { actor: systemActor, now: now() });
  },
  over({ engine, now }) {
    engine.notifications.alarms.clear('too_warm', 'Left', now());
  },
  'sent by a channel that was switched off': ({ engine, now }) => {
    engine.notifications.alarmChannels.edit(1, { isEnabled: false }, { actor: systemActor, now: now() });
  },
  'sent by a channel that was deleted': ({ engine, now }) => {
    engine.notifications.alarmChannels.remove(1, { actor: systemActor, now: now() });
  },
};

test.each(Object.entries(endings))(
  'an alarm that is %s stops ringing, also when the service is away at first',
  async (_how, end) => {
    const bar = await open();
    await bar.raise();
    end(bar);
    bar.state.status = 503;
    await bar.poller.poll();
    bar.state.status = 200;
    await bar.poller.poll();
    await bar.poller.poll();
    expect(bar.asked()).toEqual(Array(2).fill(`POST /1/receipts/${receipt}/cancel.json`));
    expect(formOf(bar.pushover.received.at(-1)!)).toEqual({ token: 'a/1' });
  },
);

test('after an hour nothing is asked any more', async () => {
  const bar = await open();
  await bar.raise();
  await bar.pass(hour - minute);
  await bar.poller.poll();
  expect(bar.asked()).toHaveLength(1);
  await bar.pass(2 * minute);
  await bar.poller.poll();
  expect(bar.asked()).toHaveLength(1);
  expect(bar.engine.notifications.alarms.pendingReceipts(bar.now())).toEqual([]);
});

test('with more receipts than one poll can ask for, all are asked in turn', async () => {
  const bar = await open();
  const pending = Array.from({ length: 45 }, (_, index) => ({
    receipt: `r${index}`,
    channelId: 1,
    isOver: false,
  }));
  const alarms = { ...bar.engine.notifications.alarms, pendingReceipts: () => pending };
  const engine = { ...bar.engine, notifications: { ...bar.engine.notifications, alarms } };
  const poller = createReceiptPoller({ engine: () => engine, clock: bar.clock, allowsLocal: true });
  for (let polls = 0; polls < 3; polls++) await poller.poll();
  expect(bar.asked()).toHaveLength(60);
  expect(new Set(bar.asked()).size).toBe(45);
});

test('an answer that is no answer acknowledges nothing', async () => {
  const bar = await open();
  await bar.raise();
  bar.state.acknowledged = 1;
  bar.state.status = 302;
  await bar.poller.poll();
  expect(bar.engine.notifications.alarms.get(1).acknowledgedMs).toBeNull();
});

test('another priority is refused', async () => {
  const bar = await open();
  const change = { fields: { priority: 'loud' } };
  expect(() =>
    bar.engine.notifications.alarmChannels.edit(1, change, { actor: systemActor, now: bar.now() }),
  ).toThrow(/high or emergency/);
});

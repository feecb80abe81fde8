import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemActor, toActor } from '../../../src/engine/engine.ts';
import { at, hour, minute, openBar } from '../bar.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const wants = { keg_tapped: false, too_warm: true, controller_silent: true, system_problem: true };
const warm = { sensor: 'Left', tempC: 14, limitC: 12 };

/** A bar with a mail server whose staff Anna chose all alarms; Bert is a guest. */
async function openAlarmBar(file?: string) {
  const bar = openBar(file);
  const { engine, store } = bar;
  const settings = { host: 'mail.bar', fromAddress: 'bar@example.org', baseUrl: 'https://bar.example' };
  engine.notifications.mail.change(settings, systemActor, at(0));
  const anna = await engine.users.addUser(
    { username: 'anna', isStaff: true, email: 'anna@example.org' },
    at(0),
  );
  await engine.users.addUser({ username: 'bert', email: 'bert@example.org' }, at(0));
  engine.notifications.add(anna, { wants });
  return {
    ...bar,
    anna: { actor: toActor(anna, 'page') },
    /** Messages about alarms, oldest first. */
    messages: () =>
      [...engine.notifications.outbox.list({ kind: 'mail' }).items].reverse().map(({ recipient, id }) => ({
        recipient,
        ...JSON.parse(store.notifications.outbox.byId(id)!.payload),
      })),
    /** Marks all waiting mails as sent. */
    sendAll(ms: number) {
      const target = `user:${anna.id}`;
      const due = engine.notifications.outbox.due({ kind: 'mail', target }, at(ms), 100);
      engine.notifications.outbox.recordOutcomes(
        due.map((message) => ({ message, outcome: { kind: 'sent' as const } })),
        at(ms),
      );
      return due.map(({ payload }) => JSON.parse(payload) as { alarm_event: string; link?: string });
    },
  };
}

test('an alarm is raised once, told after the wait, and told as resolved to those who were told', async () => {
  const { engine, sendAll, messages } = await openAlarmBar();
  expect(engine.notifications.alarms.raise('too_warm', 'Left', warm, at(0))).toBe(true);
  expect(engine.notifications.alarms.raise('too_warm', 'Left', warm, at(minute))).toBe(false);
  engine.notifications.alarms.sendDue(at(29_000));
  expect(messages()).toEqual([]);
  engine.notifications.alarms.sendDue(at(30_000));
  engine.notifications.alarms.sendDue(at(40_000));
  expect(messages()).toMatchObject([{ recipient: 'anna', alarm_event: 'raised', alarms: [1] }]);
  expect(engine.notifications.alarms.get(1).told).toMatchObject([
    { recipient: 'anna', round: 1, isSent: false },
  ]);
  expect(engine.notifications.alarms.wasTold(1, 'user:1')).toBe(false);
  sendAll(50_000);
  expect(engine.notifications.alarms.get(1).told).toMatchObject([{ isSent: true }]);
  expect(engine.notifications.alarms.wasTold(1, 'user:1')).toBe(true);
  engine.notifications.alarms.clear('too_warm', 'Left', at(hour));
  expect(engine.notifications.alarms.raised()).toEqual([]);
  engine.notifications.alarms.sendDue(at(hour));
  engine.notifications.alarms.sendDue(at(hour + minute));
  expect(sendAll(hour + minute)).toMatchObject([{ alarm_event: 'resolved' }]);
  expect(engine.notifications.alarms.raise('too_warm', 'Left', warm, at(2 * hour))).toBe(true);
  expect(
    engine.notifications.alarms.list({}).items.map(({ id, resolvedMs }) => [id, resolvedMs === null]),
  ).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(engine.notifications.alarms.list({ isOpen: true }).total).toBe(1);
});

test('an acknowledged alarm is not repeated, and the change log names who did it', async () => {
  const { engine, messages, anna } = await openAlarmBar();
  engine.notifications.alarms.raise('too_warm', 'Left', warm, at(0));
  engine.notifications.alarms.sendDue(at(minute));
  engine.notifications.alarms.sendDue(at(5 * hour));
  expect(messages().map(({ alarm_event: event }) => event)).toEqual(['raised', 'repeated']);
  expect(engine.notifications.alarms.unacknowledgedCount()).toBe(1);
  const alarm = engine.notifications.alarms.acknowledge(1, { ...anna, now: at(6 * hour) });
  expect(alarm).toMatchObject({ acknowledgedBy: 'anna', acknowledgedChannel: null });
  expect(engine.notifications.alarms.unacknowledgedCount()).toBe(0);
  engine.notifications.alarms.acknowledge(1, { ...anna, now: at(7 * hour) });
  engine.notifications.alarms.sendDue(at(12 * hour));
  expect(messages()).toHaveLength(2);
  const entries = engine.audit.list({ action: 'alarm.acknowledged' }).items;
  expect(entries).toMatchObject([{ username: 'anna', via: 'page' }]);
  expect(() => engine.notifications.alarms.acknowledge(99, { ...anna, now: at(0) })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a restart neither repeats nor loses a message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-alarms-'));
  folders.push(folder);
  const file = join(folder, 'bar.db');
  const first = await openAlarmBar(file);
  first.engine.notifications.alarms.raise('too_warm', 'Left', warm, at(0));
  first.store.close();
  const { openStore } = await import('../../../src/store/store.ts');
  const { createEngine } = await import('../../../src/engine/create-engine.ts');
  const open = () => {
    const store = openStore({ file });
    const parts = { store, bus: first.bus, ids: { next: () => 'id' }, settings: { maxFlowMlPerS: 200 } };
    return { store, engine: createEngine(parts) };
  };
  for (const ms of [minute, 2 * minute, 3 * minute]) {
    const { store, engine } = open();
    engine.notifications.alarms.sendDue(at(ms));
    expect(engine.notifications.outbox.list({ kind: 'mail' }).total).toBe(1);
    store.close();
  }
});

test('a clock that steps back for days neither repeats an alarm nor stops its repetition', async () => {
  const { engine, messages } = await openAlarmBar();
  engine.notifications.alarms.raise('too_warm', 'Left', warm, at(72 * hour));
  engine.notifications.alarms.sendDue(at(72 * hour + minute));
  for (const ms of [0, minute, hour, 3 * hour]) engine.notifications.alarms.sendDue(at(ms));
  expect(messages()).toHaveLength(1);
  engine.notifications.alarms.sendDue(at(4 * hour));
  expect(messages()).toHaveLength(2);
});

describe('the link in a message', () => {
  async function openLink() {
    const bar = await openAlarmBar();
    bar.engine.notifications.alarms.raise('too_warm', 'Left', warm, at(0));
    bar.engine.notifications.alarms.raise('too_warm', 'Right', warm, at(0));
    bar.engine.notifications.alarms.sendDue(at(minute));
    const link = bar.messages()[0]!.link as string;
    return { ...bar, link };
  }

  test('acknowledges the alarms of the message once, in the name of its recipient', async () => {
    const { engine, store, link } = await openLink();
    expect(engine.notifications.alarms.linkedAlarms(link, at(hour)).map(({ subject }) => subject)).toEqual([
      'Left',
      'Right',
    ]);
    expect(engine.notifications.alarms.unacknowledgedCount()).toBe(2);
    engine.notifications.alarms.acknowledgeByLink(link, at(hour));
    expect(engine.notifications.alarms.unacknowledgedCount()).toBe(0);
    expect(engine.notifications.alarms.get(1).acknowledgedBy).toBe('anna');
    expect(engine.audit.list({ action: 'alarm.acknowledged' }).items[0]).toMatchObject({
      username: 'anna',
      via: 'link',
    });
    expect(() => engine.notifications.alarms.acknowledgeByLink(link, at(hour))).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    // Only a hash is stored.
    expect(store.notifications.alarmDeliveries.byLink(Buffer.from(link))).toEqual([]);
  });

  test.each([
    ['after a day', (_bar: Awaited<ReturnType<typeof openLink>>) => {}, 24 * hour + minute],
    [
      'when its alarms are over',
      ({ engine }) => {
        engine.notifications.alarms.clear('too_warm', 'Left', at(hour));
        engine.notifications.alarms.clear('too_warm', 'Right', at(hour));
      },
      hour,
    ],
    [
      'when its recipient is no longer staff',
      ({ engine, store }) => {
        store.users.change({ ...engine.users.user('anna')!, isStaff: false });
      },
      hour,
    ],
  ] satisfies [string, (bar: Awaited<ReturnType<typeof openLink>>) => void, number][])(
    'is invalid %s',
    async (_when, prepare, ms) => {
      const bar = await openLink();
      prepare(bar);
      expect(() => bar.engine.notifications.alarms.linkedAlarms(bar.link, at(ms))).toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
      expect(() => bar.engine.notifications.alarms.acknowledgeByLink('x'.repeat(43), at(minute))).toThrow();
      expect(() => bar.engine.notifications.alarms.acknowledgeByLink("' OR 1", at(minute))).toThrow();
    },
  );
});

test('the test alarm goes to everybody who gets alarms, is ended by hand, or ends after an hour', async () => {
  const { engine, messages, anna } = await openAlarmBar();
  const { id } = engine.notifications.alarms.raiseTest({ ...anna, now: at(0) });
  expect(engine.notifications.alarms.raiseTest({ ...anna, now: at(minute) }).id).toBe(id);
  expect(engine.notifications.alarms.raised()).toEqual([]);
  engine.notifications.alarms.sendDue(at(minute));
  expect(messages()).toMatchObject([{ alarm_event: 'raised', alarms: [id] }]);
  engine.notifications.alarms.resolveTest(id, { ...anna, now: at(2 * minute) });
  engine.notifications.alarms.raiseTest({ ...anna, now: at(3 * minute) });
  engine.notifications.alarms.sendDue(at(2 * hour));
  expect(engine.notifications.alarms.list({ isOpen: true }).total).toBe(0);
  engine.notifications.alarms.raise('too_warm', 'Left', warm, at(0));
  expect(() => engine.notifications.alarms.resolveTest(3, { ...anna, now: at(0) })).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  );
});

test('the history is kept for a year and for 2 000 alarms', async () => {
  const { store, engine } = await openAlarmBar();
  store.transaction(() => {
    for (let count = 0; count < 2_100; count++) {
      const id = store.notifications.alarms.raise('too_warm', `Tap ${count}`, '{}', at(count).wallMs)!;
      if (count > 10) store.notifications.alarms.resolve(id, at(count).wallMs);
    }
  });
  // The open ones stay, whatever their age.
  expect(engine.notifications.alarms.list({}).total).toBe(2_000 + 11);
  engine.notifications.alarms.raise('too_warm', 'later', warm, at(366 * 24 * hour));
  expect(engine.notifications.alarms.list({}).total).toBe(12);
});

test('the policy is checked and logged', async () => {
  const { engine, anna } = await openAlarmBar();
  const context = { ...anna, now: at(0) };
  expect(engine.notifications.alarms.policy()).toEqual({
    groupWaitS: 30,
    nextStepMinutes: 15,
    repeatMinutes: 240,
    maxRounds: 3,
    quietHours: null,
  });
  const changed = engine.notifications.alarms.changePolicy(
    { quietHours: '22:00-08:00', maxRounds: 2 },
    context,
  );
  expect(changed).toMatchObject({ quietHours: { from: '22:00', until: '08:00' }, maxRounds: 2 });
  expect(engine.notifications.alarms.changePolicy({ quietHours: '' }, context).quietHours).toBeNull();
  for (const wrong of [{ quietHours: 'night' }, { maxRounds: 4 }, { repeatMinutes: 1 }])
    expect(() => engine.notifications.alarms.changePolicy(wrong, context)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  expect(engine.audit.list({ action: 'alarm_policy.changed' }).total).toBe(2);
});

import { expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { queueMail } from '../../../src/engine/shared/queue-mail.ts';
import type { Store } from '../../../src/store/store.ts';
import { at, hour, minute, openEmptyBar as openBar } from '../bar.ts';

/** Sets a mail server. */
function setMailServer(store: Store, host = 'mail.bar'): void {
  store.notifications.mailSettings.write({
    ...store.notifications.mailSettings.read(),
    host,
    fromAddress: 'bar@example.org',
  });
}

function queueWelcome(store: Store, to: number | string): boolean {
  return store.transaction(() =>
    queueMail(store, { to, template: 'welcome', values: { username: 'anna' } }, at(0)),
  );
}

const down = {
  kind: 'failed',
  problem: textProblem('Nobody answers.'),
  isFinal: false,
  scope: 'receiver',
  retryDelayMs: 10_000,
} as const;

/** All due messages, for each receiver in order. */
function due({ engine }: ReturnType<typeof openBar>, now = at(0)) {
  const { outbox } = engine.notifications;
  return outbox
    .receivers('mail', now, 100)
    .flatMap((target) => outbox.due({ kind: 'mail', target }, now, 100));
}

test('writes nothing without a mail server', () => {
  const { store, engine } = openBar();
  expect(queueWelcome(store, 'anna@example.org')).toBe(false);
  expect(engine.notifications.outbox.hasWaiting()).toBe(false);
});

test('a mail waits from the commit until it is sent, and then its payload is removed', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  expect(queueWelcome(store, 'anna@example.org')).toBe(true);
  const [message] = due(bar);
  expect(message).toMatchObject({ kind: 'mail', target: 'anna@example.org', topic: 'welcome', attempts: 0 });
  engine.notifications.outbox.recordOutcomes([{ message: message!, outcome: { kind: 'sent' } }], at(0));
  expect(due(bar)).toEqual([]);
  expect(store.notifications.outbox.byId(message!.id)).toMatchObject({
    state: 'sent',
    payload: '{}',
    attempts: 1,
  });
});

test('a delivery is no change of the set-up: what the next pour needs stays cached', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  queueWelcome(store, 'anna@example.org');
  const [message] = due(bar);
  const setupVersion = store.cachedUntilChange(() => ({}));
  const before = setupVersion();
  engine.notifications.outbox.recordOutcomes([{ message: message!, outcome: { kind: 'sent' } }], at(0));
  expect(setupVersion()).toBe(before);
  engine.users.addUser({ username: 'anna' }, at(0));
  expect(setupVersion()).not.toBe(before);
});

test('a message that is sent and forgotten leaves nothing for staff to look at', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  for (const address of ['anna@example.org', 'bert@example.org']) queueWelcome(store, address);
  const [anna, bert] = due(bar);
  engine.notifications.outbox.recordOutcomes(
    [
      { message: anna!, outcome: { kind: 'sent', isForgotten: true } },
      { message: bert!, outcome: { kind: 'sent' } },
    ],
    at(0),
  );
  expect(store.notifications.outbox.byId(anna!.id)).toBe(null);
  expect(store.notifications.outbox.byId(bert!.id)).toMatchObject({ state: 'sent' });
});

test('a rolled-back transaction queues no mail', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  expect(() =>
    store.transaction(() => {
      queueMail(store, { to: 1, template: 'welcome', values: { username: 'anna' } }, at(0));
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(engine.notifications.outbox.hasWaiting()).toBe(false);
});

test.each([
  'anna',
  'a@b@c',
  'anna@example.org\r\nBcc: all@example.org',
  'Anna <anna@example.org>',
  'a@b, c@d',
  '',
])('rejects the mail address %j', (address) => {
  const { store } = openBar();
  setMailServer(store);
  expect(() => queueWelcome(store, address)).toThrowError(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

test('each receiver has its own queue, the receiver with the oldest message first', () => {
  const bar = openBar();
  setMailServer(bar.store);
  for (const to of ['a@bar', 'b@bar', 'a@bar', 'c@bar']) queueWelcome(bar.store, to);
  expect(due(bar).map(({ id, target }) => [id, target])).toEqual([
    [1, 'a@bar'],
    [3, 'a@bar'],
    [2, 'b@bar'],
    [4, 'c@bar'],
  ]);
  bar.engine.notifications.outbox.recordOutcomes(
    [{ message: bar.store.notifications.outbox.byId(1)!, outcome: down }],
    at(0),
  );
  expect(due(bar).map(({ id }) => id)).toEqual([2, 3, 4]);
});

test('the retry delay of a message grows to at most an hour', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  queueWelcome(store, 'a@bar');
  const fail = () => {
    const outcome = { ...down, scope: 'message', retryDelayMs: 0 } as const;
    engine.notifications.outbox.recordOutcomes(
      [{ message: store.notifications.outbox.byId(1)!, outcome }],
      at(0),
    );
    return store.notifications.outbox.byId(1)!.notBeforeMs - at(0).wallMs;
  };
  expect([fail(), fail(), fail()]).toEqual([10_000, 20_000, 40_000]);
  for (let tries = 3; tries < 12; tries++) fail();
  expect(fail()).toBe(hour);
  expect(store.notifications.outbox.byId(1)).toMatchObject({
    attempts: 13,
    lastError: textProblem('Nobody answers.'),
    state: 'waiting',
  });
  expect(due(bar, at(hour - 1))).toEqual([]);
  expect(due(bar, at(hour))).toHaveLength(1);
});

test('respects a delay requested by the receiver, up to an hour', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  queueWelcome(store, 'a@bar');
  const busy = { ...down, scope: 'message', retryDelayMs: 5 * minute } as const;
  engine.notifications.outbox.recordOutcomes(
    [{ message: store.notifications.outbox.byId(1)!, outcome: busy }],
    at(0),
  );
  expect(due(bar, at(5 * minute - 1))).toEqual([]);
  expect(due(bar, at(5 * minute))).toHaveLength(1);
  engine.notifications.outbox.recordOutcomes(
    [{ message: store.notifications.outbox.byId(1)!, outcome: { ...busy, retryDelayMs: 99 * hour } }],
    at(0),
  );
  expect(due(bar, at(hour))).toHaveLength(1);
});

test('ignores a retry time that was written before the clock stepped back', () => {
  const bar = openBar();
  setMailServer(bar.store);
  queueWelcome(bar.store, 'a@bar');
  bar.engine.notifications.outbox.recordOutcomes(
    [{ message: bar.store.notifications.outbox.byId(1)!, outcome: down }],
    at(0),
  );
  expect(due(bar, at(-30 * 24 * hour))).toHaveLength(1);
});

test('a refused message becomes dead and can be sent again or removed', () => {
  const bar = openBar();
  const { store, engine, events } = bar;
  setMailServer(store);
  queueWelcome(store, 'a@bar');
  const refused = { ...down, isFinal: true, scope: 'message' } as const;
  engine.notifications.outbox.recordOutcomes(
    [{ message: store.notifications.outbox.byId(1)!, outcome: refused }],
    at(0),
  );
  expect(engine.notifications.outbox.list({ state: 'dead' }).items).toMatchObject([
    { id: 1, recipient: 'a@bar', topic: 'welcome', lastError: textProblem('Nobody answers.') },
  ]);
  const eventsBefore = events.length;
  expect(engine.notifications.outbox.sendAgain(1)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(events).toHaveLength(eventsBefore + 1);
  expect(due(bar)).toHaveLength(1);
  expect(() => engine.notifications.outbox.sendAgain(1)).toThrowError(
    expect.objectContaining({ code: 'conflict' }),
  );
  engine.notifications.outbox.remove(1);
  expect(() => engine.notifications.outbox.remove(1)).toThrowError(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('giving up a receiver makes all its messages dead, and no others', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (const to of ['a@bar', 'a@bar', 'b@bar']) queueWelcome(store, to);
  for (let tries = 1; tries <= 80; tries++) {
    engine.notifications.outbox.recordOutcomes(
      [{ message: store.notifications.outbox.byId(1)!, outcome: down }],
      at(0),
    );
  }
  expect([1, 2, 3].map((id) => store.notifications.outbox.byId(id)!.state)).toEqual([
    'dead',
    'dead',
    'waiting',
  ]);
});

test('stores at most a thousand waiting messages for a receiver and a thousand dead ones', () => {
  const bar = openBar();
  setMailServer(bar.store);
  bar.store.transaction(() => {
    for (let count = 0; count < 2_010; count++) {
      queueMail(bar.store, { to: 'gone@bar', template: 'welcome', values: { username: 'a' } }, at(0));
    }
  });
  expect(bar.store.notifications.outbox.count({ state: 'waiting', kind: null })).toBe(1_000);
  expect(bar.store.notifications.outbox.count({ state: 'dead', kind: null })).toBe(1_000);
  expect(due(bar)[0]!.id).toBe(1_011);
});

test('stores the newest five hundred sent messages', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (let count = 1; count <= 510; count++) {
    queueWelcome(store, 'anna@bar');
    engine.notifications.outbox.recordOutcomes(
      [{ message: store.notifications.outbox.byId(count)!, outcome: { kind: 'sent' } }],
      at(0),
    );
  }
  expect(engine.notifications.outbox.list({ state: 'sent', limit: 1 })).toMatchObject({
    total: 500,
    items: [{ id: 510 }],
  });
});

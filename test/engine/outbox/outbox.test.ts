import { expect, test } from 'vitest';
import { queueMail } from '../../../src/engine/outbox/queue-mail.ts';
import type { Store } from '../../../src/store/store.ts';
import { at, hour, minute, openEmptyBar as openBar } from '../bar.ts';

/** Mails leave through a server of this name. */
function setMailServer(store: Store, host = 'mail.bar'): void {
  store.mailSettings.write({ ...store.mailSettings.read(), host, fromAddress: 'bar@example.org' });
}

function post(store: Store, to: number | string, opens = 0): boolean {
  return store.transaction(() =>
    queueMail(store, { to, template: 'welcome', values: { username: 'anna' } }, at(opens)),
  );
}

const down = {
  kind: 'failed',
  error: 'Nobody answers.',
  isFinal: false,
  blame: 'receiver',
  retryDelayMs: 10_000,
} as const;

/** Everything due, each receiver's in their order. */
function due({ engine }: ReturnType<typeof openBar>, now = at(0)) {
  const { outbox } = engine;
  return outbox
    .receivers('mail', now, 100)
    .flatMap((target) => outbox.due({ kind: 'mail', target }, now, 100));
}

test('without a mail server nothing is written', () => {
  const { store, engine } = openBar();
  expect(post(store, 'anna@example.org')).toBe(false);
  expect(engine.outbox.hasWaiting()).toBe(false);
});

test('a mail waits from its commit until it has left, and what it said is wiped then', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  expect(post(store, 'anna@example.org')).toBe(true);
  const [message] = due(bar);
  expect(message).toMatchObject({ kind: 'mail', target: 'anna@example.org', topic: 'welcome', attempts: 0 });
  engine.outbox.recordOutcomes([{ message: message!, outcome: { kind: 'sent' } }], at(0));
  expect(due(bar)).toEqual([]);
  expect(store.outbox.byId(message!.id)).toMatchObject({ state: 'sent', payload: '{}', attempts: 1 });
});

test('a mail goes with what caused it: rolled back, it was never written', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  expect(() =>
    store.transaction(() => {
      queueMail(store, { to: 1, template: 'welcome', values: { username: 'anna' } }, at(0));
      throw new Error('the tap was not there');
    }),
  ).toThrow('the tap');
  expect(engine.outbox.hasWaiting()).toBe(false);
});

test.each([
  'anna',
  'a@b@c',
  'anna@example.org\r\nBcc: all@example.org',
  'Anna <anna@example.org>',
  'a@b, c@d',
  '',
])('no mail goes to %j', (address) => {
  const { store } = openBar();
  setMailServer(store);
  expect(() => post(store, address)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
});

test('each receiver has a queue of its own, the longest waiting first', () => {
  const bar = openBar();
  setMailServer(bar.store);
  for (const to of ['a@bar', 'b@bar', 'a@bar', 'c@bar']) post(bar.store, to);
  expect(due(bar).map(({ id, target }) => [id, target])).toEqual([
    [1, 'a@bar'],
    [3, 'a@bar'],
    [2, 'b@bar'],
    [4, 'c@bar'],
  ]);
  bar.engine.outbox.recordOutcomes([{ message: bar.store.outbox.byId(1)!, outcome: down }], at(0));
  expect(due(bar).map(({ id }) => id)).toEqual([2, 3, 4]);
});

test('a message refused for now waits longer each time, an hour at most', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  post(store, 'a@bar');
  const fail = () => {
    const outcome = { ...down, blame: 'message', retryDelayMs: 0 } as const;
    engine.outbox.recordOutcomes([{ message: store.outbox.byId(1)!, outcome }], at(0));
    return store.outbox.byId(1)!.notBeforeMs - at(0).wallMs;
  };
  expect([fail(), fail(), fail()]).toEqual([10_000, 20_000, 40_000]);
  for (let tries = 3; tries < 12; tries++) fail();
  expect(fail()).toBe(hour);
  expect(store.outbox.byId(1)).toMatchObject({
    attempts: 13,
    lastError: 'Nobody answers.',
    state: 'waiting',
  });
  expect(due(bar, at(hour - 1))).toEqual([]);
  expect(due(bar, at(hour))).toHaveLength(1);
});

test('a receiver’s own wish for a pause is heard, up to an hour', () => {
  const bar = openBar();
  const { store, engine } = bar;
  setMailServer(store);
  post(store, 'a@bar');
  const busy = { ...down, blame: 'message', retryDelayMs: 5 * minute } as const;
  engine.outbox.recordOutcomes([{ message: store.outbox.byId(1)!, outcome: busy }], at(0));
  expect(due(bar, at(5 * minute - 1))).toEqual([]);
  expect(due(bar, at(5 * minute))).toHaveLength(1);
  engine.outbox.recordOutcomes(
    [{ message: store.outbox.byId(1)!, outcome: { ...busy, retryDelayMs: 99 * hour } }],
    at(0),
  );
  expect(due(bar, at(hour))).toHaveLength(1);
});

test('a pause written by a clock that has stepped back is not waited for', () => {
  const bar = openBar();
  setMailServer(bar.store);
  post(bar.store, 'a@bar');
  bar.engine.outbox.recordOutcomes([{ message: bar.store.outbox.byId(1)!, outcome: down }], at(0));
  expect(due(bar, at(-30 * 24 * hour))).toHaveLength(1);
});

test('what nobody wants is given up, can be sent again, or thrown away', () => {
  const bar = openBar();
  const { store, engine, events } = bar;
  setMailServer(store);
  post(store, 'a@bar');
  const refused = { ...down, isFinal: true, blame: 'message' } as const;
  engine.outbox.recordOutcomes([{ message: store.outbox.byId(1)!, outcome: refused }], at(0));
  expect(engine.outbox.list({ state: 'dead' }).items).toMatchObject([
    { id: 1, recipient: 'a@bar', topic: 'welcome', lastError: 'Nobody answers.' },
  ]);
  const news = events.length;
  expect(engine.outbox.sendAgain(1)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(events).toHaveLength(news + 1);
  expect(due(bar)).toHaveLength(1);
  expect(() => engine.outbox.sendAgain(1)).toThrowError(expect.objectContaining({ code: 'conflict' }));
  engine.outbox.remove(1);
  expect(() => engine.outbox.remove(1)).toThrowError(expect.objectContaining({ code: 'not_found' }));
});

test('a receiver that is given up takes all its messages with it, and nobody else’s', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (const to of ['a@bar', 'a@bar', 'b@bar']) post(store, to);
  for (let tries = 1; tries <= 80; tries++) {
    engine.outbox.recordOutcomes([{ message: store.outbox.byId(1)!, outcome: down }], at(0));
  }
  expect([1, 2, 3].map((id) => store.outbox.byId(id)!.state)).toEqual(['dead', 'dead', 'waiting']);
});

test('a receiver gone for good keeps its newest thousand messages, and the dead are a thousand', () => {
  const bar = openBar();
  setMailServer(bar.store);
  bar.store.transaction(() => {
    for (let count = 0; count < 2_010; count++) {
      queueMail(bar.store, { to: 'gone@bar', template: 'welcome', values: { username: 'a' } }, at(0));
    }
  });
  expect(bar.store.outbox.count({ state: 'waiting', kind: null })).toBe(1_000);
  expect(bar.store.outbox.count({ state: 'dead', kind: null })).toBe(1_000);
  expect(due(bar)[0]!.id).toBe(1_011);
});

test('the newest five hundred messages that left are remembered', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (let count = 1; count <= 510; count++) {
    post(store, 'anna@bar');
    engine.outbox.recordOutcomes([{ message: store.outbox.byId(count)!, outcome: { kind: 'sent' } }], at(0));
  }
  expect(engine.outbox.list({ state: 'sent', limit: 1 })).toMatchObject({ total: 500, items: [{ id: 510 }] });
});

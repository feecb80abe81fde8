import { expect, test } from 'vitest';
import { queueMail } from '../../src/engine/queue-mail.ts';
import type { Store } from '../../src/store/store.ts';
import { at, hour, minute, openEmptyBar as openBar } from './bar.ts';

/** Mails leave through a server of this name. */
function setMailServer(store: Store, host = 'mail.bar'): void {
  store.mailSettings.write({ ...store.mailSettings.read(), host, fromAddress: 'bar@example.org' });
}

function post(store: Store, to: number | string, opens = 0): boolean {
  return store.transaction(() =>
    queueMail(store, { to, template: 'welcome', values: { username: 'anna' } }, at(opens)),
  );
}

const down = { error: 'Nobody answers.', isFinal: false, blame: 'receiver', failures: 1 } as const;

test('without a mail server nothing is written', () => {
  const { store, engine } = openBar();
  expect(post(store, 'anna@example.org')).toBe(false);
  expect(engine.outbox.hasWaiting()).toBe(false);
});

test('a mail waits from its commit until it has left, and what it said is wiped then', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  expect(post(store, 'anna@example.org')).toBe(true);
  const [message] = engine.outbox.due(at(0), 10);
  expect(message).toMatchObject({ kind: 'mail', target: 'anna@example.org', topic: 'welcome', attempts: 0 });
  engine.outbox.sent(message!.id);
  expect(engine.outbox.due(at(0), 10)).toEqual([]);
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

test('each receiver has its own first message, so that one queue holds up no other', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (const to of ['a@bar', 'a@bar', 'b@bar', 'a@bar']) post(store, to);
  expect(engine.outbox.due(at(0), 10).map(({ id, target }) => [id, target])).toEqual([
    [1, 'a@bar'],
    [3, 'b@bar'],
  ]);
});

test('a message that failed waits, longer each time, an hour at most', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  post(store, 'a@bar');
  const message = () => store.outbox.byId(1)!;
  expect(engine.outbox.failed(message(), down, at(0))).toBe(10_000);
  expect(engine.outbox.due(at(9_999), 10)).toEqual([]);
  expect(engine.outbox.due(at(10_000), 10)).toHaveLength(1);
  expect(engine.outbox.failed(message(), { ...down, failures: 4 }, at(0))).toBe(80_000);
  expect(engine.outbox.failed(message(), { ...down, failures: 40 }, at(0))).toBe(hour);
  expect(message()).toMatchObject({ attempts: 3, lastError: 'Nobody answers.' });
});

test('a receiver’s own wish for a pause is heard, up to an hour', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  post(store, 'a@bar');
  const busy = { ...down, blame: 'message', retryAfterMs: 5 * minute } as const;
  engine.outbox.failed(store.outbox.byId(1)!, busy, at(0));
  expect(engine.outbox.due(at(5 * minute - 1), 10)).toEqual([]);
  expect(engine.outbox.due(at(5 * minute), 10)).toHaveLength(1);
});

test('a pause written by a clock that has stepped back is not waited for', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  post(store, 'a@bar');
  engine.outbox.failed(store.outbox.byId(1)!, down, at(0));
  expect(engine.outbox.due(at(-30 * 24 * hour), 10)).toHaveLength(1);
});

test('what nobody wants is given up, can be sent again, or thrown away', () => {
  const { store, engine, told } = openBar();
  setMailServer(store);
  post(store, 'a@bar');
  engine.outbox.failed(store.outbox.byId(1)!, { ...down, isFinal: true, blame: 'message' }, at(0));
  expect(engine.outbox.list({ state: 'dead' }).items).toMatchObject([
    { id: 1, recipient: 'a@bar', topic: 'welcome', lastError: 'Nobody answers.' },
  ]);
  const news = told.length;
  expect(engine.outbox.sendAgain(1)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(told).toHaveLength(news + 1);
  expect(engine.outbox.due(at(0), 10)).toHaveLength(1);
  expect(() => engine.outbox.sendAgain(1)).toThrowError(expect.objectContaining({ code: 'conflict' }));
  engine.outbox.remove(1);
  expect(() => engine.outbox.remove(1)).toThrowError(expect.objectContaining({ code: 'not_found' }));
});

test('a receiver that is given up takes all its messages with it, and nobody else’s', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (const to of ['a@bar', 'a@bar', 'b@bar']) post(store, to);
  for (let tries = 1; tries <= 80; tries++) engine.outbox.failed(store.outbox.byId(1)!, down, at(0));
  expect([1, 2, 3].map((id) => store.outbox.byId(id)!.state)).toEqual(['dead', 'dead', 'waiting']);
});

test('a receiver gone for good keeps its newest thousand messages, and the dead are a thousand', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (let count = 0; count < 2_010; count++) post(store, 'gone@bar');
  expect(store.outbox.count('waiting')).toBe(1_000);
  expect(store.outbox.count('dead')).toBe(1_000);
  expect(engine.outbox.due(at(0), 10).map(({ id }) => id)).toEqual([1_011]);
});

test('the newest five hundred messages that left are remembered', () => {
  const { store, engine } = openBar();
  setMailServer(store);
  for (let count = 1; count <= 510; count++) {
    post(store, 'anna@bar');
    engine.outbox.sent(count);
  }
  expect(engine.outbox.list({ state: 'sent', limit: 1 })).toMatchObject({ total: 500, items: [{ id: 510 }] });
});

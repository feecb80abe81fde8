import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { minute } from '../engine/bar.ts';
import { openReceiver, openTestOutbox, type Received, type TestOutboxOptions } from './test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function outbox(options: TestOutboxOptions = {}) {
  const opened = await openTestOutbox(options);
  closers.push(opened.close);
  return opened;
}

async function receiver(...answer: Parameters<typeof openReceiver>) {
  const opened = await openReceiver(...answer);
  closers.push(opened.close);
  return opened;
}

interface WebhookBody {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

const read = ({ body }: Received) => JSON.parse(body) as WebhookBody;
const kinds = (received: readonly Received[]) => received.map((request) => read(request).data.kind);

test('posts every event once and in order', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  const keg = bar.tapKeg();
  bar.pourDrink(330, 'anna');
  bar.engine.kegs.end(keg.id, bar.now());
  await bar.sendOut();
  expect(kinds(hook.received)).toEqual([
    'keg_tapped',
    'session_started',
    'session_joined',
    'drink_poured',
    'keg_ended',
  ]);
  const ids = bar.engine.drinks.events.list({ limit: 10 }).map(({ id }) => id);
  expect(hook.received.map((request) => read(request).data.id)).toEqual([...ids].reverse());
  expect(bar.states()).toEqual(['sent', 'sent', 'sent', 'sent', 'sent']);
});

test('the body has the format of existing receivers and contains no address, right or token', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  bar.engine.drinks.pours.report(
    {
      tap: 'pi.flow0',
      ticks: 0,
      volumeMl: 330,
      durationMs: 8_000,
      username: 'anna',
      authToken: 'core.rfid|secret01',
      shout: 'cheers from anna@example.org',
      source: 'post',
    },
    bar.now(),
  );
  await bar.sendOut();
  const bodies = hook.received.map(read).find(({ data }) => data.kind === 'drink_poured')!;
  expect(bodies).toEqual({
    type: 'event',
    data: {
      id: 4,
      kind: 'drink_poured',
      time: expect.stringMatching(/^2026-05-01T18:00:\d\d(\.\d{6})?\+00:00$/),
      drink_id: 1,
      keg_id: 1,
      session_id: 1,
      user_id: 'anna',
      drink: expect.objectContaining({ id: 1, volume_ml: 330, duration: 8, user_id: 'anna', keg_id: 1 }),
      keg: expect.objectContaining({ id: 1, keg_type: 'euro-30-liter', served_volume_ml: 330, online: true }),
      session: expect.objectContaining({ id: 1, volume_ml: 330, is_active: true }),
    },
  });
  const all = JSON.stringify(hook.received);
  for (const secret of ['example.org', 'secret01', 'is_staff', 'cheers']) expect(all).not.toContain(secret);
});

test('tells which session became part of which', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  for (const agoMs of [10, 6.9, 8.45].map((hours) => hours * 3_600_000)) {
    bar.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 100, agoMs, source: 'post' }, bar.now());
  }
  await bar.sendOut();
  const merged = hook.received.map((one) => read(one).data).filter(({ kind }) => kind === 'session_merged');
  expect(merged).toMatchObject([
    { kind: 'session_merged', session_id: 1, merged_session_id: 2, session: { id: 1 } },
  ]);
});

test('a signed message can be verified with the secret, including its time', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url], secret: 'a long enough secret' });
  bar.tapKeg();
  await bar.sendOut();
  const [{ headers, body }] = hook.received as [Received];
  const seconds = headers['tapster-timestamp'];
  const hmac = createHmac('sha256', 'a long enough secret').update(`${seconds}.${body}`).digest('hex');
  expect(headers['tapster-signature']).toBe(`sha256=${hmac}`);
  expect(Number(seconds)).toBe(Math.floor(Date.UTC(2026, 4, 1, 18) / 1_000));
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'tapster-event': 'keg_tapped',
    'user-agent': expect.stringMatching(/^Tapster\//),
  });
});

test('sends no signature without a secret', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.sendOut();
  expect(hook.received[0]!.headers).not.toHaveProperty('tapster-signature');
});

test('a receiver that hangs delays no other receiver', async () => {
  const bar = await openTestOutbox({ timeoutMs: 60_000 });
  const hanging = await receiver(() => {});
  const working = await receiver();
  bar.setWebhooks({ urls: [hanging.url, working.url] });
  bar.tapKeg();
  for (let drink = 0; drink < 5; drink++) bar.pourDrink();
  const quick = bar.pass(200);
  await expect.poll(() => working.received.length).toBe(8);
  expect(hanging.received).toHaveLength(1);
  await bar.worker.stop(60_000);
  await quick;
  bar.store.close();
});

test('retries an unreachable receiver with growing delays, and then sends all messages in order', async () => {
  const bar = await outbox();
  const hook = await receiver();
  const { port, url } = hook;
  await hook.close();
  bar.setWebhooks({ urls: [url] });
  bar.tapKeg();
  bar.pourDrink();
  await bar.pass(200);
  await bar.pass(10_000);
  await bar.pass(20_000);
  const message = bar.store.notifications.outbox.byId(1)!;
  expect(message).toMatchObject({ attempts: 3, lastError: { code: 'message_receiver_unreachable' } });
  expect(bar.store.notifications.outbox.byId(2)!.attempts).toBe(0);
  expect(bar.problems.get('webhook')).toContain('cannot be reached');

  const back: Received[] = [];
  const again = createServer((socket) => answerOnce(socket, back));
  await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve));
  closers.push(() => void again.close());
  await bar.pass(60_000);
  await bar.sendOut();
  expect(kinds(back)).toEqual(['keg_tapped', 'session_started', 'session_joined', 'drink_poured']);
  expect(bar.problems.get('webhook')).toBeNull();
});

/** Reads one HTTP request from a socket, stores its body and answers 204. */
function answerOnce(socket: Socket, received: Received[]): void {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    const body = text.split('\r\n\r\n')[1] ?? '';
    if (Buffer.byteLength(body) !== length) return;
    received.push({ method: 'POST', path: '', headers: {}, body });
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
}

test.each([
  ['a server error', 503, 'waiting'],
  ['too many requests', 429, 'waiting'],
  ['not found', 404, 'dead'],
  ['unauthorized', 401, 'dead'],
])('a receiver that answers %s (%d) leaves the message %s', async (_what, status, state) => {
  const bar = await outbox();
  const hook = await receiver((_request, response) => response.writeHead(status).end());
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.pass(200);
  expect(bar.states()).toEqual([state]);
});

test('respects Retry-After', async () => {
  const bar = await outbox();
  const hook = await receiver((_request, response) =>
    response.writeHead(429, { 'retry-after': '300' }).end(),
  );
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.pass(200);
  await bar.pass(4 * minute);
  expect(hook.received).toHaveLength(1);
  await bar.pass(2 * minute);
  expect(hook.received).toHaveLength(2);
});

test('does not follow a redirect', async () => {
  const bar = await outbox();
  const elsewhere = await receiver();
  const hook = await receiver((_request, response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.sendOut();
  expect(elsewhere.received).toEqual([]);
  expect(bar.engine.notifications.outbox.list({ state: 'dead' }).items[0]!.lastError?.code).toBe(
    'message_redirected',
  );
});

test('does not wait for the end of an endless answer', async () => {
  const bar = await outbox();
  let written = 0;
  const hook = await receiver((_request, response) => {
    response.writeHead(200);
    const writeMore = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
    };
    response.on('drain', writeMore);
    response.on('error', () => {});
    writeMore();
  });
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.sendOut();
  expect(bar.states()).toEqual(['sent']);
  expect(written).toBeLessThan(50e6);
});

test('a message that was refused can be sent again', async () => {
  const bar = await outbox();
  let status = 410;
  const hook = await receiver((_request, response) => response.writeHead(status).end());
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  await bar.sendOut();
  const [dead] = bar.engine.notifications.outbox.list({ state: 'dead' }).items;
  status = 200;
  bar.engine.notifications.outbox.sendAgain(dead!.id);
  await bar.sendOut();
  expect(bar.states()).toEqual(['sent']);
  const deliveries = hook.received.map(({ headers }) => headers['tapster-delivery']);
  expect(new Set(deliveries).size).toBe(1);
});

test('sends all dead messages of a kind again in order with one call', async () => {
  const bar = await outbox();
  let status = 404;
  const hook = await receiver((_request, response) => void response.writeHead(status).end());
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  bar.pourDrink();
  await bar.sendOut();
  expect(bar.states()).toEqual(['dead', 'dead', 'dead', 'dead']);
  hook.received.length = 0;
  status = 200;
  const context = { actor: systemActor, now: bar.now() };
  expect(bar.engine.notifications.outbox.sendAllAgain('mail', context)).toBe(0);
  expect(bar.engine.notifications.outbox.sendAllAgain('webhook', context)).toBe(4);
  await bar.sendOut();
  expect(kinds(hook.received)).toEqual(['keg_tapped', 'session_started', 'session_joined', 'drink_poured']);
  expect(bar.engine.audit.list({ action: 'outbox.sent_again' }).items).toMatchObject([
    { after: '{"count":4}' },
  ]);
});

test('sends a message after the next start if the daemon crashed between commit and sending', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-outbox-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tapster.db');
  const hook = await receiver();
  const first = await openTestOutbox({ file });
  first.setWebhooks({ urls: [hook.url] });
  first.tapKeg();
  await first.close();
  expect(hook.received).toEqual([]);

  const second = await outbox({ file });
  await second.sendOut();
  expect(kinds(hook.received)).toEqual(['keg_tapped']);
});

test('sends a message again with the same id if its outcome could not be recorded', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  const { finish } = bar.store.notifications.outbox;
  Object.assign(bar.store.notifications.outbox, {
    finish: () => {
      throw new Error('power cut');
    },
  });
  await bar.pass(200);
  Object.assign(bar.store.notifications.outbox, { finish });
  await bar.pass(10_000);
  expect(hook.received).toHaveLength(2);
  expect(new Set(hook.received.map(({ headers }) => headers['tapster-delivery'])).size).toBe(1);
  expect(bar.states()).toEqual(['sent']);
});

test('stopping does not wait for a receiver that hangs, and the message stays', async () => {
  const bar = await openTestOutbox({ timeoutMs: 60_000 });
  const hook = await receiver(() => {});
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  const out = bar.pass(200);
  await expect.poll(() => hook.received.length).toBe(1);
  await bar.worker.stop(60_000);
  await out;
  expect(bar.states()).toEqual(['waiting']);
  expect(bar.store.notifications.outbox.byId(1)!.attempts).toBe(0);
  bar.store.close();
});

test('a removed target gets no more messages, not even waiting ones', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  bar.setWebhooks({ urls: [] });
  await bar.sendOut();
  expect(hook.received).toEqual([]);
  expect(bar.states()).toEqual([]);
});

test('the secrets of a target never appear in the log', async () => {
  const bar = await outbox();
  const hook = await receiver((_request, response) => response.writeHead(500).end('secret-in-answer'));
  bar.setWebhooks({
    urls: [`${hook.url}/path-secret?token=query-secret`],
    secret: 'signing-secret',
  });
  bar.tapKeg();
  bar.pourDrink(330, 'anna');
  for (let turn = 0; turn < 5; turn++) await bar.pass(minute);
  const problem = JSON.stringify([
    bar.lines,
    [...bar.problems],
    bar.store.notifications.outbox.byId(1)!.lastError,
  ]);
  expect(problem).toContain('answers with 500');
  for (const secret of ['path-secret', 'query-secret', 'signing-secret', 'secret-in-answer', 'anna']) {
    expect(problem).not.toContain(secret);
  }
});

test('skips waiting messages of a disabled webhook, and later events reach it again', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: [hook.url] });
  bar.tapKeg();
  const context = { actor: systemActor, now: bar.now() };
  bar.engine.notifications.webhooks.edit(1, { isEnabled: false }, context);
  await bar.sendOut();
  expect(hook.received).toEqual([]);
  expect(bar.states()).toEqual(['skipped']);
  bar.engine.notifications.webhooks.edit(1, { isEnabled: true }, context);
  bar.pourDrink();
  await bar.sendOut();
  expect(kinds(hook.received)).toEqual(['session_started', 'session_joined', 'drink_poured']);
});

test('deletes messages that wait for a replaced address', async () => {
  const bar = await outbox();
  const hook = await receiver();
  bar.setWebhooks({ urls: ['http://192.0.2.1/gone'] });
  bar.tapKeg();
  bar.engine.notifications.webhooks.edit(1, { url: hook.url }, { actor: systemActor, now: bar.now() });
  bar.pourDrink();
  await bar.sendOut();
  expect(kinds(hook.received)).toEqual(['session_started', 'session_joined', 'drink_poured']);
});

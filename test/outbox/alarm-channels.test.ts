import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { createChannelTester } from '../../src/outbox/alarms/channel-tester.ts';
import { hour, minute } from '../engine/bar.ts';
import {
  headersOf,
  openMailServer,
  openReceiver,
  openTestOutbox,
  type Received,
  type TestOutboxOptions,
} from './test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const warm = { sensor: 'Left', tempC: 14, limitC: 12 };

async function outbox(options: TestOutboxOptions = {}) {
  const opened = await openTestOutbox(options);
  closers.push(opened.close);
  const { engine, now } = opened;
  const context = () => ({ actor: systemActor, now: now() });
  return {
    ...opened,
    add: (channel: Parameters<typeof engine.notifications.alarmChannels.add>[0]) =>
      engine.notifications.alarmChannels.add(channel, context()),
    /** Raises an alarm and sends what is due after the wait. */
    async raise(subject = 'Left') {
      engine.notifications.alarms.raise('too_warm', subject, { ...warm, sensor: subject }, now());
      await opened.pass(30_000);
      engine.notifications.alarms.sendDue(now());
      await opened.sendOut();
    },
    async tell() {
      engine.notifications.alarms.sendDue(now());
      await opened.sendOut();
    },
    context,
    setSiteAddress: () =>
      engine.notifications.mail.change({ baseUrl: 'https://bar.example' }, systemActor, now()),
    lastError: () => engine.notifications.outbox.list({ kind: 'alarm' }).items[0]?.lastError?.message ?? null,
  };
}

async function service(answer?: (request: IncomingMessage, response: ServerResponse) => void) {
  const opened = await openReceiver(answer);
  closers.push(opened.close);
  return { ...opened, url: `http://127.0.0.1:${opened.port}` };
}

const json = ({ body }: Received) => JSON.parse(body) as Record<string, unknown>;

describe('the request of each service', () => {
  test('ntfy: JSON to the root address, urgent, with a button that acknowledges', async () => {
    const bar = await outbox();
    const ntfy = await service();
    bar.setSiteAddress();
    bar.add({
      kind: 'ntfy',
      name: 'Phone',
      fields: { url: ntfy.url, topic: 'bar', token: 'tk_1' },
      language: 'de',
    });
    await bar.raise();
    expect(ntfy.received).toHaveLength(1);
    const [request] = ntfy.received;
    expect(request).toMatchObject({ method: 'POST', path: '/' });
    expect(request!.headers.authorization).toBe('Bearer tk_1');
    const body = json(request!);
    expect(body).toMatchObject({ topic: 'bar', title: 'Zu warm: Left', priority: 5 });
    expect(body.message).toContain('Left zeigt 57,2 °F');
    const [action] = body.actions as { url: string; method: string; label: string }[];
    expect(action).toMatchObject({ method: 'POST', label: 'Bestätigen' });
    const [, secret] = /^https:\/\/bar\.example\/api\/alarm-links\/([\w-]{43})$/.exec(action!.url)!;
    bar.engine.notifications.alarms.acknowledgeByLink(secret!, bar.now());
    expect(bar.engine.notifications.alarms.get(1)).toMatchObject({
      acknowledgedBy: null,
      acknowledgedChannel: 'Phone',
    });
  });

  test('ntfy with a username uses it with the token as password', async () => {
    const bar = await outbox();
    const ntfy = await service();
    bar.add({
      kind: 'ntfy',
      name: 'Phone',
      fields: { url: ntfy.url, topic: 'bar', username: 'anna', token: 'pw' },
    });
    await bar.raise();
    expect(ntfy.received[0]!.headers.authorization).toBe(`Basic ${btoa('anna:pw')}`);
    expect(json(ntfy.received[0]!).actions).toBeUndefined();
  });

  test('Telegram: plain text to the chat', async () => {
    const bar = await outbox();
    const telegram = await service();
    bar.add({
      kind: 'telegram',
      name: 'Group',
      fields: { url: telegram.url, chat: '-100', token: '12:AB' },
    });
    await bar.raise('<b>_Left_</b>');
    const [request] = telegram.received;
    expect(request!.path).toBe('/bot12:AB/sendMessage');
    const body = json(request!);
    expect(body).toMatchObject({ chat_id: '-100', disable_notification: false });
    expect(body.parse_mode).toBeUndefined();
    expect(body.text).toContain('Too warm: <b>_Left_</b>');
  });

  test('Pushover: a form with high priority', async () => {
    const bar = await outbox();
    const pushover = await service();
    bar.add({ kind: 'pushover', name: 'Owner', fields: { url: pushover.url, user_key: 'u1', token: 't1' } });
    await bar.raise();
    expect(pushover.received[0]!.path).toBe('/1/messages.json');
    const form = new URLSearchParams(pushover.received[0]!.body);
    expect(Object.fromEntries(form)).toMatchObject({
      token: 't1',
      user: 'u1',
      title: 'Too warm: Left',
      priority: '1',
    });
  });

  test('Gotify: JSON with the key in a header, also below a path', async () => {
    const bar = await outbox();
    const gotify = await service();
    bar.add({ kind: 'gotify', name: 'Server', fields: { url: `${gotify.url}/push/`, token: 'A.b' } });
    await bar.raise();
    expect(gotify.received[0]!.path).toBe('/push/message');
    expect(gotify.received[0]!.headers['x-gotify-key']).toBe('A.b');
    expect(json(gotify.received[0]!)).toMatchObject({ title: 'Too warm: Left', priority: 8 });
  });

  test('HTTP: method, headers and body by template, with values that cannot break out of it', async () => {
    const bar = await outbox();
    const own = await service();
    bar.add({
      kind: 'http',
      name: 'Own',
      fields: {
        url: `${own.url}/hook/{secret}?x=1`,
        method: 'PUT',
        headers: 'Content-Type: application/json\nX-Key: {secret}',
        body: '{"text": "{title}: {message}", "what": ["{kind}", "{subject}", "{secret}"]}',
        secret: 's/1',
      },
    });
    await bar.raise('a", "b": "{secret}');
    expect(own.received[0]).toMatchObject({ method: 'PUT', path: '/hook/s%2F1?x=1' });
    expect(own.received[0]!.headers['x-key']).toBe('s/1');
    const body = json(own.received[0]!);
    expect(Object.keys(body)).toEqual(['text', 'what']);
    expect(body.text).toContain('Too warm: a", "b": "{secret}');
    expect(body.what).toEqual(['too_warm', 'a", "b": "{secret}', 's/1']);
  });

  test('mail: to an address without an account', async () => {
    const bar = await outbox();
    const mailServer = await openMailServer();
    closers.push(mailServer.close);
    bar.setMailServer(mailServer.port);
    bar.add({ kind: 'mail', name: 'Boss', fields: { address: 'boss@example.org' }, language: 'fr' });
    await bar.raise();
    expect(mailServer.mails.map(({ to }) => to)).toEqual([['boss@example.org']]);
    expect(headersOf(mailServer.mails[0]!).get('subject')).toContain('Trop chaud');
  });

  test('texts that are too long are cut to what the services accept', async () => {
    const bar = await outbox();
    const ntfy = await service();
    bar.add({ kind: 'ntfy', name: 'Phone', fields: { url: ntfy.url, topic: 'bar' } });
    for (let tap = 0; tap < 60; tap++)
      bar.engine.notifications.alarms.raise(
        'too_warm',
        `${tap} ${'🍺'.repeat(100)}`,
        { ...warm, sensor: '🍺'.repeat(200) },
        bar.now(),
      );
    await bar.pass(minute);
    await bar.tell();
    const [request] = ntfy.received;
    expect(Buffer.byteLength(request!.body)).toBeLessThanOrEqual(4_096);
    expect(request!.body).not.toContain('\uFFFD');
  });
});

test('an alarm goes to the next channel when nobody responds, and its end to both', async () => {
  const bar = await outbox();
  const [first, second] = [await service(), await service()];
  bar.add({ kind: 'gotify', name: 'First', fields: { url: first.url, token: 't' } });
  bar.add({ kind: 'gotify', name: 'Second', step: 2, fields: { url: second.url, token: 't' } });
  await bar.raise();
  expect([first.received.length, second.received.length]).toEqual([1, 0]);
  await bar.pass(15 * minute);
  await bar.tell();
  expect(second.received.map((request) => json(request).title)).toEqual([
    'Nobody has responded: Too warm: Left',
  ]);
  bar.engine.notifications.alarms.clear('too_warm', 'Left', bar.now());
  await bar.tell();
  for (const { received } of [first, second])
    expect(json(received.at(-1)!).title).toBe('Resolved: Too warm: Left');
  expect(bar.engine.notifications.alarms.get(1).told.every(({ isSent }) => isSent)).toBe(true);
});

test('an alarm that is over before it could be sent is not sent, nor its end', async () => {
  const bar = await outbox();
  let isUp = false;
  const gotify = await service((_request, response) => {
    response.statusCode = isUp ? 200 : 503;
    response.end();
  });
  bar.add({ kind: 'gotify', name: 'Server', fields: { url: gotify.url, token: 't' } });
  await bar.raise();
  const { length } = gotify.received;
  bar.engine.notifications.alarms.clear('too_warm', 'Left', bar.now());
  isUp = true;
  await bar.pass(hour);
  await bar.tell();
  expect(gotify.received).toHaveLength(length);
  expect(new Set(bar.states())).toEqual(new Set(['skipped']));
});

describe('a service that fails', () => {
  test('with 429 gets the message after the pause that it asks for', async () => {
    const bar = await outbox();
    let refusals = 1;
    const telegram = await service((_request, response) => {
      response.statusCode = refusals-- > 0 ? 429 : 200;
      response.end(
        '{"ok":false,"description":"Too Many Requests: retry after 120","parameters":{"retry_after":120}}',
      );
    });
    bar.add({ kind: 'telegram', name: 'Group', fields: { url: telegram.url, chat: '1', token: 't' } });
    await bar.raise();
    expect(telegram.received).toHaveLength(1);
    await bar.pass(100_000);
    expect(telegram.received).toHaveLength(1);
    await bar.pass(40_000);
    expect(telegram.received).toHaveLength(2);
    expect(bar.states()).toEqual(['sent']);
  });

  test('says why, without the secret', async () => {
    const bar = await outbox();
    const telegram = await service((request, response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ description: `Bad Request: chat not found ${request.url}` }));
    });
    bar.add({
      kind: 'telegram',
      name: 'Group',
      fields: { url: telegram.url, chat: '1', token: 'bottoken1' },
    });
    await bar.raise();
    expect(bar.states()).toEqual(['dead']);
    expect(bar.lastError()).toContain('chat not found /bot***/sendMessage');
    expect(bar.lines.join('\n')).not.toContain('bottoken1');
  });

  test.each([
    [
      '500',
      (_request: unknown, response: ServerResponse) => {
        response.writeHead(500).end();
      },
    ],
    ['no answer', () => {}],
    [
      'an endless answer',
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(500);
        const write = (): void => {
          if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write));
        };
        write();
      },
    ],
    [
      'half an answer',
      (_request: unknown, response: ServerResponse) => {
        response.writeHead(500).write('{');
      },
    ],
  ] as const)('with %s keeps the message for later', async (_how, answer) => {
    const bar = await outbox({ timeoutMs: 500 });
    const gotify = await service(answer);
    bar.add({ kind: 'gotify', name: 'Server', fields: { url: gotify.url, token: 't' } });
    await bar.raise();
    expect(gotify.received.length).toBeGreaterThan(0);
    expect(bar.states()).toEqual(['waiting']);
    expect(bar.lastError()).not.toBeNull();
  });

  test('does not delay the other channels', async () => {
    const bar = await outbox({ timeoutMs: 500 });
    const silent = await service(() => {});
    const ntfy = await service();
    bar.add({ kind: 'gotify', name: 'Server', fields: { url: silent.url, token: 't' } });
    bar.add({ kind: 'ntfy', name: 'Phone', fields: { url: ntfy.url, topic: 'bar' } });
    await bar.raise();
    expect(ntfy.received).toHaveLength(1);
  });
});

test.each(['ntfy', 'telegram'] as const)(
  '%s follows no redirect, so that neither text nor token reach another address',
  async (kind) => {
    const bar = await outbox();
    const other = await service();
    const redirecting = await service((_request, response) => {
      response.writeHead(307, { location: `${other.url}/admin` }).end();
    });
    const fields = kind === 'ntfy' ? { topic: 'bar', token: 'tk_1' } : { chat: '1', token: 't' };
    bar.add({ kind, name: 'Phone', fields: { url: redirecting.url, ...fields } });
    await bar.raise();
    expect(redirecting.received).toHaveLength(1);
    expect(other.received).toEqual([]);
    expect(bar.states()).toEqual(['dead']);
    expect(bar.lastError()).toContain('307');
  },
);

test('an endless answer to a message that was accepted is not read to its end', async () => {
  const bar = await outbox();
  let written = 0;
  const ntfy = await service((_request, response) => {
    response.writeHead(200);
    const write = (): void => {
      written += 65_536;
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write));
    };
    write();
  });
  bar.add({ kind: 'ntfy', name: 'Phone', fields: { url: ntfy.url, topic: 'bar' } });
  await bar.raise();
  expect(bar.states()).toEqual(['sent']);
  expect(written).toBeLessThan(20_000_000);
});

test('nothing is sent to this machine itself unless the settings file permits it', async () => {
  const permitted = await outbox();
  const gotify = await service();
  const fields = { url: gotify.url, token: 't' };
  const { id } = permitted.add({ kind: 'gotify', name: 'Server', fields });
  expect(permitted.engine.notifications.alarmChannels.get(id).settings.url).toBe(gotify.url);
  const refusing = await outbox({ allowsLocal: false });
  expect(() => refusing.add({ kind: 'gotify', name: 'Server', fields })).toThrow(/webhooks\.allow_local/);
  expect(() =>
    refusing.add({ kind: 'gotify', name: 'LAN', fields: { ...fields, url: 'http://192.168.1.5:8080' } }),
  ).not.toThrow();
  refusing.store.notifications.alarmChannels.change({
    ...refusing.store.notifications.alarmChannels.byId(1)!,
    settings: { url: 'http://rebound.example:1' },
  });
  const rebinding = await outbox({
    allowsLocal: false,
    find: (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  rebinding.add({
    kind: 'gotify',
    name: 'Server',
    fields: { ...fields, url: `http://rebound.example:${gotify.port}` },
  });
  await rebinding.raise();
  expect(gotify.received).toEqual([]);
  expect(rebinding.states()).toEqual(['dead']);
});

test('a channel that was switched off or deleted gets nothing, and a restored one works again', async () => {
  const bar = await outbox();
  const gotify = await service();
  const { id } = bar.add({ kind: 'gotify', name: 'Server', fields: { url: gotify.url, token: 't' } });
  bar.engine.notifications.alarmChannels.edit(id, { isEnabled: false }, bar.context());
  await bar.raise('One');
  bar.engine.notifications.alarmChannels.edit(id, { isEnabled: true }, bar.context());
  bar.engine.notifications.alarmChannels.remove(id, bar.context());
  await bar.raise('Two');
  expect(gotify.received).toEqual([]);
  bar.engine.notifications.alarmChannels.restore(id, bar.context());
  await bar.tell();
  expect(gotify.received.map((request) => json(request).title)).toEqual(['2 alarms']);
});

test('a test says in words what failed', async () => {
  const bar = await outbox();
  let status = 401;
  const gotify = await service((_request, response) => {
    response.writeHead(status).end('{"errorDescription":"you need to provide a valid access token"}');
  });
  const { id } = bar.add({ kind: 'gotify', name: 'Server', fields: { url: gotify.url, token: 'token1' } });
  const tester = createChannelTester({
    engine: () => bar.engine,
    clock: { now: bar.now },
    ids: { next: () => 'one' },
    allowsLocal: true,
  });
  await expect(tester.sendTest(id)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('401: you need to provide a valid access token'),
  });
  status = 200;
  await tester.sendTest(id);
  expect(json(gotify.received.at(-1)!).title).toBe('Test message');
  await expect(tester.sendTest(99)).rejects.toMatchObject({ code: 'not_found' });
});

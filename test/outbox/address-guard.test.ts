import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createProblem } from '../../src/core/health/problems.ts';
import { guardedLookup } from '../../src/outbox/address-guard.ts';
import { httpSend } from '../../src/outbox/http-send.ts';
import { ownAddresses } from '../../src/system/own-addresses.ts';
import { openReceiver, openTestOutbox } from './test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('blocks a name that resolves to a blocked address when it is used', async () => {
  const hook = await openReceiver();
  closers.push(hook.close);
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  const lookups: string[] = [];
  const bar = await openTestOutbox({
    allowsLocal: false,
    find(host, done) {
      lookups.push(host);
      const addresses = answers.at(-1)!;
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    },
  });
  closers.push(bar.close);
  bar.setWebhooks({ urls: [`http://rebound.example:${hook.port}/hook`] });
  bar.tapKeg();
  await bar.sendOut();
  expect(lookups).toEqual(['rebound.example']);
  expect(hook.received).toEqual([]);
  const [dead] = bar.engine.notifications.outbox.list({ state: 'dead' }).items;
  expect(dead!.lastError?.message).toContain('is this machine itself');
});

test('blocks a name of which all addresses are blocked', async () => {
  const bar = await openTestOutbox({
    allowsLocal: false,
    timeoutMs: 200,
    find: (_host, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
        { address: 'fe80::1%lo', family: 6 },
      ]),
  });
  closers.push(bar.close);
  bar.setWebhooks({ urls: ['http://many.example/hook'] });
  bar.tapKeg();
  await bar.sendOut();
  expect(bar.states()).toEqual(['dead']);
});

test('blocks an address that was set before the configuration forbade it', async () => {
  const hook = await openReceiver();
  closers.push(hook.close);
  const bar = await openTestOutbox({ allowsLocal: false });
  closers.push(bar.close);
  bar.store.notifications.plugins.addWebhookTarget(hook.url);
  bar.tapKeg();
  await bar.sendOut();
  expect(hook.received).toEqual([]);
  expect(bar.states()).toEqual(['dead']);
});

test('treats an unknown name as an unreachable receiver', async () => {
  const bar = await openTestOutbox({
    allowsLocal: false,
    find: (_host, done) => done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []),
  });
  closers.push(bar.close);
  bar.setWebhooks({ urls: ['http://gone.example/hook'] });
  bar.tapKeg();
  await bar.pass(200);
  expect(bar.store.notifications.outbox.byId(1)).toMatchObject({
    state: 'waiting',
    lastError: createProblem('message_receiver_unreachable', { host: 'gone.example', code: 'ENOTFOUND' }),
  });
});

const sendOptions = {
  headers: {},
  body: '{}',
  timeoutMs: 3_000,
  signal: new AbortController().signal,
  allowsLocal: false,
} as const;

const inUrl = (address: string) => (address.includes(':') ? `[${address.replace(/%.*$/, '')}]` : address);

test('sends nothing to an address of an own interface, written as it is or found for a name', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '::', resolve));
  closers.push(() => void server.close());
  const { port } = server.address() as { port: number };
  expect(ownAddresses()).toContain('127.0.0.1');
  for (const address of ownAddresses()) {
    const written = [address, ...(address.includes(':') ? [] : [`::ffff:${address}`])];
    for (const host of written) {
      const answer = await httpSend({ ...sendOptions, url: `http://${inUrl(host)}:${port}/` });
      expect(answer).toEqual({ kind: 'forbidden', reason: 'self' });
      const found = await httpSend({
        ...sendOptions,
        url: `http://tapster.example:${port}/`,
        find: (_host, done) => done(null, [{ address: host, family: host.includes(':') ? 6 : 4 }]),
      });
      expect(found).toEqual({ kind: 'forbidden', reason: 'self' });
    }
  }
  expect(connections).toBe(0);
});

test('an address is blocked as soon as it is this machine’s, and only as long; others of the name are used', () => {
  let own: readonly string[] = [];
  const lookup = guardedLookup(
    () => own,
    (_host, done) =>
      done(null, [
        { address: '192.0.2.77', family: 4 },
        { address: '192.0.2.78', family: 4 },
      ]),
  );
  const find = () => {
    let found: unknown;
    lookup('receiver.example', { all: true }, (fault, addresses) => {
      found = fault ?? (addresses as { address: string }[]).map(({ address }) => address);
    });
    return found;
  };
  expect(find()).toEqual(['192.0.2.77', '192.0.2.78']);
  own = ['192.0.2.77'];
  expect(find()).toEqual(['192.0.2.78']);
  own = ['192.0.2.77', '192.0.2.78'];
  expect(find()).toMatchObject({ reason: 'self' });
  own = [];
  expect(find()).toEqual(['192.0.2.77', '192.0.2.78']);
});

test('a redirect to an own address is not followed', async () => {
  const own = await openReceiver();
  closers.push(own.close);
  const redirecting = await openReceiver((_request, response) =>
    response.writeHead(307, { location: own.url }).end(),
  );
  closers.push(redirecting.close);
  const answer = await httpSend({ ...sendOptions, url: redirecting.url, allowsLocal: true });
  expect(answer).toMatchObject({ kind: 'answered', status: 307 });
  expect(own.received).toEqual([]);
});

test('refuses an own address when it is set, unless the configuration permits it', async () => {
  const bar = await openTestOutbox({ allowsLocal: false, ownAddresses: () => ['192.168.1.7', 'fd00::7'] });
  closers.push(bar.close);
  for (const url of ['http://192.168.1.7/a', 'http://[fd00::7]/a', 'http://[::ffff:192.168.1.7]/a'])
    expect(() => bar.setWebhooks({ urls: [url] })).toThrow(/is this machine itself/);
  bar.setWebhooks({ urls: ['http://192.168.1.8/a'] });
  const permitting = await openTestOutbox({ ownAddresses: () => ['192.168.1.7'] });
  closers.push(permitting.close);
  permitting.setWebhooks({ urls: ['http://192.168.1.7/a'] });
});

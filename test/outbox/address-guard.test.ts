import { afterEach, expect, test } from 'vitest';
import { createProblem } from '../../src/core/rules/problems.ts';
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
  const [dead] = bar.engine.outbox.list({ state: 'dead' }).items;
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
  bar.store.plugins.addWebhookTarget(hook.url);
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
  expect(bar.store.outbox.byId(1)).toMatchObject({
    state: 'waiting',
    lastError: createProblem('message_receiver_unreachable', { host: 'gone.example', code: 'ENOTFOUND' }),
  });
});

import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createWebhookTester } from '../../../../src/outbox/webhooks/webhook-tester.ts';
import { signBody } from '../../../../src/outbox/webhooks/webhook-transport.ts';
import { openReceiver } from '../../../outbox/test-outbox.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { testOutbox } from '../../test-services.ts';
import { createSuperuserClient } from '../staff-client.ts';

let server: TestServer;
let root: ReturnType<typeof createSuperuserClient>;

beforeEach(() => {
  const webhookTester = createWebhookTester({
    engine: () => server.engine,
    clock: { now: () => server.now() },
    ids: { next: () => 'one' },
    allowsLocal: true,
    timeoutMs: 3_000,
  });
  server = createTestServer({ services: { outbox: { ...testOutbox, webhookTester } } });
  root = createSuperuserClient(server);
});

const scoreboard = 'http://192.168.1.5/board';

/** Records a drink, which creates events. */
const pourDrink = () =>
  server.engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 0, volumeMl: 330, source: 'post' },
    server.now(),
  );

test('adds, changes and deletes webhooks, which the plugin settings show as well', async () => {
  const added = await root.create('/admin/webhooks', { url: scoreboard });
  const expected = {
    id: 1,
    url: scoreboard,
    is_enabled: true,
    event_kinds: null,
    num_waiting: 0,
    num_dead: 0,
  };
  expect(added.webhook).toEqual(expected);
  await root.create('/admin/webhooks', { url: 'https://example.org/x' });
  expect(await root.send('get', '/admin/webhooks')).toEqual({
    paging: { total: 2, limit: 2, pos: 0, next: null, prev: null },
    is_signed: false,
    webhooks: [expected, { ...expected, id: 2, url: 'https://example.org/x' }],
  });
  const moved = await root.send('patch', '/admin/webhooks/1', { url: 'http://192.168.1.6/board' });
  expect(moved.webhook).toEqual({ ...expected, url: 'http://192.168.1.6/board' });
  await root.send('delete', '/admin/webhooks/2');
  await root.expectError(404, 'delete', '/admin/webhooks/2');
  const { settings } = await root.send('get', '/admin/plugins/webhook/settings');
  expect(settings.webhook_urls).toBe('http://192.168.1.6/board');
  const actions = server.engine.audit.list({ subject: { kind: 'webhook', id: '1' } }).items;
  expect(actions.map(({ action }) => action)).toEqual(['webhook.changed', 'webhook.added']);
  expect(JSON.stringify(actions)).not.toContain('/board');
});

test.each(['http://127.0.0.1/', 'ftp://example.org/', 'example.org', scoreboard])(
  'refuses to add or change a webhook to %s',
  async (url) => {
    await root.create('/admin/webhooks', { url: scoreboard });
    await root.create('/admin/webhooks', { url: 'https://example.org/x' });
    for (const [method, path] of [
      ['post', '/admin/webhooks'],
      ['patch', '/admin/webhooks/2'],
    ] as const) {
      expect((await root.expectError(400, method, path, { url })).fields).toHaveProperty('url');
    }
  },
);

test('refuses more than ten webhooks', async () => {
  for (let n = 0; n < 10; n += 1) await root.create('/admin/webhooks', { url: `http://example.org/${n}` });
  await root.expectError(400, 'post', '/admin/webhooks', { url: 'http://example.org/10' });
});

test('sends nothing to a disabled webhook, and the outbox names the recipient', async () => {
  await root.create('/admin/webhooks', { url: scoreboard });
  await root.create('/admin/webhooks', { url: 'https://example.org/x' });
  await root.send('patch', '/admin/webhooks/2', { is_enabled: false });
  pourDrink();
  const { webhooks } = await root.send('get', '/admin/webhooks');
  expect(webhooks.map((one: { num_waiting: number }) => one.num_waiting)).toEqual([3, 0]);
  const { messages, paging } = await root.send('get', '/admin/outbox?kind=webhook&state=waiting');
  expect(new Set(messages.map((one: { recipient: string }) => one.recipient))).toEqual(new Set([scoreboard]));
  expect(paging.total).toBe(3);
  expect((await root.send('get', '/admin/outbox?kind=mail')).messages).toEqual([]);
});

test('creates a secret and shows it once', async () => {
  const { secret } = await root.create('/admin/webhook-secret', {});
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect((await root.send('get', '/admin/webhooks')).is_signed).toBe(true);
  const another = await root.create('/admin/webhook-secret', {});
  expect(another.secret).not.toBe(secret);
  const { items } = server.engine.audit.list({});
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['webhooks.signed', 'webhooks.secret_replaced']),
  );
  expect(JSON.stringify(items)).not.toContain(secret);
});

test('the test call is signed and reports success or the reason of the failure', async () => {
  const statuses = [200, 404, 503, 302];
  const hook = await openReceiver((_request, response) => {
    response.writeHead(statuses.shift()!).end();
  });
  const id = server.store.notifications.plugins.addWebhookTarget(hook.url);
  const { secret } = await root.create('/admin/webhook-secret', {});
  expect(await root.send('post', `/admin/webhooks/${id}/test`)).toEqual({});
  const { headers, body } = hook.received[0]!;
  expect(JSON.parse(body).type).toBe('test');
  expect(headers['tapster-event']).toBe('test');
  expect(headers['tapster-signature']).toBe(signBody(secret, Number(headers['tapster-timestamp']), body));
  for (const status of ['404', '503', '302']) {
    const error = await root.expectError(409, 'post', `/admin/webhooks/${id}/test`);
    expect(error.message).toContain(status);
  }
  await hook.close();
  const refused = await root.expectError(409, 'post', `/admin/webhooks/${id}/test`);
  expect(refused.message).toContain('cannot be reached');
  await root.expectError(404, 'post', '/admin/webhooks/99/test');
});

test('webhooks are for staff', async () => {
  const sendAsBert = (method: 'get' | 'post', path: string) =>
    request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', server.guestKey);
  await sendAsBert('get', '/admin/webhooks').expect(403);
  await sendAsBert('post', '/admin/webhook-secret').expect(403);
  await request(server.app).post('/api/admin/webhooks').send({ url: scoreboard }).expect(401);
});

test('a webhook receives only the kinds of events that were chosen', async () => {
  await root.create('/admin/webhooks', { url: scoreboard });
  await root.create('/admin/webhooks', { url: 'https://example.org/all' });
  const chosen = await root.send('patch', '/admin/webhooks/1', {
    event_kinds: ['drink_poured', 'drink_poured'],
  });
  expect(chosen.webhook.event_kinds).toEqual(['drink_poured']);
  pourDrink();
  const topics = (target: string) =>
    server.engine.notifications.outbox
      .list({ limit: 10, kind: 'webhook' })
      .items.filter(({ recipient }) => recipient === target)
      .map(({ topic }) => topic);
  expect(topics(scoreboard)).toEqual(['drink_poured']);
  expect(topics('https://example.org/all')).toHaveLength(3);
  const all = await root.send('patch', '/admin/webhooks/1', { event_kinds: null });
  expect(all.webhook.event_kinds).toBeNull();
  await root.expectError(400, 'patch', '/admin/webhooks/1', { event_kinds: [] });
  await root.expectError(400, 'patch', '/admin/webhooks/1', { event_kinds: ['drink_spilled'] });
});

test('the events of a span are sent once more, in order, and what waits already is not doubled', async () => {
  await root.create('/admin/webhooks', { url: scoreboard });
  pourDrink();
  const { outbox } = server.engine.notifications;
  const due = () => outbox.due({ kind: 'webhook', target: scoreboard }, server.now(), 100);
  expect(due()).toHaveLength(3);
  const span = {
    from: new Date(server.now().wallMs - 3_600_000).toISOString(),
    until: new Date(server.now().wallMs + 1_000).toISOString(),
  };
  const replay = (body: object = span) => root.send('post', '/admin/webhooks/1/replay', body);
  // The keg was put on tap before the webhook was added; the other three wait already.
  expect(await replay()).toEqual({ count: 1 });
  const first = due();
  outbox.recordOutcomes(
    first.map((message) => ({ message, outcome: { kind: 'sent' } })),
    server.now(),
  );
  expect(due()).toHaveLength(0);
  expect(await replay()).toEqual({ count: 4 });
  const idOf = ({ payload }: { payload: string }) => (JSON.parse(payload) as { id: number }).id;
  const again = due();
  expect(again.map(idOf)).toEqual(first.map(idOf).sort((one, other) => one - other));
  expect(again.map(({ payload }) => payload).sort()).toEqual(first.map(({ payload }) => payload).sort());
  expect(await replay({ from: span.until, until: '2030-01-01T00:00:00Z' })).toEqual({ count: 0 });
  await root.expectError(400, 'post', '/admin/webhooks/1/replay', { from: span.until, until: span.from });
  await root.send('patch', '/admin/webhooks/1', { is_enabled: false });
  await root.expectError(409, 'post', '/admin/webhooks/1/replay', span);
});

test('more events than may wait are refused with their number, and nothing is queued', async () => {
  await root.create('/admin/webhooks', { url: scoreboard });
  await root.send('patch', '/admin/webhooks/1', { is_enabled: false });
  for (let count = 0; count < 1_001; count += 1) pourDrink();
  await root.send('patch', '/admin/webhooks/1', { is_enabled: true });
  const error = await root.expectError(409, 'post', '/admin/webhooks/1/replay', {
    from: '2020-01-01T00:00:00Z',
    until: '2030-01-01T00:00:00Z',
  });
  expect(JSON.stringify(error)).toMatch(/There are 100\d events in this span, and at most 1000 can wait now/);
  expect(server.engine.notifications.webhooks.get(1).waiting).toBe(0);
});

import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createSuperuserClient } from '../staff-client.ts';

let server: TestServer;
let root: ReturnType<typeof createSuperuserClient>;

beforeEach(() => {
  server = createTestServer();
  root = createSuperuserClient(server);
});

const settings = '/admin/plugins/webhook/settings';

test('lists the webhook plugin, also in users/me', async () => {
  const { plugins } = await root.send('get', '/admin/plugins');
  expect(plugins).toMatchObject([{ short_name: 'webhook', has_settings: true }]);
  const me = await request(server.app).get('/api/users/me').expect(200);
  expect(me.body.result.plugins).toEqual([{ short_name: 'webhook', name: 'Webhooks' }]);
  await root.expectError(404, 'get', '/admin/plugins/untappd/settings');
  await request(server.app).get('/api/admin/plugins').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
});

test('stores webhook URLs from one text, and never shows the secret', async () => {
  expect((await root.send('get', settings)).settings).toEqual({
    webhook_urls: null,
    secret: null,
    has_secret: false,
  });
  const body = {
    webhook_urls: ' http://192.168.1.5:8123/api/webhook/bar\n\nhttps://example.org/x https://example.org/x ',
    secret: 'signing-secret',
  };
  const expected = {
    webhook_urls: 'http://192.168.1.5:8123/api/webhook/bar\nhttps://example.org/x',
    secret: null,
    has_secret: true,
  };
  expect((await root.send('put', settings, body)).settings).toEqual(expected);
  expect((await root.send('get', settings)).settings).toEqual(expected);
  expect((await root.send('put', settings, { webhook_urls: null, secret: null })).settings).toEqual({
    webhook_urls: null,
    secret: null,
    has_secret: true,
  });
  const without = await root.send('put', settings, { webhook_urls: null, secret: '' });
  expect(without.settings.has_secret).toBe(false);
  expect(JSON.stringify(server.engine.audit.list({}).items)).not.toContain('signing-secret');
});

test.each([
  'http://127.0.0.1/',
  'http://localhost:8080/api',
  'http://[::1]/',
  'http://0.0.0.0/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'http://user:password@example.org/',
  'example.org/hook',
  Array.from({ length: 11 }, (_, n) => `http://example.org/${n}`).join(' '),
])('refuses the webhook URL %s', async (urls) => {
  const error = await root.expectError(400, 'put', settings, { webhook_urls: urls });
  expect(error.fields).toHaveProperty('webhook_urls');
});

test('refuses a short webhook secret', async () => {
  await root.expectError(400, 'put', settings, { webhook_urls: null, secret: 'short' });
});

test('plugin data stores any JSON, each key once', async () => {
  const value = { list: [1, null, 'x'], deep: { er: true } };
  const created = await root.create('/plugin-data', { plugin_name: 'scale', key: 'zero', value });
  expect(created.plugin_datum).toEqual({ id: 1, plugin_name: 'scale', key: 'zero', value });
  await root.expectError(409, 'post', '/plugin-data', { plugin_name: 'scale', key: 'zero', value: 1 });
  expect((await root.send('patch', '/plugin-data/1', { value: null })).plugin_datum.value).toBeNull();
  const replaced = await root.send('put', '/plugin-data/1', { plugin_name: 'scale', key: 'tare', value: 7 });
  expect(replaced.plugin_datum).toEqual({ id: 1, plugin_name: 'scale', key: 'tare', value: 7 });
  expect((await root.send('get', '/plugin-data')).plugin_data).toEqual([replaced.plugin_datum]);
  expect((await root.send('get', '/plugin-data/1')).plugin_datum).toEqual(replaced.plugin_datum);
  await root.send('delete', '/plugin-data/1');
  await root.expectError(404, 'get', '/plugin-data/1');
});

test('refuses a plugin value above 16 384 characters', async () => {
  const value = 'x'.repeat(16_384);
  await root.expectError(400, 'post', '/plugin-data', { plugin_name: 'scale', key: 'big', value });
});

import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { staffOf } from './staff.ts';

let server: TestServer;
let anna: ReturnType<typeof staffOf>;

beforeEach(() => {
  server = createTestServer();
  anna = staffOf(server);
});

const settings = '/admin/plugins/webhook/settings';

test('the webhooks are the one plugin, and the boot answer names it', async () => {
  const { plugins } = await anna.does('get', '/admin/plugins');
  expect(plugins).toMatchObject([{ short_name: 'webhook', has_settings: true }]);
  const boot = await request(server.app).get('/api/users/me').expect(200);
  expect(boot.body.result.plugins).toEqual([{ short_name: 'webhook', name: 'Webhooks' }]);
  await anna.isRefused(404, 'get', '/admin/plugins/untappd/settings');
  await request(server.app).get('/api/admin/plugins').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
});

test('addresses are set as one text, and the secret goes in and never comes out', async () => {
  expect((await anna.does('get', settings)).settings).toEqual({
    webhook_urls: null,
    secret: null,
    has_secret: false,
  });
  const body = {
    webhook_urls: ' http://192.168.1.5:8123/api/webhook/bar\n\nhttps://example.org/x https://example.org/x ',
    secret: 'signing-secret',
  };
  const shown = {
    webhook_urls: 'http://192.168.1.5:8123/api/webhook/bar\nhttps://example.org/x',
    secret: null,
    has_secret: true,
  };
  expect((await anna.does('put', settings, body)).settings).toEqual(shown);
  expect((await anna.does('get', settings)).settings).toEqual(shown);
  expect((await anna.does('put', settings, { webhook_urls: null, secret: null })).settings).toEqual({
    webhook_urls: null,
    secret: null,
    has_secret: true,
  });
  const without = await anna.does('put', settings, { webhook_urls: null, secret: '' });
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
])('no webhook goes to %s', async (urls) => {
  const error = await anna.isRefused(400, 'put', settings, { webhook_urls: urls });
  expect(error.fields).toHaveProperty('webhook_urls');
});

test('a secret too short to keep anything is refused', async () => {
  await anna.isRefused(400, 'put', settings, { webhook_urls: null, secret: 'short' });
});

test('plugins put values by: any JSON, each key once', async () => {
  const value = { list: [1, null, 'x'], deep: { er: true } };
  const made = await anna.makes('/plugin-data', { plugin_name: 'scale', key: 'zero', value });
  expect(made.plugin_datum).toEqual({ id: 1, plugin_name: 'scale', key: 'zero', value });
  await anna.isRefused(409, 'post', '/plugin-data', { plugin_name: 'scale', key: 'zero', value: 1 });
  expect((await anna.does('patch', '/plugin-data/1', { value: null })).plugin_datum.value).toBeNull();
  const put = await anna.does('put', '/plugin-data/1', { plugin_name: 'scale', key: 'tare', value: 7 });
  expect(put.plugin_datum).toEqual({ id: 1, plugin_name: 'scale', key: 'tare', value: 7 });
  expect((await anna.does('get', '/plugin-data')).plugin_data).toEqual([put.plugin_datum]);
  expect((await anna.does('get', '/plugin-data/1')).plugin_datum).toEqual(put.plugin_datum);
  await anna.does('delete', '/plugin-data/1');
  await anna.isRefused(404, 'get', '/plugin-data/1');
});

test('a value is small', async () => {
  const value = 'x'.repeat(16_384);
  await anna.isRefused(400, 'post', '/plugin-data', { plugin_name: 'scale', key: 'big', value });
});

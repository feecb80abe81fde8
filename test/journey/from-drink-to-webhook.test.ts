import { afterEach, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';
import { openMailServer, openReceiver } from '../outbox/test-outbox.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const password = 'a good password';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openBar(config: object): Promise<{ readonly bar: BarFolder; readonly key: string }> {
  const bar = makeBar(config);
  closers.push(bar.remove);
  const user = ['user', 'add', 'anna', '--superuser', '--password-stdin', '--config', bar.configFile];
  expect((await runCommand(user, { input: `${password}\n` })).code).toBe(0);
  const created = await runCommand(['key', 'create', 'anna', '--config', bar.configFile]);
  return { bar, key: created.out.trim() };
}

async function open(bar: BarFolder): Promise<RunningDaemon> {
  const daemon = await startDaemon(bar);
  closers.push(async () => {
    if (daemon.child.exitCode === null) await daemon.kill();
  });
  return daemon;
}

/** Sends a request by a key, or by a login's cookie. */
async function send(
  daemon: RunningDaemon,
  credential: string,
  method: string,
  path: string,
  body: object,
): Promise<unknown> {
  const isCookie = credential.startsWith('sessionid=');
  const response = await fetch(daemon.url + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      [isCookie ? 'Cookie' : 'X-Kegbot-Api-Key']: credential,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return JSON.parse(text);
}

/** Logs Anna in and confirms her password, which the settings of mail and webhooks require; returns her cookie. */
async function confirmPassword(daemon: RunningDaemon): Promise<string> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(daemon.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await post('/api/auth/login', { username: 'anna', password });
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  const confirmed = await post(
    '/api/auth/confirm-password',
    { current_password: password },
    { Cookie: cookie },
  );
  expect(confirmed.status).toBe(200);
  return cookie;
}

const pourDrink = (daemon: RunningDaemon, key: string) =>
  send(daemon, key, 'POST', '/api/v1/taps/pi.flow0', { ticks: 1_650 });

test('a drink is sent by webhook and mail, and what a killed daemon could not send is sent at its next start', async () => {
  const { bar, key } = await openBar({ ...quickBar, webhooks: { allow_local: true } });
  const hook = await openReceiver();
  closers.push(hook.close);
  const mail = await openMailServer();
  closers.push(mail.close);

  const first = await open(bar);
  const urls = { webhook_urls: hook.url, secret: 'a signing secret' };
  const cookie = await confirmPassword(first);
  await send(first, cookie, 'PUT', '/api/admin/plugins/webhook/settings', urls);
  const server = { host: '127.0.0.1', port: mail.port, security: 'none', from_address: 'bar@example.org' };
  await send(first, cookie, 'PATCH', '/api/admin/mail', server);
  await send(first, key, 'POST', '/api/admin/email-test', { address: 'anna@example.org' });
  expect(mail.mails).toHaveLength(1);
  await send(first, cookie, 'PATCH', '/api/users/anna', { email: 'anna@example.org' });
  await send(first, key, 'POST', '/api/notification-settings', { session_started: true });
  await pourDrink(first, key);
  // Sent before the kill or after the restart, it arrives.
  await first.kill();

  const second = await open(bar);
  const kinds = () => new Set(hook.received.map(({ headers }) => headers['tapster-event']));
  await expect
    .poll(() => [...kinds()].sort(), { timeout: 20_000 })
    .toEqual(['drink_poured', 'session_joined', 'session_started']);
  await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  expect(mail.mails[1]!.text).toContain('Session started');
  expect(await second.stop()).toBe(0);
});

test('a receiver that hangs prevents neither counting nor shutdown', async () => {
  const { bar, key } = await openBar({ ...quickBar, webhooks: { allow_local: true } });
  const hook = await openReceiver(() => {});
  closers.push(hook.close);
  const daemon = await open(bar);
  const settings = { webhook_urls: hook.url };
  await send(daemon, await confirmPassword(daemon), 'PUT', '/api/admin/plugins/webhook/settings', settings);
  for (let drink = 0; drink < 5; drink++) await pourDrink(daemon, key);
  await expect.poll(() => hook.received.length, { timeout: 20_000 }).toBe(1);
  const began = performance.now();
  expect(await daemon.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(5_000);
});

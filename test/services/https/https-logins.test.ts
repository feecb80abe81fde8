import { afterEach, expect, test } from 'vitest';
import { createTestServer } from '../../http/test-server.ts';
import { createHttpsBar } from './https-bar.ts';
import { sendOverTls } from './tls-client.ts';

const cleo = { username: 'cleo', password: 'hop-garden' };
let bar: ReturnType<typeof createHttpsBar> | undefined;
afterEach(() => bar?.remove());

async function start() {
  const server = createTestServer();
  const password = await server.engine.users.passwords.hash(cleo.password);
  server.engine.users.addUser({ username: 'cleo', password, isStaff: true }, server.now());
  server.engine.users.addUser({ username: 'dora', password }, server.now());
  bar = createHttpsBar({ listener: server.app });
  const running = await bar.start();
  const logIn = (username: string, headers: Record<string, string> = {}) =>
    sendOverTls(`${running.url}api/auth/login`, {
      method: 'POST',
      ca: running.authority,
      body: JSON.stringify({ ...cleo, username }),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  return { server, running, logIn };
}

test('the first log-in of staff over HTTPS is stored, that of a member is not', async () => {
  const { server, logIn } = await start();
  expect((await logIn('dora')).status).toBe(200);
  expect(server.engine.site.httpsUse.isUsedByStaff()).toBe(false);
  expect((await logIn('cleo')).status).toBe(200);
  expect(server.engine.site.httpsUse.isUsedByStaff()).toBe(true);
});

test('a log-in over TLS sets a secure cookie and sends no HSTS', async () => {
  const { logIn } = await start();
  const { headers } = await logIn('cleo');
  expect(headers['set-cookie']?.[0]).toMatch(/^__Host-sessionid=.*; Secure$/);
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('the headers of a proxy change nothing on the port of HTTPS', async () => {
  const { logIn } = await start();
  const { headers } = await logIn('cleo', { 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '10.0.0.9' });
  expect(headers['set-cookie']?.[0]).toMatch(/^__Host-sessionid=/);
});

test('a page of the same address over plain HTTP cannot log a browser in over HTTPS', async () => {
  const { running, logIn } = await start();
  const { host } = new URL(running.url);
  expect((await logIn('cleo', { Origin: `http://${host}` })).status).toBe(403);
  expect((await logIn('cleo', { Origin: `https://${host}` })).status).toBe(200);
});

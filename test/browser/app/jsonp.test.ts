import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { openBrowser } from '../../kit/browser.ts';

let browser: Browser;
let testServer: TestServer;
let serverUrl: string;
let foreignUrl: string;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const testServer = createServer(listener).listen(0, '127.0.0.1');
  servers.push(testServer);
  await once(testServer, 'listening');
  return (testServer.address() as AddressInfo).port;
}

beforeAll(async () => {
  browser = await openBrowser();
  serverUrl = `http://127.0.0.1:${await serve((request, answer) => testServer.app(request, answer))}`;
  // A page of another origin, like the bar's own web site.
  foreignUrl = `http://localhost:${await serve((_request, answer) => {
    answer.setHeader('Content-Type', 'text/html; charset=utf-8');
    answer.end(`<!doctype html><title>Elsewhere</title>
      <script>const calls = []; const bar = { taps: (reply) => calls.push(reply) };</script>
      <script src="${serverUrl}/api/v1/taps?callback=bar.taps"></script>`);
  })}`;
});
afterAll(async () => {
  await browser.close();
  for (const testServer of servers) {
    testServer.closeAllConnections();
    testServer.close();
  }
});
beforeEach(() => {
  testServer = createTestServer();
});

/** Opens the page of another origin; returns the arguments of its callback and the script's response. */
async function loadForeignPage() {
  const page = await browser.newPage();
  const answer = page.waitForResponse((response) => response.url().startsWith(serverUrl));
  await page.goto(foreignUrl);
  const response = await answer;
  const calls = (await page.evaluate('calls')) as {
    objects?: { name: string }[];
    error?: { code: string };
  }[];
  await page.close();
  return { calls, headers: response.headers(), status: response.status() };
}

test('a page of another origin gets the taps by JSONP', async () => {
  const { calls, headers } = await loadForeignPage();
  expect(calls).toHaveLength(1);
  const names = testServer.engine.taps.list().map(({ tap }) => tap.name);
  expect(calls[0]?.objects?.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
    deprecation: 'true',
  });
  expect(headers['x-content-type-options']).toBeUndefined();
});

test('a private site gives a page of another origin nothing: browsers do not run a script sent with 401', async () => {
  testServer.engine.users.changeSite({ privacy: 'members' });
  const { calls, status } = await loadForeignPage();
  expect(status).toBe(401);
  expect(calls).toEqual([]);
});

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../http/test-server.ts';
import { openBrowser } from '../kit/browser.ts';

let browser: Browser;
let server: TestServer;
let serverUrl: string;
let foreignUrl: string;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  browser = await openBrowser();
  serverUrl = `http://127.0.0.1:${await serve((asked, answer) => server.app(asked, answer))}`;
  // A page of another name and port, as the bar's own web site is.
  foreignUrl = `http://localhost:${await serve((_asked, answer) => {
    answer.setHeader('Content-Type', 'text/html; charset=utf-8');
    answer.end(`<!doctype html><title>Elsewhere</title>
      <script>const heard = []; const bar = { taps: (said) => heard.push(said) };</script>
      <script src="${serverUrl}/api/v1/taps?callback=bar.taps"></script>`);
  })}`;
});
afterAll(async () => {
  await browser.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  server = createTestServer();
});

/** What the page of another site was told, and how it was sent. */
async function hearAbroad() {
  const page = await browser.newPage();
  const answer = page.waitForResponse((response) => response.url().startsWith(serverUrl));
  await page.goto(foreignUrl);
  const response = await answer;
  const heard = (await page.evaluate('heard')) as {
    objects?: { name: string }[];
    error?: { code: string };
  }[];
  await page.close();
  return { heard, headers: response.headers(), status: response.status() };
}

test('a page of another site shows what is on tap, by a script tag and a function of its own', async () => {
  const { heard, headers } = await hearAbroad();
  expect(heard).toHaveLength(1);
  const names = server.engine.taps.list().map(({ tap }) => tap.name);
  expect(heard[0]?.objects?.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
    deprecation: 'true',
  });
  expect(headers['x-content-type-options']).toBeUndefined();
});

test('a private house tells a page of another site nothing: no browser runs what comes with a refusal', async () => {
  server.engine.users.changeSite({ privacy: 'members' });
  const { heard, status } = await hearAbroad();
  expect(status).toBe(401);
  expect(heard).toEqual([]);
});

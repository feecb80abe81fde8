import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer } from '../../http/test-server.ts';
import { openBrowser } from '../../kit/browser.ts';

let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  browser = await openBrowser();
  server = createServer(createTestServer().app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a path; returns the page and its errors, warnings and requests to other hosts. */
async function open(path: string) {
  const page = await browser.newPage();
  const browserErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) {
      browserErrors.push(`asked ${request.url()}`);
    }
  });
  await page.goto(`${url}${path}`);
  return { page, browserErrors };
}

test.each([
  ['/api/docs', 'keg-sizes', '/api/keg-sizes', 'Tapster API'],
  ['/api/docs/?document=legacy', 'taps', '/api/v1/taps', 'Tapster legacy API'],
])(
  'the document at %s is shown, sends a request and shows its reply, and loads nothing from other hosts',
  async (path, subject, operation, title) => {
    const { page, browserErrors } = await open(path);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.locator(`.opblock-tag[data-tag="${subject}"]`).click();
    const row = page
      .locator('.opblock')
      .filter({ has: page.locator(`[data-path="${operation}"]`) })
      .filter({ has: page.getByText('GET', { exact: true }) });
    await row.locator('.opblock-summary').click();
    await row.getByRole('button', { name: 'Try it out' }).click();
    const answer = page.waitForResponse((response) => response.url().includes(operation));
    await row.getByRole('button', { name: 'Execute' }).click();
    expect((await answer).status()).toBe(200);
    await row.locator('.live-responses-table').first().waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  },
);

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { type BarFolder, makeBar, type RunningDaemon, startDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let proxy: Server;
let context: BrowserContext;
let page: Page;
/** Address of the page below the proxy's path prefix. */
let site: string;

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar();
  daemon = await startDaemon(bar);
  proxy = startPrefixProxy('/tap+bar', daemon.url);
  await once(proxy, 'listening');
  site = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/tap+bar`;
});
afterAll(async () => {
  await browser.close();
  proxy.closeAllConnections();
  proxy.close();
  await daemon.kill();
  bar.remove();
});
beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB' });
  page = await context.newPage();
});
afterEach(() => context.close());

/** A reverse proxy that serves the daemon below a path prefix and nothing beside it. */
function startPrefixProxy(prefix: string, target: string): Server {
  return createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const upstream = request(`${target}${url.slice(prefix.length)}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }).listen(0, '127.0.0.1');
}

const title = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const path = () => page.evaluate(() => location.pathname + location.search);
const markDocument = () => page.evaluate(() => document.body.setAttribute('data-marked', ''));
const isSameDocument = () => page.evaluate(() => document.body.hasAttribute('data-marked'));

test('links, back and forward change the page below a path prefix without a reload', async () => {
  await page.goto(`${site}/`);
  await page.getByRole('link', { name: 'Left' }).click();
  await title('Left').waitFor();
  expect(await path()).toBe('/tap+bar/taps/1');
  await markDocument();
  await page.getByRole('link', { name: 'Kegs' }).click();
  await title('Kegs').waitFor();
  expect(await path()).toBe('/tap+bar/kegs');
  expect(await page.getByRole('link', { name: 'Kegs' }).getAttribute('aria-current')).toBe('page');
  await page.goBack();
  await title('Left').waitFor();
  await page.goForward();
  await title('Kegs').waitFor();
  expect(await isSameDocument()).toBe(true);
});

test('an address with query and a trailing slash opens its page', async () => {
  await page.goto(`${site}/drinks/?tap=2`);
  await title('Drinks').waitFor();
  expect(await page.getByLabel('Tap').inputValue()).toBe('2');
  await page.getByLabel('Tap').selectOption('1');
  await expect.poll(path).toBe('/tap+bar/drinks?tap=1');
  await page.goBack();
  await expect.poll(() => page.getByLabel('Tap').inputValue()).toBe('2');
});

test('a followed link shows the new page from its top', async () => {
  await page.goto(`${site}/kegs`);
  await page.setViewportSize({ width: 390, height: 300 });
  const names = page.locator('.keg-card-name');
  await names.nth(1).scrollIntoViewIfNeeded();
  await names.nth(1).click();
  await page.locator('.keg-top').waitFor();
  expect(await path()).toMatch(/^\/tap\+bar\/kegs\/\d+$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test('the browser loads the API and other files itself', async () => {
  await page.goto(`${site}/`);
  await title('On tap').waitFor({ state: 'attached' });
  await markDocument();
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/tap+bar/api/taps';
    link.textContent = 'the API';
    document.body.append(link);
  });
  await page.getByText('the API').click();
  await page.getByText('"result"').waitFor();
  expect(await isSameDocument()).toBe(false);
});

test('a page whose file cannot be loaded is loaded again with the document', async () => {
  await page.goto(`${site}/`);
  await title('On tap').waitFor({ state: 'attached' });
  await markDocument();
  const file = '**/kegs-page-*.js';
  await page.route(file, (route) => route.abort());
  const asksDaemon = page.waitForRequest((sent) => sent.method() === 'HEAD');
  await page.getByRole('link', { name: 'Kegs' }).click();
  await asksDaemon;
  await page.unroute(file);
  await title('Kegs').waitFor();
  expect(await isSameDocument()).toBe(false);
});

test('an address that does not exist shows the page “not found” in the reader’s language, with a way to the taps', async () => {
  const german = await (await browser.newContext({ locale: 'de-DE' })).newPage();
  const reply = await german.goto(`${site}/kegs/3/nothing`);
  expect(reply?.status()).toBe(404);
  await german.getByRole('heading', { level: 2, name: 'Seite nicht gefunden', exact: true }).waitFor();
  expect(await german.title()).toContain('Seite nicht gefunden');
  expect(await axeOn(german)).toEqual([]);
  await german.getByRole('main').getByRole('link', { name: 'Zapfhähne anzeigen', exact: true }).click();
  await german.getByRole('link', { name: 'Left' }).waitFor();
  expect(await german.evaluate(() => location.pathname)).toBe('/tap+bar/');
  await german.context().close();
});

import { createHash, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpsAdmin, httpsOff } from '../../../src/http/https-ports.ts';
import { createHttpsAdmin } from '../../../src/services/https/https-admin.ts';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { openBrowser } from '../../kit/browser.ts';
import { createHttpsBar } from '../../services/https/https-bar.ts';
import { axeOn } from '../kit/axe.ts';
import { answerPasswordDialog } from '../kit/staff.ts';

const anna = { username: 'cleo', password: 'a good long password' };

let server: TestServer;
let bar: ReturnType<typeof createHttpsBar>;
let running: Awaited<ReturnType<ReturnType<typeof createHttpsBar>['start']>>;
/** One that trusts the certificate, and one that does not. */
let trusting: Browser;
let strange: Browser;

beforeAll(async () => {
  let https: HttpsAdmin = httpsOff;
  const late = new Proxy(httpsOff, { get: (_target, name) => Reflect.get(https, name) });
  server = createTestServer({
    services: { https: late },
    settings: { trustProxy: false, rateLimits: false, hosts: ['bar.local'] },
    webDirectory: join(import.meta.dirname, '../../../dist/web'),
  });
  const password = await server.engine.users.passwords.hash(anna.password);
  server.engine.users.addUser({ username: anna.username, password, isStaff: true }, server.now());
  bar = createHttpsBar({
    listener(request, response) {
      // As from another machine.
      request.headers['x-forwarded-for'] = '192.168.1.77';
      server.app(request, response);
    },
  });
  running = await bar.start();
  https = createHttpsAdmin(running.https, null);
  const spki = new X509Certificate(running.server).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(spki).digest('base64');
  const resolve = '--host-resolver-rules=MAP bar.local 127.0.0.1';
  trusting = await openBrowser([resolve, `--ignore-certificate-errors-spki-list=${hash}`]);
  strange = await openBrowser([resolve]);
});
afterAll(async () => {
  await trusting.close();
  await strange.close();
  await bar.remove();
});

const httpUrl = () => running.httpUrl.replace('127.0.0.1', 'bar.local');
const httpsUrl = () => running.url.replace('127.0.0.1', 'bar.local');

/** Opens a page of the bar in a new profile. */
async function open(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  return page;
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(anna.username);
  await page.getByLabel('Password').fill(anna.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a device learns whether it trusts the machine, and how to', async () => {
  const page = await open(strange, `${httpUrl()}https`);
  await page.getByText('This device does not trust the certificate yet.').waitFor();
  const fingerprint = new X509Certificate(running.authority).fingerprint256;
  await page.getByText(fingerprint).waitFor();
  await page.getByText('Android', { exact: true }).click();
  await page.getByText('Install anyway').waitFor();
  await page.getByRole('img', { name: `${httpUrl()}https` }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download certificate' }).click(),
  ]);
  expect(download.url()).toBe(`${httpUrl()}ca.crt`);
  expect(await axeOn(page)).toEqual([]);
  await page.context().close();

  const trusted = await open(trusting, `${httpUrl()}https`);
  await trusted.getByText('This device trusts the certificate.').waitFor();
  await trusted.getByRole('link', { name: 'Open the secure page' }).click();
  await trusted.waitForURL(httpsUrl());
  await trusted.context().close();
});

test('after staff have logged in over HTTPS, the form over plain HTTP gives way to a link', async () => {
  const plain = await open(trusting, `${httpUrl()}log-in`);
  await plain.getByLabel('Password').waitFor();
  await plain.context().close();

  const page = await open(trusting, `${httpsUrl()}log-in`);
  await logIn(page);
  await page.waitForURL(httpsUrl());
  await expect
    .poll(async () =>
      (await page.context().cookies()).map(({ name, secure, domain }) => [name, secure, domain]),
    )
    .toEqual([['__Host-sessionid', true, 'bar.local']]);
  expect(server.engine.site.httpsUse.isUsedByStaff()).toBe(true);

  // The live stream and the pages of staff work over TLS.
  await page.goto(`${httpsUrl()}https`);
  await page.getByText('This page is open over HTTPS.').waitFor();
  await page.getByText('Staff have signed in over HTTPS.').waitFor();
  await page.getByText('bar.local, bar, localhost').waitFor();

  const refused = await open(trusting, `${httpUrl()}log-in`);
  await refused.getByText('Sign in over HTTPS').waitFor();
  expect(await refused.getByLabel('Password').count()).toBe(0);
  expect(await axeOn(refused)).toEqual([]);
  await refused.getByRole('link', { name: 'Open the secure page' }).click();
  await refused.waitForURL(`${httpsUrl()}log-in`);
  await refused.getByLabel('Password').waitFor();
  await refused.context().close();

  // Changed by staff on the page, and undone there.
  await page.getByLabel('Require HTTPS to sign in').selectOption('off');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await answerPasswordDialog(page, anna.password);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone.').waitFor();
  expect(server.engine.users.site().requireHttps).toBe('auto');

  const before = running.server;
  await page.getByRole('button', { name: 'Renew now' }).click();
  await page.getByText('Renewed.').waitFor();
  expect(running.server).not.toBe(before);
  await page.context().close();
});

test('what staff change over plain HTTP is refused with a link to the same page over HTTPS', async () => {
  server.engine.site.httpsUse.markUsed();
  const page = await open(trusting, httpUrl());
  const [name, value] = server.createLoginCookie(anna.username).split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: httpUrl() }]);
  await page.goto(`${httpUrl()}site`);
  await page.getByLabel('Bar name').fill('Anchor');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  const link = page.getByRole('link', { name: httpsUrl().replace(/\/$/, '') });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`${httpsUrl()}site`);
  expect(server.engine.users.site().title).toBe('Tapster');
  await page.context().close();
});

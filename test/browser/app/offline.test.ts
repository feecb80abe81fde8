import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../../kit/daemon.ts';
import { logInByForm, logOut, waitForLogin } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
beforeAll(async () => {
  bar = await openStaffBar({ logsIn: false, timeoutMs: 20_000 });
});
afterAll(() => bar.close());

/** Opens the page with its service worker in control, and waits until the state is stored. */
async function openApp(url: string): Promise<Page> {
  const page = await bar.openPage({ serviceWorkers: 'allow' });
  await page.goto(url);
  await page.getByRole('article').first().waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('last-state ')));
  return page;
}

/** Forwards below a path prefix, as a proxy; `stop` refuses connections from then on. */
async function openProxy(prefix: string, port = 0) {
  const target = new URL(bar.daemon.url);
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    const path = incoming.url.slice(prefix.length);
    const forwarded = httpRequest(
      { host: target.hostname, port: target.port, path, method: incoming.method, headers: incoming.headers },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const cachedAddresses = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, addresses: requests.flat().map(({ url }) => new URL(url).pathname) };
  });

test('the page can be installed below a path: manifest, scope and icons are found', async () => {
  const proxy = await openProxy('/bar');
  const page = await openApp(proxy.url);
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(url).toBe(`${proxy.url}manifest.webmanifest`);
  const manifest = JSON.parse(data ?? '') as {
    icons: { src: string; sizes: string; type: string; purpose: string }[];
    start_url: string;
    scope: string;
  };
  expect(new URL(manifest.start_url, url).href).toBe(proxy.url);
  expect(new URL(manifest.scope, url).href).toBe(proxy.url);
  const sizes = await page.evaluate(
    async (list) => {
      const load = async (src: string) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      };
      return Promise.all(list.map(load));
    },
    manifest.icons.filter(({ type }) => type === 'image/png').map(({ src }) => new URL(src, url).href),
  );
  expect(sizes).toEqual(['192x192', '512x512', '512x512']);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(proxy.url);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A headless browser without a profile is like a private window.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  proxy.stop();
  await page.goto(`${proxy.url}kegs`);
  await page.goto(proxy.url);
  await page.getByText(/Showing the last known state, from/).waitFor();
  await page.getByText('Harbour Light').first().waitFor();
  await page.context().close();
}, 90_000);

test('without a connection the last public state is shown with its time; no answer of the API is kept', async () => {
  const proxy = await openProxy('/public');
  const page = await openApp(proxy.url);
  const { addresses } = await cachedAddresses(page);
  expect(addresses.length).toBeGreaterThan(5);
  expect(addresses.filter((path) => path.includes('/api'))).toEqual([]);
  proxy.stop();
  await page.reload();
  await page.getByText(/Showing the last known state, from/).waitFor();
  await page.getByText('Harbour Light').first().waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByText('Nothing to show yet.').waitFor();
  await page.context().close();
}, 90_000);

test('without a connection a page that was never opened says so, leads to the taps, and opens when the daemon is back', async () => {
  const proxy = await openProxy('/away');
  const page = await openApp(proxy.url);
  const { port } = new URL(proxy.url);
  proxy.stop();
  await page.goto(`${proxy.url}kegs`);
  await page.getByText('No connection. This page opens when it is back.').waitFor();
  await page.getByRole('link', { name: 'Show taps' }).click();
  await page.getByText('Harbour Light').first().waitFor();
  await page.goto(`${proxy.url}kegs`);
  await page.getByText('No connection. This page opens when it is back.').waitFor();
  const back = await openProxy('/away', Number(port));
  await page.getByRole('heading', { level: 2, name: 'Kegs' }).waitFor();
  await page.context().close();
  back.stop();
}, 90_000);

test('the stored state is removed when the bar is not public any more', async () => {
  const page = await openApp(bar.daemon.url);
  const stored = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('last-')));
  expect(await stored()).toHaveLength(1);
  await page.route('**/api/users/me', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    body.result.site.privacy = 'members';
    await route.fulfill({ json: body });
  });
  await page.reload();
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('last-')));
  await page.context().close();
}, 60_000);

test('log-in and log-out remove the stored state; what is stored afterwards is the state of a guest', async () => {
  const page = await openApp(bar.daemon.url);
  await logInByForm(page, bar.daemon.url);
  await page.goto(bar.daemon.url);
  await waitForLogin(page, 'anna');
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('last-')));
  const before = '{"stored":"before the log-out"}';
  await page.evaluate(
    (state) => localStorage.setItem(`last-state ${new URL(document.baseURI).pathname}`, state),
    before,
  );
  const stored = () =>
    page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith('last-'))
        .map(([, value]) => value as string),
    );
  // The answer is held, so that nothing that follows the log-out stores another state.
  let release = () => {};
  const isReleased = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/api/auth/logout', async (route) => {
    await isReleased;
    await route.continue();
  });
  const [request] = await Promise.all([page.waitForRequest('**/api/auth/logout'), logOut(page, 'anna')]);
  expect(request.method()).toBe('POST');
  expect(await stored()).not.toContain(before);
  release();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  expect((await cachedAddresses(page)).addresses.filter((path) => path.includes('/api'))).toEqual([]);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('last-state ')));
  for (const text of await stored())
    expect(JSON.parse(text).snapshot).toMatchObject({ problems: [], held: 0 });
  await page.context().close();
}, 90_000);

test('an update replaces the cached files, and the page of the update is shown at once', async () => {
  const page = await openApp(bar.daemon.url);
  const before = (await cachedAddresses(page)).names;
  expect(before).toHaveLength(1);
  const file = join(builtProgram, '../web/service-worker.js');
  const text = readFileSync(file, 'utf8');
  try {
    writeFileSync(file, text.replace(/"version":"\w+"/, '"version":"ffffffffffffffff"'));
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await page.waitForFunction(async (old) => {
      const names = await caches.keys();
      return names.length === 1 && names[0] !== old && names[0]?.endsWith('ffffffffffffffff');
    }, before[0]);
  } finally {
    writeFileSync(file, text);
  }
  // The document comes from the daemon while it answers, so that it never names files of an older build.
  const [reply] = await Promise.all([page.waitForResponse(`${bar.daemon.url}/`), page.reload()]);
  expect(await reply.headerValue('content-security-policy')).toContain("worker-src 'self'");
  await page.context().close();
}, 60_000);

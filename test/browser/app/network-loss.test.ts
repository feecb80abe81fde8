import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../../kit/daemon.ts';
import { type Network, openNetwork } from '../kit/network.ts';
import { logIn, waitForLogin } from '../kit/staff.ts';

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let network: Network;

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar({ ...quickBar, pour: { min_ml: 0, idle_ms: 300 }, judgement: { max_flow_ml_per_s: 100 } });
  daemon = await startDaemon(bar);
  network = await openNetwork(Number(new URL(daemon.url).port));
});
// After a test that failed, too.
afterEach(() => network.restore());
afterAll(async () => {
  await browser.close();
  await network.cut();
  await daemon.kill();
  bar.remove();
});

async function pour(ticks: number, hz = 400) {
  await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks, hz }),
  });
}

async function total(): Promise<number> {
  const reply = (await (await fetch(`${daemon.url}/api/drinks`)).json()) as {
    result: { paging: { total: number } };
  };
  return reply.result.paging.total;
}

/** What guests read above the page while the connection is lost. */
const notLive = (page: Page) => page.locator('.connection-lost').getByText('Not live');
const volumes = (page: Page) => page.locator('.drink-volume').allInnerTexts();

test('pours during a network loss are shown and announced after it', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(network.url);
  await pour(100);
  await page.locator('.drink-volume').getByText('20 mL').waitFor();
  await network.cut();
  await notLive(page).waitFor();
  for (const ticks of [150, 200, 250]) {
    const before = await total();
    await pour(ticks);
    await expect.poll(total, { timeout: 20_000 }).toBe(before + 1);
  }
  await network.restore();
  await notLive(page).waitFor({ state: 'detached', timeout: 20_000 });
  expect(await volumes(page)).toEqual(['50 mL', '40 mL', '30 mL', '20 mL']);
  await page.getByText('3 new pours. The last was 50 mL').waitFor({ state: 'attached' });
  // The live stream works again after the reconnect.
  await pour(300);
  await page.locator('.drink-volume').getByText('60 mL').waitFor();
  await page.close();
});

test('a page opened during a network loss is shown after it, without an error', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(network.url);
  await page.getByRole('article').first().waitFor();
  await network.cut();
  await page.getByRole('link', { name: 'Statistics' }).click();
  await notLive(page).waitFor();
  await network.restore();
  await page.getByRole('heading', { level: 2, name: 'Statistics' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/statistics');
  await page.close();
});

test('what staff see is loaded again after a network loss, and who they are when the first request for it failed', async () => {
  const staffKey = await createStaffKey(bar, 'anna');
  const page = await browser.newPage({ locale: 'en-GB' });
  await logIn(page, network.url);
  let failed = 0;
  await page.route('**/api/users/me', (route) => {
    failed += 1;
    return failed === 1 ? route.abort() : route.continue();
  });
  await page.goto(`${network.url}/audit`);
  await waitForLogin(page, 'anna');
  await page.locator('.paged[aria-busy=false]').waitFor();
  const entries = await page.locator('.rows > li').count();
  await network.cut();
  // Staff see the state of the connection in the header.
  await page.getByText('No connection', { exact: false }).first().waitFor();
  const reply = await fetch(`${daemon.url}/api/admin/alarms`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': staffKey },
    body: JSON.stringify({ silent_minutes: 21 }),
  });
  expect(reply.status).toBe(200);
  await network.restore();
  await expect.poll(() => page.locator('.rows > li').count()).toBe(entries + 1);
  await page.close();
});

test('a guest sees that the hardware is simulated', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(network.url);
  await page.getByRole('banner').getByText('Demo', { exact: true }).waitFor();
  await page.close();
});

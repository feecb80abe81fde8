import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Network, openNetwork } from '../kit/network.ts';
import { logIn, waitForLogin } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let browser: Browser;
let network: Network;

beforeAll(async () => {
  bar = await openStaffBar({
    logsIn: false,
    settings: { pour: { min_ml: 0, idle_ms: 300 }, judgement: { max_flow_ml_per_s: 100 } },
  });
  browser = bar.browser;
  network = await openNetwork(Number(new URL(bar.daemon.url).port));
});
// After a test that failed, too.
afterEach(() => network.restore());
afterAll(async () => {
  await network.cut();
  await bar.close();
});

const total = async () => (await bar.callApi<{ paging: { total: number } }>('GET', 'drinks')).paging.total;

/** What guests read above the page while the connection is lost. */
const notLive = (page: Page) => page.locator('.connection-lost').getByText('Not live');
const volumes = (page: Page) => page.locator('.drink-volume').allInnerTexts();

test('pours during a network loss are shown and announced after it', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(network.url);
  await bar.pour(20);
  await page.locator('.drink-volume').getByText('20 mL').waitFor();
  await network.cut();
  await notLive(page).waitFor();
  for (const ml of [30, 40, 50]) {
    const before = await total();
    await bar.pour(ml);
    await expect.poll(total, { timeout: 20_000 }).toBe(before + 1);
  }
  await network.restore();
  await notLive(page).waitFor({ state: 'detached', timeout: 20_000 });
  expect(await volumes(page)).toEqual(['50 mL', '40 mL', '30 mL', '20 mL']);
  await page.getByText('3 new pours. The last was 50 mL').waitFor({ state: 'attached' });
  // The live stream works again after the reconnect.
  await bar.pour(60);
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
  await bar.callApi('PATCH', 'admin/alarms', { silent_minutes: 21 });
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

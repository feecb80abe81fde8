import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { makeBar, quickBar, startDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { logOut, recordDrinks, waitForLogin } from '../kit/staff.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('everybody tries the demo as staff; it keeps its drinks when it is killed, and is reset by a button only', async () => {
  const bar = makeBar({});
  let daemon = await startDaemon(bar, { isDemo: true });
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(daemon.url);
  await page.locator('.demo-mark').getByText('Demo').waitFor();
  await page.getByRole('button', { name: 'Try it as staff' }).waitFor();
  // The price of the smallest serving of the first beer.
  await page.getByText('€2.30').first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.goto(`${daemon.url}/log-in`);
  await page.locator('.demo-mark').waitFor();
  await page.getByRole('button', { name: 'Try it as staff' }).click();
  await waitForLogin(page, 'demo');
  await page.getByRole('button', { name: 'Reset demo' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  await recordDrinks(page, 3);

  await daemon.kill();
  daemon = await startDaemon(bar, { isDemo: true });
  await page.goto(daemon.url);
  const drinks = async () =>
    (await (await fetch(`${daemon.url}/api/drinks`)).json()).result.paging.total as number;
  expect(await drinks()).toBe(3);
  await page
    .getByRole('button', { name: 'Try it as staff' })
    .or(page.getByText('Reset demo'))
    .first()
    .waitFor();
  const tryIt = page.getByRole('button', { name: 'Try it as staff' });
  if (await tryIt.isVisible()) await tryIt.click();
  await page.getByRole('button', { name: 'Reset demo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset demo' });
  expect(await axeOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await drinks()).toBe(3);
  await page.getByRole('button', { name: 'Reset demo' }).click();
  await dialog.getByRole('button', { name: 'Reset demo' }).click();
  await page.getByText('The demo starts from the beginning.').waitFor();
  // All connections end a second after the answer.
  await expect.poll(() => drinks().catch(() => -1), { timeout: 15_000 }).toBe(0);
  await waitForLogin(page, 'demo');
  await page.getByText('Harbour Light').first().waitFor();
  await logOut(page, 'demo');
  await tryIt.waitFor();
  await page.context().close();
  await daemon.stop();
  bar.remove();
}, 180_000);

test('a bar with simulated taps and a settings file is marked, and offers no log-in', async () => {
  const bar = makeBar(quickBar);
  const daemon = await startDaemon(bar);
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(`${daemon.url}/log-in`);
  await page.locator('.demo-mark').waitFor();
  expect(await page.getByText('Try it as staff').count()).toBe(0);
  expect((await fetch(`${daemon.url}/api/demo/login`, { method: 'POST' })).status).toBe(404);
  await page.context().close();
  await daemon.stop();
  bar.remove();
});

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { type BarFolder, makeBar, quickBar, type RunningDaemon, startDaemon } from '../../kit/daemon.ts';

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  bar = makeBar(quickBar);
  daemon = await startDaemon(bar);
});
afterEach(async () => {
  if (daemon.child.exitCode === null) await daemon.kill();
  bar.remove();
});

async function pulse(train: { meter: string; ticks: number; hz: number }): Promise<void> {
  await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(train),
  });
}

async function drinkTicks(): Promise<number[]> {
  const answer = (await (await fetch(`${daemon.url}/api/drinks`)).json()) as {
    result: { drinks: { ticks: number }[] };
  };
  return answer.result.drinks.map(({ ticks }) => ticks);
}

test('the Pour button makes a pour that runs, is recorded and appears in the list', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(daemon.url);
  await page.getByRole('button', { name: 'Pour 300 mL at Left' }).click();
  await page.locator('.tap.is-pouring').waitFor();
  await page.locator('.drink').getByText('300 mL').waitFor({ timeout: 30_000 });
  expect(await drinkTicks()).toEqual([1_500]);
  await page.close();
});

test('the page shows that the daemon is away, and reconnects by itself with the current state', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(daemon.url);
  await page.getByRole('article').first().waitFor();
  const { port } = new URL(daemon.url);
  await daemon.kill();
  await page
    .getByText(/not live|no connection/i)
    .first()
    .waitFor();

  bar.remove();
  bar = makeBar({ ...quickBar, http: { host: '127.0.0.1', port: Number(port) } });
  daemon = await startDaemon(bar);
  await pulse({ meter: 'pi.flow1', ticks: 500, hz: 1_000 / 1.5 });
  await page.locator('.drink').getByText('100 mL').waitFor({ timeout: 30_000 });
  await page.close();
});

test('the odometer starts with the first ticks of each pour and stops after it', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(daemon.url);
  await page.getByRole('article').first().waitFor();
  // The delay is measured by `npm run bench -- page`.
  for (let n = 0; n < 2; n++) {
    const moving = page.locator('.tap.is-pouring').waitFor();
    await pulse({ meter: 'pi.flow0', ticks: 30, hz: 200 });
    await moving;
    await page.locator('.tap.is-pouring').waitFor({ state: 'detached', timeout: 20_000 });
  }
});

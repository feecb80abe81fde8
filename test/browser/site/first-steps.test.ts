import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { makeBar, quickBar, runCommand, startDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn, openFromMenu } from '../kit/staff.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('the first steps tick themselves off from what staff do, are hidden for all staff, and are gone when done', async () => {
  const bar = makeBar({ ...quickBar, demo: { kegs: false } });
  const daemon = await startDaemon(bar);
  const addUser = (name: string) =>
    runCommand(['user', 'add', name, '--staff', '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  await addUser('anna');
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  /** Sends a request of the page's user. */
  const send = (method: string, path: string, body: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'Content-Type': 'application/json' };
        const reply = await fetch(`api/${path}`, { method, headers, body });
        if (!reply.ok) throw new Error(await reply.text());
      },
      [method, path, JSON.stringify(body)] as const,
    );
  await page.goto(daemon.url);
  await page.getByText('Left', { exact: true }).first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  await logIn(page, daemon.url);

  const steps = page.getByRole('list', { name: 'First steps' });
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
  const home = () => page.getByRole('link', { name: 'Taps', exact: true }).first().click();
  await home();
  await page.getByText('2 of 6 done').waitFor();
  await step('Name the taps').getByText('Done', { exact: true }).waitFor();
  await step('Calibrate').getByText('Done', { exact: true }).waitFor();
  expect(await axeOn(page)).toEqual([]);

  await steps.getByRole('button', { name: 'Tap the first keg' }).click();
  const dialog = page.getByRole('dialog', { name: 'Left' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await send('POST', 'taps/1/start-keg', {
    beverage_name: 'Pils',
    producer_name: 'Lantern',
    style_name: 'Pils',
    keg_type: 'corny',
  });
  // The list stays open as long as the page is.
  await page.getByText('3 of 6 done').waitFor();
  await step('Tap the first keg').getByText('Done', { exact: true }).waitFor();

  await steps.getByRole('link', { name: 'Check the wiring while pouring' }).click();
  await page.waitForURL('**/wiring');
  for (const meter of ['pi.flow0', 'pi.flow1'])
    await send('POST', 'simulator/pulses', { meter, ticks: 500, hz: 1000 });
  await home();
  // More than half is done: one line is left, which opens.
  expect(await steps.isVisible()).toBe(false);
  await page.getByText('4 of 6 done').click();
  await steps.getByRole('link', { name: 'Print the QR code of the menu' }).click();
  await page.waitForURL('**/menu/qr');
  await openFromMenu(page, 'Settings');
  await page.getByLabel('Show first steps on the home page').uncheck();
  const form = page.locator('form').filter({ has: page.getByLabel('Bar name') });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await home();
  await page.getByRole('article').first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  await openFromMenu(page, 'Settings');
  await page.getByLabel('Show first steps on the home page').check();
  await form.getByRole('button', { name: 'Save' }).click();
  await home();
  await page.getByText('4 of 6 done').click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await steps.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('4 of 6 done').waitFor();

  await addUser('bert');
  await send('PATCH', 'site', { menu_code_printed: true });
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  await page.context().close();
  await daemon.stop();
  bar.remove();
}, 120_000);

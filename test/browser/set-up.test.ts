import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../kit/browser.ts';
import { makeBar, quickBar, startDaemon } from '../kit/daemon.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('a new house is opened with the code from its console, and then closed to strangers', async () => {
  const bar = makeBar({ ...quickBar, demo: { kegs: false } });
  const daemon = await startDaemon(bar);
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(daemon.url);
  await page.getByRole('heading', { name: 'Open the house' }).waitFor();
  await page.getByLabel('Set-up code').fill('wrong');
  await page.getByLabel('Name of the house').fill('The Bent Spile');
  await page.getByLabel('Who may look').selectOption('members');
  await page.getByLabel('Name', { exact: true }).fill('anna');
  await page.getByLabel('Password').fill('a good long password');
  await page.getByRole('button', { name: 'Open the house' }).click();
  await page.getByRole('alert').filter({ hasText: /code/i }).waitFor();
  await page.getByLabel('Set-up code').fill(daemon.words.match(/Set-up code (\S+)/)![1]!);
  await page.getByRole('button', { name: 'Open the house' }).click();
  await page.getByRole('heading', { level: 1, name: 'The Bent Spile' }).waitFor();
  await page.getByRole('button', { name: 'Log out anna' }).click();
  await page.getByText('This house shows its taps to those who are logged in.').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  expect(readFileSync(bar.configFile, 'utf8')).not.toContain('Spile');
  await page.context().close();
  await daemon.stop();
  bar.remove();
});

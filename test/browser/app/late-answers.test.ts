import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { openLate, recordShifts, type Shift } from '../kit/late-answers.ts';
import { type SampleBar, startSampleBar } from '../screenshots/sample-bar.ts';

let bar: SampleBar;
let browser: Browser;

beforeAll(async () => {
  bar = await startSampleBar({ taps: 4, language: 'en' });
  browser = await openBrowser();
  // The daemon makes the document at the first request, which takes longer than the page waits.
  await (await fetch(`${bar.url}/api/schema`)).text();
});
afterAll(async () => {
  await browser.close();
  await bar.close();
});

test.each([
  [390, 844],
  [1440, 900],
])('at a width of %i answers that arrive one after another move nothing', async (width, height) => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width, height } });
  await context.addCookies([bar.login('anna')]);
  await context.addInitScript(recordShifts);
  const page = await context.newPage();
  const moved: Record<string, readonly Shift[]> = {};
  for (const path of ['/taps/1/edit', '/site', '/reports', '/users/bert', '/meters', '/kegs', '/menu']) {
    const shifts = await openLate(page, bar.url + path);
    if (shifts.some(({ value }) => value > 0.001)) moved[path] = shifts;
  }
  expect(moved).toEqual({});
  await context.close();
});

test('a page whose answers do not come is shown without them', async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addCookies([bar.login('anna')]);
  const page = await context.newPage();
  // Never answered.
  await page.route(/\/api\/taps\/1\/losses/, () => {});
  await page.goto(`${bar.url}/taps/1`);
  await page.getByText('Loading').waitFor();
  await page.getByRole('link', { name: 'Edit tap' }).waitFor();
  expect(await page.getByText('Loading').count()).toBe(0);
  await context.close();
});

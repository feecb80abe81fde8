import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { type SampleBar, startSampleBar } from '../screenshots/sample-bar.ts';

/** Delays of the answers, milliseconds: in turn, so that they arrive in another order than they were asked for. */
const delaysMs = [40, 180, 110, 320, 250];

/** A layout shift below the header: its share of the screen, as the browser computes it, and what moved. */
interface Shift {
  readonly value: number;
  readonly moved: string;
}

/** Records what moves; the header changes once when it is known who is logged in. */
const recordShifts = `
  window.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.filter(({ node }) => node && !(node.closest ? node : node.parentElement).closest('header'));
      if (moved.length > 0)
        window.layoutShifts.push({ value, moved: moved.map(({ node }) => node.textContent.slice(0, 60)).join(' | ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

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

/** Opens a page as staff while each answer comes late; returns what moved until the last one was shown. */
async function openLate(page: Page, path: string): Promise<readonly Shift[]> {
  let count = 0;
  let pending = 0;
  await page.unrouteAll();
  await page.route(/\/api\/(?!live|users\/me)/, async (route) => {
    const delayMs = delaysMs[count % delaysMs.length]!;
    count += 1;
    pending += 1;
    await new Promise((done) => setTimeout(done, delayMs));
    await route.continue();
    pending -= 1;
  });
  await page.goto(bar.url + path);
  await page.locator('main.page[aria-busy="false"]').waitFor();
  await expect.poll(() => pending).toBe(0);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return page.evaluate('window.layoutShifts');
}

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
    const shifts = await openLate(page, path);
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
  await page.route(/\/api\/scales/, () => {});
  await page.goto(`${bar.url}/taps/1`);
  await page.getByText('Loading').waitFor();
  await page.getByRole('link', { name: 'Edit tap' }).waitFor();
  expect(await page.getByText('Loading').count()).toBe(0);
  await context.close();
});

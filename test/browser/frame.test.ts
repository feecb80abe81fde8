import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../kit/browser.ts';
import { axeOn } from './kit/axe.ts';
import { createSnapshot } from './kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from './kit/open-page.ts';
import { openMenu } from './kit/staff.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => session.close());

async function open(options: PageOptions = {}) {
  session = await openPage(browser, createSnapshot({ held: 1 }), options);
  return session.page;
}

test('the browser’s tab shows the page before the bar', async () => {
  const page = await open();
  expect(await page.title()).toBe('The Bent Spile');
  await page.getByRole('link', { name: 'Kegs' }).click();
  await expect.poll(() => page.title()).toBe('Kegs – The Bent Spile');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.title()).toBe('Sign in – The Bent Spile');
  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.title()).toBe('The Bent Spile');
});

test('the first Tab reaches a link that skips the header', async () => {
  const page = await open();
  await page.keyboard.press('Tab');
  const link = page.getByRole('link', { name: 'Skip to content' });
  expect(await link.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN');
  expect(new URL(page.url()).pathname).toBe('/');
});

test('a theme chosen on this browser is kept, and is set before the page is painted', async () => {
  const page = await open({ colorScheme: 'light' });
  const theme = () => page.evaluate<string>('document.documentElement.dataset.theme');
  expect(await theme()).toBe('light');
  await openMenu(page);
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await theme()).toBe('dark');
  expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(
    'rgb(12, 22, 17)',
  );
  // The module that renders the page never arrives, so the theme is set without it.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'domcontentloaded' });
  expect(await theme()).toBe('dark');
});

test('the system’s theme is followed while none is chosen', async () => {
  const page = await open({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark');
});

test('the open menu and the open notices have no accessibility faults', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open({ colorScheme, isStaff: true, viewport: { width: 390, height: 844 } });
    for (const panel of ['site-menu', 'notices']) {
      await page.locator(`.${panel} .header-button`).click();
      await page.locator(`.${panel} .drop-down`).getByRole('link').first().waitFor();
      expect(await axeOn(page), `${panel}, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await session.close();
  }
});

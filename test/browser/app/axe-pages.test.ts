import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn, contrastOn } from '../kit/axe.ts';
import { browserCases } from '../kit/browser-cases.ts';
import { listPaths } from '../kit/routes.ts';
import { watchRequests } from '../screenshots/camera.ts';
import { openingMs, startSampleBar } from '../screenshots/sample-bar.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Pages that show guests more than the log-in. */
const isPublic = (path: string) =>
  /^\/$|^\/(menu|drinks|sessions|kegs|taps|log-in|accounts?\/.*)$/.test(path) ||
  browserCases.some(({ guestPages = [] }) => guestPages.includes(path));

const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

/** Switches the theme and waits until the page is painted in it. */
async function setTheme(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect.poll(async () => isDark(await backgroundOf(page))).toBe(colorScheme === 'dark');
}

/** True for a colour whose parts are below the middle. */
const isDark = (color: string) => (color.match(/\d+/g) ?? []).slice(0, 3).every((part) => Number(part) < 128);

// Each state of the bar: in use, before anything was recorded, and as guests see it. The colours are the same in all.
test.each([
  [4, 'anna', 'light and dark'],
  [0, 'anna', 'light'],
  [4, null, 'light and dark'],
] as const)(
  'axe finds no violation on any page: %i taps, user %s, in %s',
  async (taps, username, themes) => {
    const bar = await startSampleBar({ taps });
    const context = await browser.newContext({
      locale: 'de-DE',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.clock.setFixedTime(openingMs);
    if (username !== null) await context.addCookies([bar.login(username)]);
    const page = await context.newPage();
    const settled = watchRequests(page);
    await page.goto(bar.url);
    const found: string[] = [];
    const paths = listPaths().filter((path) => username !== null || isPublic(path));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await settled();
      await page.locator('main').first().waitFor();
      await page.locator('main[aria-busy="true"]').waitFor({ state: 'detached' });
      // A page may have its heading only when the live state has arrived.
      await page.locator('h1').first().waitFor();
      for (const fault of (await axeOn(page)) as string[]) found.push(`${path}: ${fault}`);
      if (themes === 'light') continue;
      await setTheme(page, 'dark');
      for (const fault of (await contrastOn(page)) as string[]) found.push(`${path}, dark: ${fault}`);
      await setTheme(page, 'light');
    }
    expect(found).toEqual([]);
    await context.close();
    await bar.close();
  },
  600_000,
);

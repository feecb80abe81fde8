import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { browserCases } from '../kit/browser-cases.ts';
import { layoutFaults } from '../kit/fit.ts';
import { cutTexts, smallTargets } from '../kit/page-faults.ts';
import { listPaths } from '../kit/routes.ts';
import { watchRequests } from '../screenshots/camera.ts';
import { openingMs, type SampleBar, startSampleBar } from '../screenshots/sample-bar.ts';

const phone = { width: 390, height: 844 };
/** The phone last: its targets are measured for fingers. */
const screens = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  phone,
];

/** Pages of extensions that guests see. */
const ofExtensions = browserCases.flatMap(({ guestPages = [] }) => guestPages);

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

let browser: Browser;
let bar: SampleBar;

beforeAll(async () => {
  browser = await openBrowser();
  bar = await startSampleBar({ taps: 24, isLong: true });
});
afterAll(async () => {
  await browser.close();
  await bar.close();
});

/** Opens a page in German, for a user or for a guest. */
async function openPage(username: string | null, at: SampleBar = bar): Promise<Page> {
  const context = await browser.newContext({
    viewport: phone,
    hasTouch: true,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  await context.clock.setFixedTime(openingMs);
  if (username !== null) await context.addCookies([at.login(username)]);
  return await context.newPage();
}

/**
 * What does not fit, once the page has taken its new size: a full screen chooses its columns and type sizes some frames after a
 * resize, on a busy machine many.
 */
async function lastingFaults(page: Page): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  for (let frame = 0; frame < 60; frame += 2) {
    await page.evaluate(twoFrames);
    faults = [...(await layoutFaults(page)), ...(await cutTexts(page))];
    if (faults.length === 0) break;
  }
  return faults;
}

/** Opens each path without loading the page again, and returns everything that does not fit or fails. */
async function examine(
  page: Page,
  paths: readonly string[],
  { at = bar, sizes = screens } = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  let path = '/';
  const note = (fault: string) => found.push(`${path}: ${fault}`);
  const settled = watchRequests(page);
  // The sample link is not valid, which the page tells.
  const isExpected = (text: string) => path.startsWith('/alarm-links/') && text.includes('404');
  page.on(
    'console',
    (message) => message.type() === 'error' && !isExpected(message.text()) && note(message.text()),
  );
  page.on('pageerror', (error) => note(error.message));
  await page.goto(at.url);
  for (path of paths) {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await settled();
    await page.locator('main').first().waitFor();
    await page.locator('main[aria-busy="true"]').waitFor({ state: 'detached' });
    for (const screen of sizes) {
      await page.setViewportSize(screen);
      await page.waitForFunction(`innerWidth === ${screen.width} && innerHeight === ${screen.height}`);
      for (const fault of await lastingFaults(page)) note(`at ${screen.width} px ${fault}`);
    }
    (await smallTargets(page)).forEach(note);
  }
  return found;
}

test('every page with 24 taps and long names fits a phone, a tablet, a laptop, a large screen and fingers', async () => {
  const page = await openPage('anna');
  expect((await examine(page, listPaths())).join('\n')).toBe('');
  await page.context().close();
}, 400_000);

test('every page for guests with 24 taps and long names fits a phone, a tablet, a laptop, a large screen and fingers', async () => {
  const page = await openPage(null);
  const paths = listPaths().filter(
    (path) =>
      /^\/$|^\/(menu|drinks|sessions|log-in|accounts?\/.*)$/.test(path) || ofExtensions.includes(path),
  );
  expect((await examine(page, paths)).join('\n')).toBe('');
  await page.context().close();
}, 400_000);

test('every page of a bar with UK pints, the longest volumes, fits a phone and a laptop', async () => {
  const british = await startSampleBar({ taps: 4, units: 'uk' });
  const page = await openPage('anna', british);
  const sizes = screens.filter(({ width }) => width === 1440 || width === phone.width);
  expect(await examine(page, listPaths(), { at: british, sizes })).toEqual([]);
  await page.context().close();
  await british.close();
}, 400_000);

test.each([
  ['A4', 24],
  ['Letter', 24],
  ['Letter', 13],
  ['Letter', 12],
] as const)('the menu with long names prints on one page %s, with %i taps', async (format, taps) => {
  const at = taps === 24 ? bar : await startSampleBar({ taps, isLong: true });
  const page = await openPage(null, at);
  await page.goto(`${at.url}/menu`);
  await page.locator('.menu-price').first().waitFor();
  const pdf = await page.pdf({ format });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.context().close();
  if (at !== bar) await at.close();
});

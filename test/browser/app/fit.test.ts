import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { openBrowser } from '../../kit/browser.ts';
import { drinksInSight, layoutFaults, longNames, pageHeight, type Screen, screens } from '../kit/fit.ts';
import { createDrink, createSnapshot, createTap } from '../kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from '../kit/open-page.ts';
import { cutTexts } from '../kit/page-faults.ts';
import { menuButton, openMenu } from '../kit/staff.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => session.close());

interface Bar extends PageOptions {
  readonly isLong?: boolean;
  readonly units?: 'metric' | 'us' | 'uk';
}

/** Opens the home page of a bar with that many taps, 12 drinks and a notice. Every fifth tap is empty. */
async function openBar(
  taps: number,
  screen: Screen,
  { isLong = false, units = 'metric', ...options }: Bar = {},
): Promise<Page> {
  const beverage = {
    ...createTap().beverage!,
    ...(isLong && { name: longNames.beer, producer: longNames.brewery }),
  };
  const prices = [300, 500, 1_000, 1_500].map((ml, place) => ({
    serving_size_id: place + 1,
    volume_ml: ml,
    name: '',
    names: {},
    price_minor: Math.round(ml * 1.08),
    currency: 'EUR',
  }));
  const soonEmpty = { time: new Date(Date.now() + 180_000_000).toISOString(), part: 'evening' as const };
  const snapshot = createSnapshot({
    volume_units: units,
    ...(isLong && { title: longNames.bar }),
    held: 2,
    problems: [{ part: 'disk', problems: [textProblem('The disk is nearly full: 41 MB are left.')] }],
    taps: Array.from({ length: taps }, (_, index) =>
      createTap({
        id: String(index + 1),
        name: isLong ? longNames.tap : `Tap ${index + 1}`,
        beverage,
        calibrated: index % 3 !== 0,
        prices: index % 2 === 0 ? [] : prices,
        ...(index === 1 && {
          keg: { id: 8, percent_full: 0.1, volume_ml_remain: 3_000, full_volume_ml: 30_000 },
          runs_out: soonEmpty,
        }),
        // A series of two half barrels behind the keg, which other taps pour from, too.
        ...(isLong &&
          index % 3 === 0 && {
            kegs_behind: [900, 901].map((id) => ({ id, volume_ml_remain: 58_674 })),
            other_taps: [{ id: '24', name: longNames.tap }],
          }),
        ...(index % 5 === 4 && { keg: null, beverage: null, kegs_behind: [], other_taps: [] }),
      }),
    ),
    drinks: Array.from({ length: 12 }, (_, index) =>
      createDrink({
        id: 12 - index,
        beverage_name: beverage.name,
        tap_name: isLong ? longNames.tap : 'Tap 1',
      }),
    ),
  });
  session = await openPage(browser, snapshot, { viewport: screen, reducedMotion: 'reduce', ...options });
  return session.page;
}

const screenNames = screens.map((screen) => [`${screen.width}×${screen.height}`, screen] as const);

test.each(screenNames)('on %s the home page is never wider than the screen', async (_name, screen) => {
  for (const [taps, isStaff] of [
    [0, true],
    [4, false],
    [24, true],
  ] as const) {
    const page = await openBar(taps, screen, { isLong: true, isStaff });
    expect(await layoutFaults(page), `${taps} taps`).toEqual([]);
    expect(await page.getByRole('article').count()).toBe(taps);
    await openMenu(page);
    expect(await layoutFaults(page), `menu with ${taps} taps`).toEqual([]);
    await session.close();
  }
});

test.each(['us', 'uk'] as const)('no volume in %s units is cut, on a card or in the list', async (units) => {
  for (const screen of screens) {
    for (const taps of [4, 24]) {
      const page = await openBar(taps, screen, { isStaff: true, units });
      // A half barrel, and a rest whose millilitres stand beside the pints.
      session.daemon.sendSnapshot(
        createSnapshot({
          volume_units: units,
          taps: Array.from({ length: taps }, (_, index) =>
            createTap({
              id: String(index + 1),
              keg: {
                id: index + 1,
                full_volume_ml: 58_674,
                ...(index % 2 === 0
                  ? { percent_full: 0.99, volume_ml_remain: 57_820 }
                  : { percent_full: 0.08, volume_ml_remain: 4_830 }),
              },
            }),
          ),
        }),
      );
      await page
        .getByText(/122\.2|101\.7/)
        .first()
        .waitFor();
      const name = `${taps} taps at ${screen.width} px`;
      expect(await cutTexts(page), name).toEqual([]);
      expect(await layoutFaults(page), name).toEqual([]);
      expect(await overlappingDrinks(page), name).toEqual([]);
      await session.close();
    }
  }
});

/** Drinks whose volume covers the name of the beer. */
const overlappingDrinks = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.drink')].flatMap((row) => {
      const range = document.createRange();
      range.selectNodeContents(row.querySelector('.drink-volume')!);
      const volume = range.getBoundingClientRect();
      const beer = row.querySelector('.drink-what')!.getBoundingClientRect();
      const isBeside = volume.right <= beer.left || volume.bottom <= beer.top + 1;
      return isBeside ? [] : [row.textContent];
    }),
  );

test('four taps fit 1440×900 and six fit 1024×768 without scrolling, also with long names', async () => {
  for (const [taps, screen] of [
    [4, { width: 1440, height: 900 }],
    [6, { width: 1024, height: 768 }],
  ] as const) {
    for (const isLong of [false, true]) {
      const page = await openBar(taps, screen, { isStaff: true, isLong });
      expect(await pageHeight(page), `${taps} taps, long names: ${isLong}`).toBeLessThanOrEqual(
        screen.height,
      );
      await session.close();
    }
  }
});

test('on a tablet the last five drinks are in sight, however many taps there are', async () => {
  for (const taps of [1, 4, 6, 24]) {
    for (const screen of [
      { width: 768, height: 1024 },
      { width: 1024, height: 768 },
    ]) {
      const page = await openBar(taps, screen, { isStaff: true, isLong: true });
      expect(await drinksInSight(page), `${taps} taps at ${screen.width}`).toBeGreaterThanOrEqual(5);
      await session.close();
    }
  }
});

test('a card has its natural height beside a long list of drinks, and rows share one height', async () => {
  const page = await openBar(6, { width: 1440, height: 900 }, { isStaff: true, isLong: true });
  const heights = await page
    .locator('.tap')
    .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().height)));
  expect(Math.max(...heights)).toBeLessThan(320);
  expect(new Set(heights.slice(0, 3)).size).toBe(1);
});

test.each([
  [390, 844],
  [320, 568],
])('on a phone of %s×%s the menu stays on the screen, scrolls inside and closes', async (width, height) => {
  const page = await openBar(4, { width, height }, { isStaff: true, isLong: true, hasTouch: true });
  const button = menuButton(page);
  const foot = page.getByRole('button', { name: 'Sign out anna' });
  const isInside = async () => {
    const panel = await page.locator('.site-menu .drop-down').boundingBox();
    return (
      panel !== null &&
      panel.x >= 0 &&
      panel.y >= 0 &&
      panel.x + panel.width <= width &&
      panel.y + panel.height <= height
    );
  };
  await button.click();
  await foot.waitFor();
  expect(await isInside()).toBe(true);
  await foot.scrollIntoViewIfNeeded();
  expect(await isInside()).toBe(true);
  const box = await foot.boundingBox();
  expect(box!.y + box!.height).toBeLessThanOrEqual(height);

  await page.keyboard.press('Escape');
  await foot.waitFor({ state: 'hidden' });
  expect(await button.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await button.click();
  await page.touchscreen.tap(width / 2, 4);
  await foot.waitFor({ state: 'hidden' });
  await button.click();
  await page.getByRole('link', { name: 'Beer menu' }).click();
  await foot.waitFor({ state: 'hidden' });
  await button.click();
  await foot.waitFor();
  await page.goBack();
  await foot.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).pathname).toBe('/');
});

test('logging out takes two touches at different places', async () => {
  const page = await openBar(1, { width: 390, height: 844 }, { isStaff: true });
  await openMenu(page);
  const button = page.getByRole('button', { name: 'Sign out anna' });
  await button.scrollIntoViewIfNeeded();
  const first = (await button.boundingBox())!;
  await page.mouse.click(first.x + first.width / 2, first.y + first.height / 2);
  await page.getByRole('group', { name: 'Sign out anna?' }).waitFor();
  await page.mouse.click(first.x + first.width / 2, first.y + first.height / 2);
  await page.getByRole('button', { name: 'Sign out anna' }).waitFor();
});

test('a phone of 320 px scrolls only vertically, also with long names', async () => {
  const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsfestbock';
  session = await openPage(
    browser,
    createSnapshot({
      title: longName,
      volume_units: 'us',
      simulated: true,
      clock_synced: false,
      taps: [
        createTap({
          name: longName,
          meter_state: 'simulated',
          beverage: { ...createTap().beverage!, name: longName, producer: longName },
        }),
        createTap({ id: '2', meter_state: 'fault', meter_problem: textProblem(`${longName} took the pin.`) }),
      ],
      drinks: [
        createDrink({ beverage_name: longName, user_id: longName, time_certain: false, recovered: true }),
        createDrink({ id: 2, pour_time: '2024-02-03T04:05:06Z' }),
      ],
      problems: [{ part: 'disk', problems: [textProblem(longName)] }],
    }),
    { viewport: { width: 320, height: 640 } },
  );
  const { page } = session;
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  // No element may be outside the screen either.
  const outside = await page.evaluate<string[]>(`[...document.querySelectorAll('#page *')]
    .filter((node) => !node.closest('.visually-hidden, svg') && node.getBoundingClientRect().right > 320.5)
    .map((node) => node.className)`);
  expect(outside).toEqual([]);
});

test('four taps fit a full-HD screen without scrolling', async () => {
  const taps = ['1', '2', '3', '4'].map((id) => createTap({ id, name: `Tap ${id}` }));
  session = await openPage(browser, createSnapshot({ taps }), { viewport: { width: 1920, height: 1080 } });
  expect(await pageHeight(session.page)).toBeLessThanOrEqual(1080);
});

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import type { SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { layoutFaults } from '../kit/fit.ts';
import { createDrink, createSnapshot, createTap } from '../kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from '../kit/open-page.ts';
import { cutTexts, smallTargets } from '../kit/page-faults.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => session.close());

async function open(snapshot: SnapshotMessage, options?: PageOptions) {
  session = await openPage(browser, snapshot, options);
  return session;
}

test('a tap shows its beer, its level and its temperature', async () => {
  const { page, browserErrors } = await open(createSnapshot());
  const tap = page.getByRole('article', { name: 'Amsel Helles' });
  expect(await tap.getByText('Window tap').count()).toBe(1);
  expect(await tap.locator('.tap-line').innerText()).toMatch(/Brauerei Amsel · Helles\s*4\.9%\sABV/);
  expect(await tap.locator('.fact-left').innerText()).toMatch(/19\.8\s*L\s*left · 66%/);
  expect(await tap.locator('.fact-temp').innerText()).toMatch(/4\.3\s*°C/);
  expect(await tap.getByRole('img', { name: /^Keg, 66% full$/ }).count()).toBe(1);
  expect(await page.title()).toBe('The Bent Spile');
  expect(browserErrors).toEqual([]);
});

test('the keg is drawn in the beer’s colour, and an invalid colour becomes the default', async () => {
  const oddTap = createTap({
    id: '2',
    name: 'Odd tap',
    beverage: { ...createTap().beverage!, name: 'Odd', color_hex: 'url(https://example.org/x)' },
  });
  const { page, browserErrors } = await open(createSnapshot({ taps: [createTap(), oddTap] }));
  const beerRect = (name: string) => page.getByRole('article', { name }).locator('.keg rect[fill^="#"]');
  expect(await beerRect('Amsel Helles').first().getAttribute('fill')).toBe('#e8b23a');
  expect(await beerRect('Odd').first().getAttribute('fill')).toBe('#c35900');
  expect(browserErrors).toEqual([]);
});

test('a drink through a shut valve says so in the list', async () => {
  const { page } = await open(
    createSnapshot({ drinks: [createDrink({ id: 2, flow_while_shut: true }), createDrink()] }),
  );
  const rows = page.getByRole('region', { name: 'Last drinks' }).getByRole('listitem');
  expect(await rows.first().innerText()).toContain('Flow while the valve was closed');
  expect(await rows.nth(1).innerText()).not.toContain('valve');
});

test('a stale temperature is shown with its time', async () => {
  const stale = ['1', '2', '3', '4'].map((id) => createTap({ id, temp_stale: true }));
  const { daemon, page } = await open(createSnapshot({ taps: stale }));
  const temperature = page.locator('.fact-temp').first();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    // One line is at most 24 px high.
    const { height } = (await page.locator('.fact-left .fact-name').first().boundingBox())!;
    expect(height, `height of “left · 82%” at ${width} px`).toBeLessThan(28);
  }
  expect(await temperature.getAttribute('data-stale')).toBe('true');
  expect(await temperature.innerText()).toMatch(/temperature at /i);
  daemon.sendSnapshot(createSnapshot({ taps: [createTap()] }));
  await expect.poll(() => temperature.getAttribute('data-stale')).toBe('false');
});

test('a tap card shows when its keg will be empty and the state of its meter', async () => {
  const in50Hours = new Date(Date.now() + 50 * 3_600_000);
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'Europe/Berlin' }).format(
    in50Hours,
  );
  const beer = (name: string) => ({ ...createTap().beverage!, name });
  const { page, browserErrors } = await open(
    createSnapshot({
      keg_low_share: 0.7,
      taps: [
        createTap({ runs_out: { time: in50Hours.toISOString(), part: 'evening' } }),
        createTap({
          id: '2',
          name: 'Garden',
          beverage: beer('Quiet Bock'),
          meter_state: 'silent',
          meter_seen_time: new Date().toISOString(),
        }),
      ],
    }),
    { isStaff: true },
  );
  const tap = (name: string) => page.getByRole('article', { name });
  expect(await tap('Amsel Helles').locator('.fact-left').innerText()).toContain(
    `Empty about ${weekday} evening`,
  );
  expect(await tap('Amsel Helles').getByText('Counting', { exact: true }).count()).toBe(1);
  expect(
    await tap('Quiet Bock')
      .getByText(/^Offline since \d/)
      .count(),
  ).toBe(1);
  expect(await tap('Quiet Bock').getByText('Empty about').count()).toBe(0);
  // The limit for "nearly empty" is a site setting.
  expect(await page.getByText('Nearly empty').count()).toBe(2);
  expect(browserErrors).toEqual([]);
});

test('taps without keg, without meter, with a fault or uncalibrated show their state', async () => {
  const { page, browserErrors } = await open(
    createSnapshot({
      taps: [
        createTap({
          id: '1',
          name: 'Bare tap',
          keg: null,
          beverage: null,
          temp_c: null,
          temp_time: null,
          last_drink: null,
        }),
        createTap({
          id: '2',
          name: 'Old tap',
          meter_name: null,
          meter_state: 'unmetered',
          ticks_per_ml: null,
          beverage: { ...createTap().beverage!, name: 'Unmetered Ale' },
        }),
        createTap({
          id: '3',
          name: 'Broken tap',
          meter_state: 'fault',
          meter_problem: textProblem('GPIO 19 is taken by another program.'),
          beverage: { ...createTap().beverage!, name: 'Faulty Ale' },
        }),
        createTap({
          id: '4',
          name: 'New tap',
          calibrated: false,
          beverage: { ...createTap().beverage!, name: 'Guess Ale', style: null, abv: null },
        }),
        createTap({
          id: '5',
          name: 'Drained tap',
          keg: { id: 9, percent_full: -0.02, volume_ml_remain: -600, full_volume_ml: 30_000 },
          beverage: { ...createTap().beverage!, name: 'Last Ale' },
        }),
      ],
      drinks: [],
    }),
    { isStaff: true },
  );
  const tap = (name: string) => page.getByRole('article', { name });
  expect(await tap('No keg').getByRole('img', { name: 'No keg' }).count()).toBe(1);
  expect(await tap('No keg').getByText('No pour yet').count()).toBe(1);
  expect(await tap('Unmetered Ale').getByText('No meter.').count()).toBe(1);
  expect(await tap('Unmetered Ale').locator('.odometer').count()).toBe(0);
  expect(await tap('Faulty Ale').locator('.meter-problem').innerText()).toBe(
    'Not counting. GPIO 19 is taken by another program.',
  );
  expect(await tap('Guess Ale').getByText('Meter not calibrated').count()).toBe(1);
  expect(await tap('Last Ale').getByText('calculated').count()).toBe(1);
  expect(await page.getByText('No drinks yet.').count()).toBe(1);
  expect(browserErrors).toEqual([]);
});

test('with US units the page shows ounces, pints and Fahrenheit', async () => {
  const { page } = await open(createSnapshot({ volume_units: 'us', temperature_units: 'f' }));
  expect(await page.locator('.fact-left').innerText()).toMatch(/41\.8\s*pints/);
  expect(await page.locator('.fact-temp').innerText()).toMatch(/39\.7\s*°F/);
  expect(await page.locator('.odometer-text').innerText()).toBe('13.9 fl oz');
});

test('with UK units the page shows pints of 568 mL', async () => {
  const { page } = await open(createSnapshot({ volume_units: 'uk' }));
  expect(await page.locator('.fact-left').innerText()).toMatch(/34\.8\s*pints/);
});

test('on a phone the button that pours a part of a pint does not cover when the tap poured last', async () => {
  const snapshot = createSnapshot({
    volume_units: 'uk',
    simulated: true,
    taps: [createTap({ meter_state: 'simulated', last_drink: null })],
  });
  const { page } = await open(snapshot, { viewport: { width: 390, height: 844 } });
  const button = page.locator('.tap-pour .button');
  await button.waitFor();
  expect(await button.innerText()).toMatch(/284\smL/);
  const caption = await page.locator('.meter-caption').evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { right, bottom } = range.getBoundingClientRect();
    return { right, bottom };
  });
  const { x, y } = (await button.boundingBox())!;
  // Beside it, or below it where there is no place.
  expect(x >= caption.right || y >= caption.bottom).toBe(true);
});

test('markup in names stays text', async () => {
  const markup = '<img src=x onerror=alert(1)><b>Sly</b>';
  const { page, browserErrors } = await open(
    createSnapshot({
      title: markup,
      taps: [
        createTap({
          name: markup,
          beverage: { ...createTap().beverage!, name: markup, producer: markup, style: markup },
        }),
      ],
      drinks: [createDrink({ beverage_name: markup, tap_name: markup, user_id: markup })],
      problems: [{ part: 'disk', problems: [textProblem(markup)] }],
    }),
  );
  expect(await page.getByText(markup).count()).toBeGreaterThan(5);
  expect(await page.locator('#page img, #page b').count()).toBe(0);
  expect(browserErrors).toEqual([]);
});

test('the page follows the device’s color scheme', async () => {
  const light = await open(createSnapshot(), { colorScheme: 'light' });
  expect(await backgroundBrightness(light)).toBeGreaterThan(200);
  await light.close();
  const dark = await open(createSnapshot(), { colorScheme: 'dark' });
  expect(await backgroundBrightness(dark)).toBeLessThan(40);
});

test('nothing is animated with reduced motion', async () => {
  const pouring = { pour_id: 'p9', ticks: 540, volume_ml: 100 };
  const { page } = await open(createSnapshot({ taps: [createTap({ pouring })] }), {
    reducedMotion: 'reduce',
  });
  expect(await page.evaluate<number>('document.getAnimations().length')).toBe(0);
});

test('headings and landmarks structure the page for screen readers', async () => {
  const { page } = await open(createSnapshot());
  expect(await page.getByRole('main').count()).toBe(1);
  expect(await page.getByRole('banner').count()).toBe(1);
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['On tap', 'Last drinks']);
  expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Amsel Helles']);
});

/** Mean brightness of the background, 0 to 255. */
async function backgroundBrightness({ page }: PageSession): Promise<number> {
  const color = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const parts = (color.match(/\d+/g) ?? []).map(Number);
  return (parts[0]! + parts[1]! + parts[2]!) / 3;
}

test('staff are asked whether a keg is empty after gas came out of its tap', async () => {
  const asking = createSnapshot({ taps: [createTap({ keg_empty_since: new Date().toISOString() })] });
  const { page, browserErrors } = await open(asking, { isStaff: true });
  const tap = page.getByRole('article', { name: 'Amsel Helles' });
  await tap.getByText(/^Keg empty\? At .* it ran as fast as gas\./).waitFor();
  expect(await tap.getByRole('button', { name: 'Keg empty', exact: true }).count()).toBe(1);
  expect(await tap.getByRole('button', { name: 'Not empty', exact: true }).count()).toBe(1);
  expect(browserErrors).toEqual([]);
});

test.each([
  ['de-DE', 390, 'light'],
  ['en-GB', 1440, 'dark'],
] as const)(
  'the question for an empty keg fits the card, %s at %i px, %s',
  async (locale, width, colorScheme) => {
    const asked = { keg_empty_since: new Date().toISOString() };
    const taps = Array.from({ length: 24 }, (_, index) =>
      createTap({ id: String(index + 1), ...(index % 2 === 0 && asked) }),
    );
    const viewport = { width, height: 900 };
    const { page } = await open(createSnapshot({ taps }), { isStaff: true, locale, colorScheme, viewport });
    await page
      .getByText(/^Keg empty\?|^Fass leer\?/)
      .first()
      .waitFor();
    expect(await cutTexts(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    // A slip does not end the keg.
    const buttons = page.locator('.keg-question').first().getByRole('button');
    const [empty, notEmpty] = [await buttons.nth(0).boundingBox(), await buttons.nth(1).boundingBox()];
    const apart = Math.max(notEmpty!.x - (empty!.x + empty!.width), notEmpty!.y - (empty!.y + empty!.height));
    expect(apart).toBeGreaterThanOrEqual(8);
    expect(await axeOn(page)).toEqual([]);
  },
);

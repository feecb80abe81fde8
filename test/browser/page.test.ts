import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createProblem, textProblem } from '../../src/core/rules/problems.ts';
import type { PourMessage, SnapshotMessage } from '../../src/http/live/shapes.ts';
import { openBrowser } from '../kit/browser.ts';
import { axeOn } from './kit/axe.ts';
import { createDrink, createSnapshot, createTap } from './kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from './kit/open-page.ts';
import { openNotices } from './kit/staff.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});
afterEach(async () => {
  await session.close();
});

async function open(snapshot: SnapshotMessage, options?: PageOptions) {
  session = await openPage(browser, snapshot, options);
  return session;
}

function createPourMessage(changes: Partial<PourMessage> = {}): PourMessage {
  return { tap_id: '1', pour_id: 'p1', state: 'flowing', ticks: 27, volume_ml: 5, ...changes };
}

test('a tap shows its beer, its level and its temperature', async () => {
  const { page, browserErrors } = await open(createSnapshot());
  const tap = page.getByRole('article', { name: 'Amsel Helles' });
  expect(await tap.getByText('Window tap').count()).toBe(1);
  expect(await tap.locator('.tap-line').innerText()).toMatch(/Brauerei Amsel · Helles\s*4\.9\s%\sABV/);
  expect(await tap.locator('.fact-left').innerText()).toMatch(/19\.8\s*L\s*left · 66\s%/);
  expect(await tap.locator('.fact-temp').innerText()).toMatch(/4\.3\s*°C/);
  expect(await tap.getByRole('img', { name: /^Keg, 66\s% full$/ }).count()).toBe(1);
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

test('a running pour counts up on the odometer, lowers the keg level, and appears in the drink list', async () => {
  const { daemon, page, browserErrors } = await open(createSnapshot());
  const odometer = page.locator('.odometer-text');
  expect(await page.locator('.meter-caption').innerText()).toMatch(/^Last pour /);
  expect(await odometer.innerText()).toBe('412 mL');

  daemon.sendPour(createPourMessage({ state: 'started', ticks: 1, volume_ml: 0.2 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  expect(await odometer.innerText()).toBe('0 mL');
  for (const ml of [60, 180, 330]) {
    daemon.sendPour(createPourMessage({ ticks: Math.round(ml * 5.4), volume_ml: ml }));
    await page.getByText(`${ml} mL`, { exact: true }).waitFor({ state: 'attached' });
  }
  expect(await page.locator('.fact-left').innerText()).toMatch(/19\.5\s*L/);

  daemon.sendPour(createPourMessage({ state: 'ended', ticks: 1782, volume_ml: 330 }));
  await page.getByText('Poured', { exact: true }).waitFor();
  const keg = { id: 7, percent_full: 0.649, volume_ml_remain: 19_470, full_volume_ml: 30_000 };
  daemon.sendSnapshot(
    createSnapshot({
      taps: [createTap({ keg, last_drink: { ...createTap().last_drink!, id: 2, volume_ml: 330 } })],
      drinks: [createDrink({ id: 2, volume_ml: 330, user_id: null }), createDrink()],
    }),
  );
  const rows = page.getByRole('region', { name: 'Last drinks' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.first().innerText()).toMatch(/330\s*mL\s+Amsel Helles\s+Guest · Window tap/);
  expect(await odometer.innerText()).toBe('330 mL');
  expect(await page.locator('[aria-live=polite]').allInnerTexts()).toContain(
    '330\u00a0mL of Amsel Helles poured at Window tap.',
  );
  expect(browserErrors).toEqual([]);
});

test('a page opened during a pour shows the running pour', async () => {
  const pouring = { pour_id: 'p9', ticks: 540, volume_ml: 100 };
  const { page } = await open(createSnapshot({ taps: [createTap({ pouring })] }));
  expect(await page.locator('.meter-caption').innerText()).toBe('Pouring');
  expect(await page.locator('.odometer-text').innerText()).toBe('100 mL');
});

test('the odometer drums show the digits of the volume', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ volume_ml: 1207.4 }));
  await page.getByText('1,207 mL', { exact: true }).waitFor({ state: 'attached' });
  const digits = await page
    .locator('.drum-strip')
    .evaluateAll((strips) => strips.map((strip) => strip.getAttribute('style')?.replace(/\D/g, '')));
  expect(digits.join('')).toBe('1207');
});

test('a drip ends without changing the last pour', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ state: 'started', ticks: 1, volume_ml: 0.2 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  daemon.sendPour(createPourMessage({ state: 'dripped', ticks: 1, volume_ml: 0.2 }));
  await page.getByText(/^Last pour/).waitFor();
  expect(await page.locator('.odometer-text').innerText()).toBe('412 mL');
});

test('the first message of a pour is shown without waiting for the next one', async () => {
  const { daemon, page } = await open(createSnapshot());
  for (let pour = 1; pour <= 7; pour += 1) {
    const ml = 600 + pour;
    daemon.sendPour(createPourMessage({ pour_id: `p${pour}`, volume_ml: ml }));
    // The delay is measured by `npm run bench -- page`.
    await page
      .locator('.odometer-text')
      .getByText(`${ml} mL`, { exact: true })
      .waitFor({ state: 'attached' });
  }
});

test('a lost connection is shown to staff two seconds after the daemon has gone, until it is back', async () => {
  const { daemon, page } = await open(createSnapshot(), { isStaff: true });
  const banner = page.getByText('No connection.');
  const stoppedMs = Date.now();
  await daemon.stop();
  await banner.waitFor();
  expect(Date.now() - stoppedMs).toBeGreaterThan(1_900);
  expect(await page.getByText('Not live').count()).toBe(1);
  expect(await page.locator('.fact-left').innerText()).toMatch(/19\.8/);

  const keg = { id: 7, percent_full: 0.5, volume_ml_remain: 15_000, full_volume_ml: 30_000 };
  daemon.sendSnapshot(createSnapshot({ taps: [createTap({ keg })] }));
  await daemon.restart();
  await banner.waitFor({ state: 'detached' });
  expect(await page.locator('.fact-left').innerText()).toMatch(/15\.0\s*L/);
});

test('a pour interrupted by a restart of the daemon does not stay on the odometer', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ volume_ml: 90 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  await daemon.stop();
  await daemon.restart();
  await page.getByText(/^Last pour/).waitFor();
});

test('a silent stream is opened again', async () => {
  const { daemon, page } = await open(createSnapshot());
  expect(daemon.connectionCount).toBe(1);
  await page.clock.install();
  // Silence is measured from the last message, so one must arrive under the fake clock.
  daemon.sendSnapshot(createSnapshot({ title: 'The Quiet Bar' }));
  await page.getByRole('heading', { name: 'The Quiet Bar' }).waitFor();
  await page.clock.runFor(46_000);
  await expect.poll(() => daemon.connectionCount).toBe(2);
});

test('staff read notices that lead to the page of their cause; nothing moves when one appears', async () => {
  const { daemon, page } = await open(createSnapshot(), { isStaff: true });
  const tap = page.getByRole('article', { name: 'Amsel Helles' });
  const before = await tap.boundingBox();
  daemon.sendSnapshot(
    createSnapshot({
      held: 2,
      clock_synced: false,
      problems: [
        { part: 'disk', problems: [textProblem('The disk is nearly full: 41 MB are left.')] },
        { part: 'backups', problems: [textProblem('The last backup failed.')] },
      ],
    }),
  );
  await openNotices(page, '4 notices');
  expect(await tap.boundingBox()).toEqual(before);
  const notices = page.getByRole('region', { name: 'Notices' });
  expect(await notices.getByText('The clock is not set.').count()).toBe(1);
  for (const [sentence, path] of [
    ['The disk is nearly full: 41 MB are left.', '/logs'],
    ['The last backup failed.', '/backups'],
    ['2 pours need review.', '/held'],
  ] as const) {
    const href = await notices.getByRole('link', { name: sentence }).getAttribute('href');
    expect(href, sentence).toBe(path);
  }
});

test('on a German page a notice is German with its details, and only a text of the system is English and marked', async () => {
  const problems = [
    {
      part: 'disk',
      problems: [createProblem('little_space', { gigabytes: 0.4 }), textProblem('EIO: i/o error, write')],
    },
  ];
  const viewport = { width: 390, height: 844 };
  const { page } = await open(createSnapshot({ problems }), { isStaff: true, locale: 'de-DE', viewport });
  await openNotices(page, '1 Hinweis');
  const notices = page.getByRole('region', { name: 'Hinweise' });
  await notices.getByText('Neben der Datenbank sind noch 0,4 GB frei.').waitFor();
  expect(await notices.getByRole('link').innerText()).toBe(
    'Speicherproblem. Freien Platz und SD-Karte prüfen. Neben der Datenbank sind noch 0,4 GB frei. EIO: i/o error, write',
  );
  expect(await notices.getByText('EIO: i/o error, write', { exact: true }).getAttribute('lang')).toBe('en');
  expect(await axeOn(page)).toEqual([]);
  if (process.env.TEXTS_SHOT) await page.screenshot({ path: process.env.TEXTS_SHOT });
});

test('guests read no notices and no states of meters', async () => {
  const taps = [
    createTap({ meter_state: 'fault', meter_problem: textProblem('GPIO 19 is taken.'), calibrated: false }),
    createTap({ id: '2', meter_state: 'silent' }),
    createTap({ id: '3', meter_state: 'unmetered', meter_name: null }),
  ];
  const problems = [{ part: 'disk', problems: [textProblem('The disk is nearly full.')] }];
  const { page } = await open(createSnapshot({ taps, held: 2, clock_synced: false, problems }));
  await page.getByRole('article').nth(2).waitFor();
  expect(await page.getByRole('button', { name: 'notice' }).count()).toBe(0);
  for (const text of ['review', 'disk', 'clock', 'Counting', 'GPIO', 'Offline', 'calibrated', 'No meter']) {
    expect(await page.getByText(text).count(), text).toBe(0);
  }
});

test('a drink through a shut valve says so in the list', async () => {
  const { page } = await open(
    createSnapshot({ drinks: [createDrink({ id: 2, flow_while_shut: true }), createDrink()] }),
  );
  const rows = page.getByRole('region', { name: 'Last drinks' }).getByRole('listitem');
  expect(await rows.first().innerText()).toContain('Flow while the valve was closed');
  expect(await rows.nth(1).innerText()).not.toContain('valve');
});

test('the button of a simulated tap makes a pour, also by keyboard', async () => {
  const { daemon, page, browserErrors } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' })] }),
  );
  // Tabs past the navigation links.
  const button = page.getByRole('button', { name: 'Pour 300 mL at Window tap' });
  const isReached = () => button.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let step = 0; step < 20 && !(await isReached()); step += 1) await page.keyboard.press('Tab');
  expect(await isReached()).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => daemon.postedRequests.length).toBe(1);
  expect(daemon.postedRequests[0]).toEqual({
    path: '/api/simulator/pulses',
    contentType: 'application/json',
    body: { meter: 'pi.flow0', ticks: 1620, hz: 324 },
  });

  // During the pour the button keeps the focus but starts no second pour.
  await page.keyboard.press('Enter');
  daemon.sendPour(createPourMessage());
  await page.getByText('Pouring', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap', disabled: true }).waitFor();
  await page.keyboard.press('Enter');
  daemon.sendPour(createPourMessage({ state: 'ended' }));
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap', disabled: false }).waitFor();
  expect(daemon.postedRequests).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => daemon.postedRequests.length).toBe(2);
  expect(browserErrors).toEqual([]);
});

test('a real meter next to simulated ones has no button', async () => {
  const remote = createTap({
    id: '2',
    name: 'Far tap',
    meter_name: 'kegboard-1.flow0',
    meter_state: 'counting',
  });
  const { page } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' }), remote] }),
  );
  expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual([
    expect.stringContaining('Window tap'),
  ]);
});

test('a rejected pour shows its reason', async () => {
  const { daemon, page } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' })] }),
  );
  daemon.rejectPosts('Pulses can only be made from this machine.');
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap' }).click();
  await page.getByText('Pulses can only be made from this machine.').waitFor();
});

test('the daemon’s clock can be set to the time of the device', async () => {
  const { daemon, page } = await open(createSnapshot({ clock_synced: false }), { isStaff: true });
  const before = Date.now();
  await openNotices(page, '1 notice');
  await page.getByRole('button', { name: 'Use this device’s time' }).click();
  await expect.poll(() => daemon.postedRequests.length).toBe(1);
  const { path, body } = daemon.postedRequests[0]!;
  expect(path).toBe('/api/clock');
  const { time } = body as { time: string };
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Math.abs(Date.parse(time) - before)).toBeLessThan(5_000);

  daemon.sendSnapshot(createSnapshot());
  await page.getByText('The clock is not set.').waitFor({ state: 'detached' });
});

test('a stale temperature is shown with its time', async () => {
  const stale = createTap({ temp_stale: true });
  const { daemon, page } = await open(createSnapshot({ taps: [stale] }));
  const temperature = page.locator('.fact-temp');
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
          ...{ keg: null, beverage: null, temp_c: null, temp_time: null, last_drink: null },
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

test('a phone of 320 px scrolls only vertically, also with long names', async () => {
  const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsfestbock';
  const { page } = await open(
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
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  // No element may be outside the screen either.
  const outside = await page.evaluate<string[]>(`[...document.querySelectorAll('#page *')]
    .filter((node) => !node.closest('.visually-hidden, svg') && node.getBoundingClientRect().right > 320.5)
    .map((node) => node.className)`);
  expect(outside).toEqual([]);
});

test('four taps fit a full-HD screen without scrolling', async () => {
  const taps = ['1', '2', '3', '4'].map((id) => createTap({ id, name: `Tap ${id}` }));
  const { page } = await open(createSnapshot({ taps }), { viewport: { width: 1920, height: 1080 } });
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1080);
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

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createProblem, textProblem } from '../../../src/core/health/problems.ts';
import type { SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { createSnapshot, createTap } from '../kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from '../kit/open-page.ts';
import { openMenu, openNotices } from '../kit/staff.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => session.close());

async function open(options: PageOptions = {}) {
  return (await openWith(createSnapshot({ held: 1 }), options)).page;
}

async function openWith(snapshot: SnapshotMessage, options: PageOptions = {}) {
  session = await openPage(browser, snapshot, options);
  return session;
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

test('staff read notices that lead to the page of their cause; nothing moves when one appears', async () => {
  const { daemon, page } = await openWith(createSnapshot(), { isStaff: true });
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
  const { page } = await openWith(createSnapshot({ problems }), { isStaff: true, locale: 'de-DE', viewport });
  await openNotices(page, '1 Hinweis');
  const notices = page.getByRole('region', { name: 'Hinweise' });
  await notices.getByText('Neben der Datenbank sind noch 0,4 GB frei.').waitFor();
  expect(await notices.getByRole('link').innerText()).toBe(
    'Speicherproblem. Freien Platz und SD-Karte prüfen. Neben der Datenbank sind noch 0,4 GB frei. EIO: i/o error, write',
  );
  expect(await notices.getByText('EIO: i/o error, write', { exact: true }).getAttribute('lang')).toBe('en');
  expect(await axeOn(page)).toEqual([]);
});

test('guests read no notices and no states of meters', async () => {
  const taps = [
    createTap({ meter_state: 'fault', meter_problem: textProblem('GPIO 19 is taken.'), calibrated: false }),
    createTap({ id: '2', meter_state: 'silent' }),
    createTap({ id: '3', meter_state: 'unmetered', meter_name: null }),
  ];
  const problems = [{ part: 'disk', problems: [textProblem('The disk is nearly full.')] }];
  const { page } = await openWith(createSnapshot({ taps, held: 2, clock_synced: false, problems }));
  await page.getByRole('article').nth(2).waitFor();
  expect(await page.getByRole('button', { name: 'notice' }).count()).toBe(0);
  for (const text of ['review', 'disk', 'clock', 'Counting', 'GPIO', 'Offline', 'calibrated', 'No meter']) {
    expect(await page.getByText(text).count(), text).toBe(0);
  }
});

test('the daemon’s clock can be set to the time of the device', async () => {
  const { daemon, page } = await openWith(createSnapshot({ clock_synced: false }), { isStaff: true });
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

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allFeatures } from '../../kit/daemon.ts';
import { axeOn, contrastOn } from '../kit/axe.ts';
import { browserCases, type PageCase } from '../kit/browser-cases.ts';
import { logInByForm, openMenu, waitForLogin } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
/** Storage with the login of Anna, a superuser, used for each staff page. */
let annaState: Awaited<ReturnType<BrowserContext['storageState']>>;

beforeAll(async () => {
  bar = await openStaffBar({
    role: 'superuser',
    settings: { features: allFeatures, judgement: { max_flow_ml_per_s: 100 } },
  });
  await bar.pour(40);
  await vi.waitFor(async () => expect(await count('drinks')).toBe(1), { timeout: 30_000 });
  await bar.pour(300, 800);
  await vi.waitFor(async () => expect(await count('held')).toBe(1), { timeout: 30_000 });
  annaState = await bar.page.context().storageState();
  await bar.page.context().close();
});
afterAll(() => bar.close());

/** Number of recorded drinks or held pours in the live state. */
async function count(what: 'drinks' | 'held'): Promise<number> {
  const reply = await fetch(`${bar.daemon.url}/api/live`, { headers: { 'X-Kegbot-Api-Key': bar.key } });
  const reader = reply.body!.getReader();
  let text = '';
  while (!/data: \{.*\}\n\n/.test(text)) {
    text += new TextDecoder().decode((await reader.read()).value);
  }
  await reader.cancel();
  const snapshot = JSON.parse(/data: (\{.*\})/.exec(text)![1]!) as { held: number; drinks: unknown[] };
  return what === 'held' ? snapshot.held : snapshot.drinks.length;
}

const clickToOpenDialog = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click();
  await page.getByRole('dialog').waitFor();
};

async function openSiteMenu(page: Page) {
  await openMenu(page);
  await page.getByRole('link', { name: 'Backups' }).waitFor();
}

/** Colour of the page's background. */
const backgroundOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

let silentMinutes = 20;

/** Changes a setting and expands its entry in the audit log. */
async function expandChange(page: Page) {
  silentMinutes += 1;
  await bar.callApi('PATCH', 'admin/alarms', { silent_minutes: silentMinutes });
  await page.reload();
  await page.locator('.from-to summary').first().click();
}

const pageCases: readonly PageCase[] = [
  { name: 'tap overview', path: '/' },
  { name: 'tap overview for staff', path: '/', isStaff: true },
  { name: 'drink dialog', path: '/', isStaff: true, open: clickToOpenDialog('.drink-correct') },
  { name: 'tap dialog', path: '/', isStaff: true, open: clickToOpenDialog('.tap-manage') },
  { name: 'held pours', path: '/held', isStaff: true },
  { name: 'log-in page', path: '/log-in', ready: '.form [name=password]' },
  { name: 'site menu', path: '/', isStaff: true, open: openSiteMenu },
  { name: 'beer menu', path: '/menu', ready: '.menu-card' },
  { name: 'drinks page', path: '/drinks', isStaff: true, ready: '.drink' },
  { name: 'kegs page', path: '/kegs', isStaff: true, ready: '.keg-card' },
  { name: 'new keg dialog', path: '/kegs', isStaff: true, open: clickToOpenDialog('.page .button') },
  { name: 'keg page', path: '/kegs/1', isStaff: true, ready: '.chart canvas' },
  { name: 'tap page', path: '/taps/1', ready: '.drink' },
  { name: 'sessions page', path: '/sessions', ready: '.row-name' },
  { name: 'statistics page', path: '/statistics', ready: '.chart canvas' },
  { name: 'pins page', path: '/hardware', isStaff: true, ready: '.pin-hint' },
  { name: 'meters page', path: '/meters', isStaff: true, ready: '.row-name' },
  { name: 'thermometers page', path: '/thermometers', isStaff: true, ready: '.tabs' },
  { name: 'wiring page', path: '/wiring', isStaff: true, ready: '.wire' },
  { name: 'calibration page', path: '/taps/1/calibrate', isStaff: true, ready: '.measured-figure' },
  { name: 'users page', path: '/users', isStaff: true, ready: '.row-name' },
  { name: 'new user dialog', path: '/users', isStaff: true, open: clickToOpenDialog('.page .button') },
  { name: 'site settings', path: '/site', isStaff: true, ready: '.flag' },
  { name: 'backups page', path: '/backups', isStaff: true, ready: '.page .button' },
  { name: 'log page', path: '/logs', isStaff: true, ready: '.log li' },
  {
    name: 'bug report',
    path: '/logs',
    isStaff: true,
    ready: '.log li',
    open: clickToOpenDialog('.page .row-actions .chip >> nth=1'),
  },
  { name: 'alarms page', path: '/alarms', isStaff: true, ready: '.form [name=quiet_hours]' },
  { name: 'mail page', path: '/mail', isStaff: true, ready: '.form [name=base_url]' },
  { name: 'webhooks page', path: '/webhooks', isStaff: true, ready: '.form [name=url]' },
  { name: 'audit log', path: '/audit', isStaff: true, open: expandChange },
  { name: 'account page', path: '/account', isStaff: true, ready: '.flag' },
  ...browserCases.flatMap(({ pages = [] }) => pages),
];

// Pages without an open dialog are in axe-pages.test.ts.
test.each(pageCases.filter(({ open, isStaff }) => open !== undefined || !isStaff))(
  'axe finds no violation, nor too little contrast in dark colours: $name',
  async ({ path, isStaff, ready, open }) => {
    const page = await bar.openPage({
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...(isStaff && { storageState: annaState }),
    });
    await page.goto(bar.daemon.url + path);
    await page.getByRole('heading', { level: 1, name: 'Tapster' }).waitFor();
    if (isStaff) await waitForLogin(page, 'anna');
    if (ready) await page.locator(ready).first().waitFor();
    await open?.(page);
    expect(await axeOn(page)).toEqual([]);
    const lightBackground = await backgroundOf(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await vi.waitFor(async () => expect(await backgroundOf(page)).not.toBe(lightBackground));
    expect(await contrastOn(page)).toEqual([]);
    await page.context().close();
  },
);

test('axe finds no violation while the code of a page is loading', async () => {
  const page = await bar.openPage({ reducedMotion: 'reduce' });
  await page.route(/log-in-page/, () => {});
  await page.goto(`${bar.daemon.url}/log-in`);
  await page.getByRole('heading', { level: 1, name: 'Tapster' }).waitFor();
  expect(await page.locator('.form').count()).toBe(0);
  expect(await axeOn(page)).toEqual([]);
  await page.context().close();
});

test('a page opened as guest shows the notices for staff after the sign-in, without a reload', async () => {
  const page = await bar.openPage();
  await logInByForm(page, bar.daemon.url);
  await page.getByRole('button', { name: '1 notice', exact: true }).waitFor();
  await page.context().close();
});

test.each(['/', '/held', '/log-in', ...browserCases.flatMap(({ guestPages = [] }) => guestPages)])(
  'a phone of 320 px scrolls %s only vertically',
  async (path) => {
    const page = await bar.openPage({ locale: 'de-DE', viewport: { width: 320, height: 640 } });
    await page.goto(bar.daemon.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main > *').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.context().close();
  },
);

test.each(pageCases.filter(({ path, isFullScreen }) => path !== '/' && !isFullScreen))(
  'fits a phone of 320 px for staff: $name',
  async ({ path, ready, open }) => {
    const viewport = { width: 320, height: 640 };
    const page = await bar.openPage({ locale: 'de-DE', viewport, storageState: annaState });
    await page.goto(bar.daemon.url + path);
    await waitForLogin(page, 'anna');
    if (ready) await page.locator(ready).first().waitFor();
    await open?.(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.context().close();
  },
);

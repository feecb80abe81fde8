import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { logIn, openClaims, recordDrinks, setPrivacy } from '../../../browser/kit/staff.ts';
import { openBrowser } from '../../../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../../kit/daemon.ts';

const fourTaps = {
  ...quickBar,
  meters: [0, 1, 2, 3].map((n) => ({ port: `flow${n}`, pin: 17 + n, ticks_per_ml: 5 })),
  taps: ['Left', 'Right', 'Garden', 'Cellar'].map((name, n) => ({ name, meter: `flow${n}` })),
};

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let staffPage: Page;
const browserErrors: string[] = [];
const openPages: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(fourTaps);
  daemon = await startDaemon(bar);
  for (const account of [['anna', '--staff'], ['bert']]) {
    await runCommand(['user', 'add', ...account, '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  }
  staffPage = await newPage();
  await logIn(staffPage, daemon.url);
  await callApi('PATCH', 'site', { volume_display_units: 'metric', allow_claims: true });
  const [tap] = (await callApi('GET', 'taps')).taps;
  await callApi('PATCH', `beverages/${tap.beverage.id}`, {
    description: 'Soft malt, a little honey.\nBrewed <b>down the road</b>.',
    ibu: 22,
  });
  const { serving_sizes: sizes } = await callApi('GET', 'serving-sizes');
  const half = sizes.find(({ volume_ml: ml }: { volume_ml: number }) => ml === 500);
  for (const { beverage } of (await callApi('GET', 'taps')).taps) {
    await callApi('PUT', `beverages/${beverage.id}/prices`, {
      prices: [{ serving_size_id: half.id, price_minor: 480 }],
    });
  }
});
afterEach(async () => {
  await Promise.all(openPages.splice(1).map((page) => page.context().close()));
  expect(browserErrors).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await daemon.kill();
  bar.remove();
});

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  openPages.push(page);
  return page;
}

/** Sends an API request with Anna's login. */
const callApi = (method: string, path: string, body?: object) =>
  staffPage.evaluate(
    async ([httpMethod, apiPath, json]) => {
      const reply = await fetch(`api/${apiPath}`, {
        method: httpMethod!,
        ...(json !== undefined && { headers: { 'Content-Type': 'application/json' }, body: json }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(text);
      return JSON.parse(text).result;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  );

/** The daemon under a host name, since the kiosk shows no QR code for a loopback address. */
const namedUrl = () => daemon.url.replace('127.0.0.1', 'bar.localhost');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('the QR code of the kiosk opens the menu, which shows all facts of a beer', async () => {
  const kiosk = await newPage({ viewport: { width: 1920, height: 1080 } });
  await kiosk.goto(`${namedUrl()}/kiosk`);
  const code = kiosk.getByRole('img', { name: /^QR code of/ });
  const address = (await code.getAttribute('aria-label'))!.replace('QR code of ', '');
  expect(address).toBe(`${namedUrl()}/menu`);
  // The kiosk cannot be scrolled, so all taps must fit.
  expect(await kiosk.getByRole('article').count()).toBe(4);
  expect(await kiosk.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1080);

  const phone = await newPage({ viewport: { width: 390, height: 800 } });
  await phone.goto(address);
  await phone.getByRole('heading', { level: 2, name: 'Beer menu' }).waitFor();
  const card = phone.locator('.menu-card').first();
  await card.getByText('Brewed <b>down the road</b>.').waitFor();
  const beer = (await callApi('GET', 'taps')).taps[0].beverage;
  expect(await card.innerText()).toMatch(
    new RegExp(
      [beer.name, beer.producer.name, beer.style_id, '%\\sABV', '22 IBU', 'Plenty left', 'at 1 · Left'].join(
        '[^]*',
      ),
    ),
  );
  expect(await card.locator('.menu-price').innerText()).toMatch(/500\smL\s+€4\.80/);
  expect(await phone.getByRole('button', { name: /^Claim/ }).count()).toBe(0);
});

test('the menu tells what is nearly empty', async () => {
  const phone = await newPage({ viewport: { width: 390, height: 800 } });
  await phone.goto(`${daemon.url}/menu`);
  const card = phone.locator('.menu-card').first();
  await card.getByText('Plenty left').waitFor();
  const { keg } = (await callApi('GET', 'taps')).taps[0];
  const { correction_id: correction } = await callApi('POST', `kegs/${keg.id}/spill`, {
    volume_ml: Math.round(keg.volume_ml_remain - 0.04 * keg.full_volume_ml),
  });
  await card.getByText('Nearly empty').waitFor();
  await callApi('POST', `corrections/${correction}/undo`);
  await card.getByText('Plenty left').waitFor();
});

test('the menu of a private site needs a log-in', async () => {
  await setPrivacy(daemon.url, 'members');
  const phone = await newPage();
  await phone.goto(`${daemon.url}/menu`);
  await phone.getByText('Only signed-in users can see this page.').first().waitFor();
  expect(await phone.locator('.menu-card').count()).toBe(0);
  await logIn(phone, daemon.url, 'bert');
  await phone.goto(`${daemon.url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  await setPrivacy(daemon.url, 'public');
});

test('a member claims a pour without user from a collapsed list and undoes it with one click', async () => {
  const phone = await newPage({ viewport: { width: 390, height: 800 } });
  await logIn(phone, daemon.url, 'bert');
  expect(await phone.getByText('Claim your pour').count()).toBe(0);
  await recordDrinks(staffPage, 1);
  const claim = () => button(phone, /^Claim: 20\smL/);
  await openClaims(phone);
  await claim().click();
  await phone.getByText('20 mL assigned to you.').waitFor();
  await phone.locator('.drink').filter({ hasText: 'bert' }).waitFor();
  await claim().waitFor({ state: 'detached' });
  await button(phone, 'Undo').click();
  await phone.getByText('No longer assigned.').waitFor();

  for (const path of ['/menu', '/drinks?user=bert']) {
    await phone.goto(daemon.url + path);
    await openClaims(phone);
    await claim().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme });
      expect(await axeOn(phone)).toEqual([]);
    }
  }
  await claim().click();
  await phone.locator('.drink').filter({ hasText: 'bert' }).waitFor();
  // A claimed pour is not offered again.
  await staffPage.goto(daemon.url);
  await staffPage.getByRole('heading', { name: 'Last drinks' }).waitFor();
  expect(await button(staffPage, /^Claim/).count()).toBe(0);
});

test('claims are not offered when the site does not allow them', async () => {
  await callApi('PATCH', 'site', { allow_claims: false });
  await recordDrinks(staffPage, 1);
  const phone = await newPage();
  await logIn(phone, daemon.url, 'bert');
  await phone.goto(`${daemon.url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  expect(await phone.getByText('Claim your pour').count()).toBe(0);
});

test('kiosk and menu show the next keg that staff announce, until they remove it', async () => {
  const kiosk = await newPage({ viewport: { width: 1920, height: 1080 } });
  await kiosk.goto(`${daemon.url}/kiosk`);
  await callApi('POST', 'kegs', {
    beverage_name: 'Midnight Stout',
    producer_name: 'Schwarz',
    style_name: 'Dry Stout',
    keg_type: 'corny',
  });
  await staffPage.goto(daemon.url);
  await button(staffPage, 'Edit Left').click();
  const dialog = staffPage.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Midnight Stout ·/ }).click();
  await staffPage.getByText('Next beer: Midnight Stout.').waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  await kiosk.getByText(/4\.80/).first().waitFor();

  const reducedKiosk = await newPage();
  await reducedKiosk.goto(`${daemon.url}/kiosk?hide=price,next`);
  await reducedKiosk.getByRole('article').first().waitFor();
  expect(await reducedKiosk.getByText(/Next:|4\.80/).count()).toBe(0);

  const phone = await newPage();
  await phone.goto(`${daemon.url}/menu`);
  await phone.getByText('Next: Midnight Stout, Schwarz').waitFor();
  await staffPage.goto(`${daemon.url}/taps/1`);
  await button(staffPage, 'None').click();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
  await button(staffPage, /^Midnight Stout ·/).click();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  // After the keg is ended, the announced one is put on with one more click.
  await staffPage.goto(daemon.url);
  await button(staffPage, 'Edit Left').click();
  await dialog.getByRole('button', { name: 'Keg empty' }).click();
  await dialog.getByRole('button', { name: 'Put next beer on tap: Midnight Stout' }).click();
  await kiosk.getByRole('article', { name: 'Midnight Stout' }).waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
});

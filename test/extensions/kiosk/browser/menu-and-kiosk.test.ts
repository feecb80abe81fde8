import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { logIn, openClaims, recordDrinks, setPrivacy } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';

const fourTaps = {
  meters: [0, 1, 2, 3].map((n) => ({ port: `flow${n}`, pin: 17 + n, ticks_per_ml: 5 })),
  taps: ['Left', 'Right', 'Garden', 'Cellar'].map((name, n) => ({ name, meter: `flow${n}` })),
};

interface Tap {
  readonly beverage: {
    readonly id: number;
    readonly name: string;
    readonly style_id: string;
    readonly producer: { readonly name: string };
  };
  readonly keg: { readonly id: number; readonly volume_ml_remain: number; readonly full_volume_ml: number };
}

let bar: StaffBar;
let staffPage: Page;
let url: string;
const openPages: Page[] = [];

const listTaps = async () => (await bar.callApi<{ taps: Tap[] }>('GET', 'taps')).taps;

beforeAll(async () => {
  bar = await openStaffBar({ members: ['bert'], settings: fourTaps });
  staffPage = bar.page;
  url = bar.daemon.url;
  await bar.callApi('PATCH', 'site', { volume_display_units: 'metric', allow_claims: true });
  const taps = await listTaps();
  await bar.callApi('PATCH', `beverages/${taps[0]!.beverage.id}`, {
    description: 'Soft malt, a little honey.\nBrewed <b>down the road</b>.',
    ibu: 22,
  });
  const { serving_sizes: sizes } = await bar.callApi<{
    serving_sizes: { id: number; volume_ml: number }[];
  }>('GET', 'serving-sizes');
  const half = sizes.find(({ volume_ml: ml }) => ml === 500)!;
  for (const { beverage } of taps) {
    await bar.callApi('PUT', `beverages/${beverage.id}/prices`, {
      prices: [{ serving_size_id: half.id, price_minor: 480 }],
    });
  }
});
afterEach(async () => {
  await Promise.all(openPages.splice(0).map((page) => page.context().close()));
  expect(bar.browserErrors).toEqual([]);
});
afterAll(() => bar.close());

/** A page that is closed after the test. */
async function newPage(device?: BrowserContextOptions, user?: string): Promise<Page> {
  const page = await bar.openPage(device, user);
  openPages.push(page);
  return page;
}

/** The daemon under a host name, since the kiosk shows no QR code for a loopback address. */
const namedUrl = () => url.replace('127.0.0.1', 'bar.localhost');
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
  const beer = (await listTaps())[0]!.beverage;
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
  await phone.goto(`${url}/menu`);
  const card = phone.locator('.menu-card').first();
  await card.getByText('Plenty left').waitFor();
  const { keg } = (await listTaps())[0]!;
  const { correction_id: correction } = await bar.callApi<{ correction_id: number }>(
    'POST',
    `kegs/${keg.id}/spill`,
    {
      volume_ml: Math.round(keg.volume_ml_remain - 0.04 * keg.full_volume_ml),
    },
  );
  await card.getByText('Nearly empty').waitFor();
  await bar.callApi('POST', `corrections/${correction}/undo`);
  await card.getByText('Plenty left').waitFor();
});

test('the menu of a private site needs a log-in', async () => {
  await setPrivacy(url, 'members');
  const phone = await newPage();
  await phone.goto(`${url}/menu`);
  await phone.getByText('Only signed-in users can see this page.').first().waitFor();
  expect(await phone.locator('.menu-card').count()).toBe(0);
  await logIn(phone, url, 'bert');
  await phone.goto(`${url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  await setPrivacy(url, 'public');
});

test('a member claims a pour without user from a collapsed list and undoes it with one click', async () => {
  const phone = await newPage({ viewport: { width: 390, height: 800 } });
  await logIn(phone, url, 'bert');
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
    await phone.goto(url + path);
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
  await staffPage.goto(url);
  await staffPage.getByRole('heading', { name: 'Last drinks' }).waitFor();
  expect(await button(staffPage, /^Claim/).count()).toBe(0);
});

test('claims are not offered when the site does not allow them', async () => {
  await bar.callApi('PATCH', 'site', { allow_claims: false });
  await recordDrinks(staffPage, 1);
  const phone = await newPage();
  await logIn(phone, url, 'bert');
  await phone.goto(`${url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  expect(await phone.getByText('Claim your pour').count()).toBe(0);
});

test('kiosk and menu show the next keg that staff announce, until they remove it', async () => {
  const kiosk = await newPage({ viewport: { width: 1920, height: 1080 } });
  await kiosk.goto(`${url}/kiosk`);
  await bar.callApi('POST', 'kegs', {
    beverage_name: 'Midnight Stout',
    producer_name: 'Schwarz',
    style_name: 'Dry Stout',
    keg_type: 'corny',
  });
  await staffPage.goto(url);
  await button(staffPage, 'Edit Left').click();
  const dialog = staffPage.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Midnight Stout ·/ }).click();
  await staffPage.getByText('Next beer: Midnight Stout.').waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  await kiosk.getByText(/4\.80/).first().waitFor();

  const reducedKiosk = await newPage();
  await reducedKiosk.goto(`${url}/kiosk?hide=price,next`);
  await reducedKiosk.getByRole('article').first().waitFor();
  expect(await reducedKiosk.getByText(/Next:|4\.80/).count()).toBe(0);

  const phone = await newPage();
  await phone.goto(`${url}/menu`);
  await phone.getByText('Next: Midnight Stout, Schwarz').waitFor();
  await staffPage.goto(`${url}/taps/1`);
  await button(staffPage, 'None').click();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
  await button(staffPage, /^Midnight Stout ·/).click();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  // After the keg is ended, the announced one is put on with one more click.
  await staffPage.goto(url);
  await button(staffPage, 'Edit Left').click();
  await dialog.getByRole('button', { name: 'Keg empty' }).click();
  await dialog.getByRole('button', { name: 'Put next beer on tap: Midnight Stout' }).click();
  await kiosk.getByRole('article', { name: 'Midnight Stout' }).waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
});

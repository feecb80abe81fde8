import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { logInByForm } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

const eightTaps = {
  meters: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ port: `flow${n}`, pin: 4 + n, ticks_per_ml: 5 })),
  taps: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ name: `Tap ${n}`, meter: `flow${n - 1}` })),
};

interface ServingSize {
  readonly id: number;
  readonly volume_ml: number;
  readonly name: string;
  readonly names: object;
}

let bar: StaffBar;
let staffPage: Page;
const openPages: Page[] = [];

const servingSizes = async () =>
  (await bar.callApi<{ serving_sizes: readonly ServingSize[] }>('GET', 'serving-sizes')).serving_sizes;
const beers = async () =>
  (await bar.callApi<{ taps: { beverage: { id: number; name: string } }[] }>('GET', 'taps')).taps.map(
    ({ beverage }) => beverage,
  );

beforeAll(async () => {
  bar = await openStaffBar({ device: { viewport: { width: 1440, height: 900 } }, settings: eightTaps });
  staffPage = bar.page;
  await bar.callApi('PATCH', 'site', {
    volume_display_units: 'metric',
    locale: 'de-DE',
    allergen_note: 'All beers contain gluten.',
  });
  const sizes = await servingSizes();
  const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#7d570f' } })
    .png()
    .toBuffer();
  for (const beverage of await beers()) {
    await bar.callApi('PATCH', `beverages/${beverage.id}`, {
      description: 'Soft malt, a little honey and a long dry finish.\nBrewed down the road since 1876.',
      ibu: 22,
      allergens: 'Barley malt, wheat',
    });
    await bar.callApi('PUT', `beverages/${beverage.id}/prices`, {
      prices: [
        { serving_size_id: sizes[1]!.id, price_minor: 320 },
        { serving_size_id: sizes[3]!.id, price_minor: 480 },
      ],
    });
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'label.png');
    await bar.callApi('POST', `beverages/${beverage.id}/picture`, form);
  }
});
afterEach(async () => {
  await Promise.all(openPages.splice(0).map((page) => page.context().close()));
  expect(bar.browserErrors).toEqual([]);
});
afterAll(() => bar.close());

const pageCount = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

async function openMenu(options: BrowserContextOptions = {}, query = ''): Promise<Page> {
  const guest = await bar.openPage(options);
  openPages.push(guest);
  await guest.goto(`${bar.daemon.url}/menu${query}`);
  await guest.locator('.menu-picture').nth(7).waitFor();
  return guest;
}

test('the menu shows picture, facts, prices per size and allergens, and nothing for staff', async () => {
  const guest = await openMenu({ viewport: { width: 390, height: 844 } });
  const card = guest.locator('.menu-card').first();
  expect(await card.innerText()).toMatch(
    /%\sABV[\s\S]*22 IBU[\s\S]*long dry finish[\s\S]*Allergens: Barley malt, wheat[\s\S]*0\.3\sL\s+€3\.20[\s\S]*0\.5\sL\s+€4\.80/,
  );
  await guest.getByText('All beers contain gluten.').waitFor();
  expect(await guest.getByRole('link', { name: /QR code/ }).count()).toBe(0);
});

test('?lang= chooses the language of the menu', async () => {
  const guest = await openMenu({ viewport: { width: 390, height: 844 } }, '?lang=de');
  await guest.getByRole('heading', { name: 'Bierkarte' }).waitFor();
  expect(await guest.locator('.menu-prices').first().innerText()).toMatch(/0,3\sL\s+3,20\s€/);
  expect(await guest.locator('html').getAttribute('lang')).toBe('de');
});

test.each(['A4', 'Letter'] as const)('eight beers print on one page %s', async (format) => {
  const guest = await openMenu();
  expect(pageCount(await guest.pdf({ format, preferCSSPageSize: false }))).toBe(1);
});

test.each([390, 768, 1440])('the menu fits %i pixels and is accessible in both themes', async (width) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const guest = await openMenu({ viewport: { width, height: 900 }, colorScheme });
    expect(await axeOn(guest)).toEqual([]);
    expect(await guest.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
});

test('staff print the QR code of the menu', async () => {
  const url = bar.daemon.url.replace('127.0.0.1', 'bar.localhost');
  await logInByForm(staffPage, url);
  await staffPage.goto(`${url}/menu/qr`);
  await staffPage.getByRole('img', { name: /^QR code of http:\/\/bar\.localhost:\d+\/menu$/ }).waitFor();
  await staffPage.getByRole('button', { name: 'Print', exact: true }).waitFor();
  expect(await axeOn(staffPage, 'main')).toEqual([]);
  expect(pageCount(await staffPage.pdf({ format: 'A4' }))).toBe(1);
  await staffPage.goto(bar.daemon.url);
});

test('staff add, rename, reorder and delete serving sizes', async () => {
  await staffPage.goto(`${bar.daemon.url}/site`);
  const sizes = staffPage.getByRole('form', { name: 'Serving sizes' });
  const volumes = () => sizes.getByLabel('Volume');
  await expect.poll(() => volumes().count()).toBe(4);
  await sizes.getByRole('button', { name: 'Delete 0.2 L' }).click();
  await sizes.getByRole('button', { name: 'Add size' }).click();
  await volumes().last().fill('a lot');
  await sizes.getByRole('button', { name: 'Save' }).click();
  await sizes.getByText(/is not a volume/).waitFor();
  await volumes().last().fill('1,5 l');
  await sizes.getByLabel('Name (optional)').last().fill('Jug');
  await sizes.getByRole('button', { name: 'Move Jug up' }).click();
  await sizes.getByLabel('Name (optional)').first().fill('Small');
  expect(await axeOn(staffPage, 'main')).toEqual([]);
  await sizes.getByRole('button', { name: 'Save' }).click();
  await staffPage.getByText('Saved.').waitFor();
  const stored = await servingSizes();
  // The jug has a name of its own in German.
  const last = sizes
    .getByRole('listitem')
    .filter({ has: staffPage.getByRole('button', { name: 'Delete Jug' }) });
  await last.getByText('Names in other languages').click();
  await last.getByLabel('German').fill('Krug');
  await sizes.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await servingSizes())[2]?.names).toEqual({ de: 'Krug' });
  expect(stored.map(({ volume_ml: ml, name }) => [ml, name])).toEqual([
    [300, 'Small'],
    [400, ''],
    [1_500, 'Jug'],
    [500, ''],
  ]);
});

test('staff set the price of a beer per size, and guests see it', async () => {
  const guest = await openMenu();
  await staffPage.goto(`${bar.daemon.url}/reports`);
  const [first] = await beers();
  const beer = staffPage.getByRole('form', { name: first!.name }).first();
  await beer.getByLabel(/1\.5\sL/).fill('much');
  await beer.getByRole('button', { name: /^Save prices of/ }).click();
  await beer.getByText('number').waitFor();
  await beer.getByLabel(/1\.5\sL/).fill('12,50');
  await beer.getByRole('button', { name: /^Save prices of/ }).click();
  await guest.getByText('€12.50').first().waitFor();
  expect(await guest.locator('.menu-card').first().innerText()).toMatch(/Jug · 1\.5\sL\s+€12\.50/);
  const german = await openMenu({}, '?lang=de');
  expect(await german.locator('.menu-card').first().innerText()).toMatch(/Krug · 1,5\sL\s+12,50\s€/);
  await staffPage.goto(`${bar.daemon.url}/reports?lang=de`);
  const inGerman = staffPage.getByRole('form', { name: first!.name }).first();
  expect(await inGerman.getByLabel(/1,5\sL/).inputValue()).toBe('12,50');
});

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn } from '../kit/staff.ts';

const eightTaps = {
  ...quickBar,
  meters: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ port: `flow${n}`, pin: 4 + n, ticks_per_ml: 5 })),
  taps: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ name: `Tap ${n}`, meter: `flow${n - 1}` })),
};

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let staffPage: Page;
const browserErrors: string[] = [];
const openPages: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(eightTaps);
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  staffPage = await newPage({ viewport: { width: 1440, height: 900 } });
  await logIn(staffPage, daemon.url);
  await callApi('PATCH', 'site', {
    volume_display_units: 'metric',
    locale: 'de-DE',
    allergen_note: 'All beers contain gluten.',
  });
  const { serving_sizes: sizes } = await callApi('GET', 'serving-sizes');
  const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#7d570f' } })
    .png()
    .toBuffer();
  const { taps } = await callApi('GET', 'taps');
  for (const { beverage } of taps) {
    await callApi('PATCH', `beverages/${beverage.id}`, {
      description: 'Soft malt, a little honey and a long dry finish.\nBrewed down the road since 1876.',
      ibu: 22,
      allergens: 'Barley malt, wheat',
    });
    await callApi('PUT', `beverages/${beverage.id}/prices`, {
      prices: [
        { serving_size_id: sizes[1].id, price_minor: 320 },
        { serving_size_id: sizes[3].id, price_minor: 480 },
      ],
    });
    await staffPage.evaluate(
      async ([id, base64]) => {
        const form = new FormData();
        const bytes = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
        form.append('image', new Blob([bytes], { type: 'image/png' }), 'label.png');
        const reply = await fetch(`api/beverages/${id}/picture`, { method: 'POST', body: form });
        if (!reply.ok) throw new Error(await reply.text());
      },
      [beverage.id, picture.toString('base64')],
    );
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

const pageCount = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

async function openMenu(options: BrowserContextOptions = {}, query = ''): Promise<Page> {
  const guest = await newPage(options);
  await guest.goto(`${daemon.url}/menu${query}`);
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
  await staffPage.goto(`${daemon.url.replace('127.0.0.1', 'bar.localhost')}/log-in`);
  await logIn(staffPage, daemon.url.replace('127.0.0.1', 'bar.localhost'));
  await staffPage.goto(`${daemon.url.replace('127.0.0.1', 'bar.localhost')}/menu/qr`);
  await staffPage.getByRole('img', { name: /^QR code of http:\/\/bar\.localhost:\d+\/menu$/ }).waitFor();
  await staffPage.getByRole('button', { name: 'Print', exact: true }).waitFor();
  expect(await axeOn(staffPage, 'main')).toEqual([]);
  expect(pageCount(await staffPage.pdf({ format: 'A4' }))).toBe(1);
  await staffPage.goto(daemon.url);
});

test('staff add, rename, reorder and delete serving sizes', async () => {
  await staffPage.goto(`${daemon.url}/site`);
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
  const { serving_sizes: stored } = await callApi('GET', 'serving-sizes');
  // The jug has a name of its own in German.
  const last = sizes
    .getByRole('listitem')
    .filter({ has: staffPage.getByRole('button', { name: 'Delete Jug' }) });
  await last.getByText('Names in other languages').click();
  await last.getByLabel('German').fill('Krug');
  await sizes.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await callApi('GET', 'serving-sizes')).serving_sizes[2].names)
    .toEqual({ de: 'Krug' });
  expect(stored.map(({ volume_ml: ml, name }: { volume_ml: number; name: string }) => [ml, name])).toEqual([
    [300, 'Small'],
    [400, ''],
    [1_500, 'Jug'],
    [500, ''],
  ]);
});

test('staff set the price of a beer per size, and guests see it', async () => {
  const guest = await openMenu();
  await staffPage.goto(`${daemon.url}/reports`);
  const { taps } = await callApi('GET', 'taps');
  const beer = staffPage.getByRole('form', { name: taps[0].beverage.name }).first();
  await beer.getByLabel(/1\.5\sL/).fill('much');
  await beer.getByRole('button', { name: /^Save prices of/ }).click();
  await beer.getByText('number').waitFor();
  await beer.getByLabel(/1\.5\sL/).fill('12,50');
  await beer.getByRole('button', { name: /^Save prices of/ }).click();
  await guest.getByText('€12.50').first().waitFor();
  expect(await guest.locator('.menu-card').first().innerText()).toMatch(/Jug · 1\.5\sL\s+€12\.50/);
  const german = await openMenu({}, '?lang=de');
  expect(await german.locator('.menu-card').first().innerText()).toMatch(/Krug · 1,5\sL\s+12,50\s€/);
  await staffPage.goto(`${daemon.url}/reports?lang=de`);
  const inGerman = staffPage.getByRole('form', { name: taps[0].beverage.name }).first();
  expect(await inGerman.getByLabel(/1,5\sL/).inputValue()).toBe('12,50');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';
import { axeOn } from './kit/axe.ts';
import { enter, recordDrinks } from './kit/staff.ts';

const fourTaps = {
  ...quickBar,
  meters: [0, 1, 2, 3].map((n) => ({ port: `flow${n}`, pin: 17 + n, ticks_per_ml: 5 })),
  taps: ['Left', 'Right', 'Garden', 'Cellar'].map((name, n) => ({ name, meter: `flow${n}` })),
};

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let staff: Page;
const complaints: string[] = [];
const visits: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(fourTaps);
  daemon = await startDaemon(bar);
  for (const account of [['anna', '--staff'], ['bert']]) {
    await runCommand(['user', 'add', ...account, '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  }
  staff = await arrive();
  await enter(staff, daemon.url);
  await ask('PATCH', 'site', { volume_display_units: 'metric', allow_claims: true });
  const [tap] = (await ask('GET', 'taps')).taps;
  await ask('PATCH', `beverages/${tap.beverage.id}`, {
    description: 'Soft malt, a little honey.\nBrewed <b>down the road</b>.',
    ibu: 22,
  });
  for (const id of [1, 2, 3, 4]) await ask('PUT', `admin/prices/${id}`, { serving_ml: 500, price: 4.8 });
});
afterEach(async () => {
  await Promise.all(visits.splice(1).map((page) => page.context().close()));
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await daemon.kill();
  bar.remove();
});

async function arrive(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  visits.push(page);
  return page;
}

/** Anna's browser asks the API with her login. */
const ask = (method: string, path: string, body?: object) =>
  staff.evaluate(
    async ([how, where, what]) => {
      const reply = await fetch(`api/${where}`, {
        method: how!,
        ...(what !== undefined && { headers: { 'Content-Type': 'application/json' }, body: what }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(text);
      return JSON.parse(text).result;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  );

/** The house under a name that a phone could type, so that the board has an address to show. */
const asNamed = () => daemon.url.replace('127.0.0.1', 'bar.localhost');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('the code on the board opens the menu, which tells a guest all there is to know', async () => {
  const kiosk = await arrive({ viewport: { width: 1920, height: 1080 } });
  await kiosk.goto(`${asNamed()}/kiosk?night=off`);
  const code = kiosk.getByRole('img', { name: /^QR code of/ });
  const address = (await code.getAttribute('aria-label'))!.replace('QR code of ', '');
  expect(address).toBe(`${asNamed()}/menu`);
  // A board that nobody can scroll shows all of its taps.
  expect(await kiosk.getByRole('article').count()).toBe(4);
  expect(await kiosk.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1080);

  const phone = await arrive({ viewport: { width: 390, height: 800 } });
  await phone.goto(address);
  await phone.getByRole('heading', { level: 2, name: 'Beer menu' }).waitFor();
  const card = phone.locator('.menu-card').first();
  await card.getByText('Brewed <b>down the road</b>.').waitFor();
  const beer = (await ask('GET', 'taps')).taps[0].beverage;
  expect(await card.innerText()).toMatch(
    new RegExp(
      [beer.name, beer.producer.name, beer.style_id, '% ABV', '22 IBU', 'Plenty left', 'at Left'].join(
        '[^]*',
      ),
    ),
  );
  expect(await card.locator('.menu-price').innerText()).toMatch(/4\.80\s+0\.5 L/);
  expect(await phone.getByRole('button', { name: /mine/ }).count()).toBe(0);
});

test('a private house asks a guest of the menu who is there', async () => {
  await ask('PATCH', 'site', { privacy: 'members' });
  const phone = await arrive();
  await phone.goto(`${daemon.url}/menu`);
  await phone.getByText('This house shows its taps to those who are logged in.').first().waitFor();
  expect(await phone.locator('.menu-card').count()).toBe(0);
  await enter(phone, daemon.url, 'bert');
  await phone.goto(`${daemon.url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  await ask('PATCH', 'site', { privacy: 'public' });
});

test('a member takes a pour of nobody with one touch, and gives it back with another', async () => {
  const phone = await arrive({ viewport: { width: 390, height: 800 } });
  await enter(phone, daemon.url, 'bert');
  expect(await phone.getByText('Was one of these yours?').count()).toBe(0);
  await recordDrinks(staff, 1);
  const claim = () => button(phone, /^That was mine: 20 mL/);
  await claim().click();
  await phone.getByText('20 mL noted for you.').waitFor();
  await phone.locator('.drink').filter({ hasText: 'bert' }).waitFor();
  await claim().waitFor({ state: 'detached' });
  await button(phone, 'Undo').click();
  await phone.getByText('It is nobody’s again.').waitFor();

  for (const path of ['/menu', '/drinks?user=bert']) {
    await phone.goto(daemon.url + path);
    await claim().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme });
      expect(await axeOn(phone)).toEqual([]);
    }
  }
  await claim().click();
  await phone.locator('.drink').filter({ hasText: 'bert' }).waitFor();
  // Whoever comes second finds nothing to take.
  await staff.goto(daemon.url);
  await staff.getByRole('heading', { name: 'Last drinks' }).waitFor();
  expect(await button(staff, /^That was mine/).count()).toBe(0);
});

test('where the house lets nobody take pours, nobody is asked', async () => {
  await ask('PATCH', 'site', { allow_claims: false });
  await recordDrinks(staff, 1);
  const phone = await arrive();
  await enter(phone, daemon.url, 'bert');
  await phone.goto(`${daemon.url}/menu`);
  await phone.locator('.menu-card').first().waitFor();
  expect(await phone.getByText('Was one of these yours?').count()).toBe(0);
});

test('staff announce what comes next at the tap, and board and menu show it until they think better', async () => {
  const kiosk = await arrive({ viewport: { width: 1920, height: 1080 } });
  await kiosk.goto(`${daemon.url}/kiosk?night=off`);
  await ask('POST', 'kegs', {
    beverage_name: 'Midnight Stout',
    producer_name: 'Schwarz',
    style_name: 'Dry Stout',
    keg_type: 'corny',
  });
  await staff.goto(daemon.url);
  await button(staff, /Left/).first().click();
  const sheet = staff.getByRole('dialog');
  await sheet.getByRole('button', { name: /^Midnight Stout ·/ }).click();
  await staff.getByText('Midnight Stout is announced.').waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  await kiosk.getByText(/4\.80/).first().waitFor();

  const quiet = await arrive();
  await quiet.goto(`${daemon.url}/kiosk?night=off&hide=price,next`);
  await quiet.getByRole('article').first().waitFor();
  expect(await quiet.getByText(/Next:|4\.80/).count()).toBe(0);

  const phone = await arrive();
  await phone.goto(`${daemon.url}/menu`);
  await phone.getByText('Next: Midnight Stout, Schwarz').waitFor();
  await staff.goto(`${daemon.url}/taps/1`);
  await button(staff, 'Nothing announced').click();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
  await button(staff, /^Midnight Stout ·/).click();
  await kiosk.getByText('Next: Midnight Stout').waitFor();
  // The keg on the tap is empty: the one that was announced follows with two touches.
  await staff.goto(daemon.url);
  await button(staff, /Left/).first().click();
  await sheet.getByRole('button', { name: 'It is empty: take it off' }).click();
  await button(staff, /Left/).first().click();
  await sheet.getByRole('button', { name: 'Put the next one on: Midnight Stout' }).click();
  await kiosk.getByRole('article', { name: 'Midnight Stout' }).waitFor();
  await kiosk.getByText('Next: Midnight Stout').waitFor({ state: 'detached' });
});

test('the sign of the house is hung up in the settings, and shows on board and menu', async () => {
  const file = join(bar.path, 'sign.png');
  await sharp({ create: { width: 300, height: 120, channels: 3, background: '#7d570f' } })
    .png()
    .toFile(file);
  await staff.goto(`${daemon.url}/site`);
  await staff.getByLabel('A picture from this device').setInputFiles(file);
  await button(staff, 'Hang it up').click();
  await staff.getByText('The sign hangs.').waitFor();
  await staff.getByRole('img', { name: 'Sign of the house' }).waitFor();
  const kiosk = await arrive();
  await kiosk.goto(`${daemon.url}/kiosk?night=off`);
  const width = () => kiosk.locator('.kiosk-logo').evaluate((sign) => sign.getBoundingClientRect().width);
  await expect.poll(width).toBeGreaterThan(40);
  await button(staff, 'Take it down').click();
  await kiosk.locator('.kiosk-logo').waitFor({ state: 'detached' });
});

test('the board goes on by itself when the plug was pulled and the house is back', async () => {
  const kiosk = await arrive();
  await kiosk.goto(`${daemon.url}/kiosk?night=off`);
  await kiosk.getByRole('article').first().waitFor();
  const { port } = new URL(daemon.url);
  await kiosk.evaluate('document.documentElement.dataset.mark = "never loaded anew"');
  await daemon.kill();
  await kiosk.getByText('The daemon is away.').waitFor();
  const config = { ...fourTaps, database: bar.database, http: { host: '127.0.0.1', port: Number(port) } };
  writeFileSync(bar.configFile, JSON.stringify(config));
  daemon = await startDaemon(bar);
  await kiosk.getByText('The daemon is away.').waitFor({ state: 'detached', timeout: 30_000 });
  await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks: 1_000, hz: 400 }),
  });
  await kiosk.locator('.tap.is-pouring').waitFor();
  expect(await kiosk.evaluate('document.documentElement.dataset.mark')).toBe('never loaded anew');
});

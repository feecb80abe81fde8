import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FlowBar, startFlowBar } from '../../../browser/kit/flow-bar.ts';
import { text } from '../../../browser/kit/texts.ts';
import { quickBar, startDaemon } from '../../../kit/daemon.ts';

let flowBar: FlowBar;
let url: string;
const pages: Page[] = [];
const browserErrors: string[] = [];

beforeAll(async () => {
  flowBar = await startFlowBar();
  url = flowBar.daemon.url;
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
  expect(browserErrors).toEqual([]);
});
afterAll(async () => {
  await flowBar.close();
});

/** Opens the kiosk in a new browser profile; `script` runs before the page does. */
async function openKiosk(query = '', options: BrowserContextOptions = {}, script?: string): Promise<Page> {
  const context = await flowBar.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const page = await context.newPage();
  pages.push(page);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(`${url}/kiosk${query}`);
  await page.getByRole('article').first().waitFor();
  return page;
}

const pour = (ticks: number) =>
  fetch(`${url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks, hz: 400 }),
  });

test('a tile shows the label, the number of its tap, the beer, its price per size and what is left', async () => {
  const { taps } = await flowBar.callApi<{ taps: { beverage: { id: string; name: string } }[] }>(
    'GET',
    'taps',
  );
  const [beer, other] = taps.map(({ beverage }) => beverage);
  const label = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#227755' } })
    .png()
    .toBuffer();
  const reply = await flowBar.page.context().request.post(`${url}/api/beverages/${beer!.id}/picture`, {
    multipart: { image: { name: 'label.png', mimeType: 'image/png', buffer: label } },
  });
  expect(reply.status()).toBeLessThan(300);
  await flowBar.callApi('PATCH', `beverages/${beer!.id}`, { ibu: 22, description: 'Brewed down the road.' });
  const { serving_sizes: sizes } = await flowBar.callApi<{ serving_sizes: { id: number }[] }>(
    'PUT',
    'serving-sizes',
    {
      serving_sizes: [{ volume_ml: 300 }, { volume_ml: 500 }],
    },
  );
  await flowBar.callApi('PUT', `beverages/${beer!.id}/prices`, {
    prices: [
      { serving_size_id: sizes[0]!.id, price_minor: 320 },
      { serving_size_id: sizes[1]!.id, price_minor: 480 },
    ],
  });

  const kiosk = await openKiosk();
  const tile = kiosk.getByRole('article', { name: beer!.name });
  await tile.getByText('22 IBU').waitFor();
  expect(await tile.innerText()).toMatch(
    /^1\s+Left\s+€3\.20 300\smL\s+€4\.80 500\smL[\s\S]+Brewed down the road\.[\s\S]+\sL left/,
  );
  const width = () => tile.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(width).toBe(300);
  // The other beer has no label: a glass in its colour is drawn.
  expect(await kiosk.getByRole('article', { name: other!.name }).locator('.beer-glass').count()).toBe(1);

  const reduced = await openKiosk('?hide=price,description,level,pictures&taps=1');
  expect(await reduced.getByRole('article').count()).toBe(1);
  expect(await reduced.getByText(/3\.20|4\.80|down the road| left/).count()).toBe(0);
  expect(await reduced.locator('img, .beer-glass').count()).toBe(0);
});

test('a logo is cropped in the settings, shown until it is removed, and restored by undo', async () => {
  const file = join(flowBar.bar.path, 'logo.png');
  await sharp({ create: { width: 300, height: 120, channels: 3, background: '#7d570f' } })
    .png()
    .toFile(file);
  const { page } = flowBar;
  await page.goto(`${url}/site`);
  const section = page.getByRole('region', { name: text('sitePictures.logo.title') });
  await section.getByLabel(text('pictures.choose')).setInputFiles(file);
  const dialog = page.getByRole('dialog', { name: text('pictures.crop') });
  await dialog.getByRole('button', { name: text('pictures.shapes.original'), pressed: true }).waitFor();
  await dialog.getByRole('button', { name: text('pictures.take') }).click();
  await section.getByRole('button', { name: text('sitePictures.logo.save') }).click();
  await page.getByText(text('sitePictures.logo.set')).waitFor({ timeout: 30_000 });
  const kiosk = await openKiosk();
  const width = () => kiosk.locator('.kiosk-logo').evaluate((logo) => logo.getBoundingClientRect().width);
  await expect.poll(width).toBeGreaterThan(40);
  const menu = await flowBar.browser.newPage({ locale: 'en-GB' });
  await menu.goto(`${url}/menu`);
  await menu.locator('.menu-logo').waitFor();
  await menu.close();
  const { site } = await flowBar.callApi<{ site: { logo_url: string } }>('GET', 'site');
  const stored = await page.request.get(`${url}${site.logo_url}`);
  expect(await sharp(await stored.body()).metadata()).toMatchObject({ width: 300, height: 120 });
  await section.getByRole('button', { name: text('pictures.remove') }).click();
  await section.getByRole('button', { name: text('sitePictures.logo.save') }).click();
  await kiosk.locator('.kiosk-logo').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: text('common.undo') }).click();
  await kiosk.locator('.kiosk-logo').waitFor();
});

test('the theme of the URL replaces that of the device', async () => {
  const kiosk = await openKiosk('?theme=dark', { colorScheme: 'light' });
  const ground = () => kiosk.evaluate('getComputedStyle(document.body).backgroundColor');
  const isDark = async () => /rgb\(\d\d?, \d\d?, \d\d?\)/.test(String(await ground()));
  await expect.poll(isDark).toBe(true);
});

test('the language of the URL replaces that of the device', async () => {
  const kiosk = await openKiosk('?lang=de');
  await kiosk
    .getByText(/^noch \d+,\d\sL$/)
    .first()
    .waitFor();
  expect(await kiosk.locator('html').getAttribute('lang')).toBe('de');
});

test('the screen is dimmed outside the opening hours of the bar, unless its address has others', async () => {
  const hourMs = 3_600_000;
  const { site } = await flowBar.callApi<{ site: { timezone: string } }>('GET', 'site');
  const clock = (ms: number) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: site.timezone }).format(
      ms,
    );
  const now = Date.now();
  const isDimmed = (kiosk: Page) => kiosk.locator('.kiosk').getAttribute('data-dimmed');
  const laterHours = `${clock(now + hourMs)}-${clock(now + 2 * hourMs)}`;
  const closed = await openKiosk(`?open=${laterHours}`);
  expect(await isDimmed(closed)).toBe('true');
  const open = await openKiosk(`?open=${clock(now - hourMs)}-${clock(now + hourMs)}`);
  expect(await isDimmed(open)).toBe('false');
  const ofBar = await openKiosk();
  expect(await isDimmed(ofBar)).toBe('false');
  const never = await openKiosk('?open=off');
  await flowBar.callApi('PATCH', 'site', { opening_hours: laterHours });
  await expect.poll(() => isDimmed(ofBar)).toBe('true');
  expect(await isDimmed(open)).toBe('false');
  expect(await isDimmed(never)).toBe('false');
  await flowBar.callApi('PATCH', 'site', { opening_hours: '' });
  await expect.poll(() => isDimmed(ofBar)).toBe('false');
});

test('keeps the screen on, also after the window was hidden', async () => {
  const kiosk = await openKiosk(
    '',
    {},
    `window.locks = 0;
     Object.defineProperty(navigator, 'wakeLock', {
       value: { request: async () => { window.locks += 1; return { release: async () => {} }; } },
     });`,
  );
  await expect.poll(() => kiosk.evaluate('window.locks')).toBe(1);
  await kiosk.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await expect.poll(() => kiosk.evaluate('window.locks')).toBe(2);
});

test('nothing moves by itself, and nothing at all with reduced motion', async () => {
  const kiosk = await openKiosk('', { reducedMotion: 'reduce' });
  await pour(400);
  await kiosk.locator('.kiosk-tile[data-pouring=true]').waitFor();
  expect(await kiosk.evaluate('document.getAnimations().length')).toBe(0);
  await kiosk.getByText(/^Last pour .* 80\smL$/).waitFor();
  const usual = await openKiosk();
  const animations = () =>
    usual.evaluate(
      () => document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== 1).length,
    );
  expect(await animations()).toBe(0);
});

test('shows the last state without the daemon, and is live again after it without reloading', async () => {
  const kiosk = await openKiosk();
  const { port } = new URL(url);
  await kiosk.evaluate('document.documentElement.dataset.mark = "never loaded again"');
  const notLive = kiosk.getByText('Not live');
  expect(await notLive.count()).toBe(0);
  await flowBar.daemon.kill();
  await notLive.waitFor();
  expect(await kiosk.getByRole('article').count()).toBe(2);
  expect(await kiosk.locator('body').innerText()).not.toMatch(/connection|daemon|again/i);
  const config = {
    ...quickBar,
    database: flowBar.bar.database,
    http: { host: '127.0.0.1', port: Number(port) },
  };
  writeFileSync(flowBar.bar.configFile, JSON.stringify(config));
  const restarted = await startDaemon(flowBar.bar);
  try {
    await notLive.waitFor({ state: 'detached', timeout: 30_000 });
    await pour(1_000);
    await kiosk.locator('.kiosk-tile[data-pouring=true]').waitFor();
    expect(await kiosk.evaluate('document.documentElement.dataset.mark')).toBe('never loaded again');
  } finally {
    await restarted.kill();
  }
});

import type { Browser, Page } from 'playwright-core';
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
import { longNames, misfits, screens } from './kit/fit.ts';
import { logIn, openMenu, recordDrinks } from './kit/staff.ts';

/** GPIO numbers from this one on are free for meters. */
const firstPin = 2;

const pages = [
  '/',
  '/menu',
  '/drinks',
  '/kegs',
  '/kegs/1',
  '/taps/1',
  '/taps/1/edit',
  '/taps/1/calibrate',
  '/sessions',
  '/activity',
  '/statistics',
  '/held',
  '/reports',
  '/export',
  '/account',
  '/users',
  '/audit',
  '/controllers',
  '/wiring',
  '/site',
  '/mail',
  '/webhooks',
  '/backups',
  '/logs',
] as const;

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  await page.context().close();
  await daemon.kill();
  bar.remove();
});

/** Starts a bar with that many taps, all with long names, and logs a superuser in. */
async function openBar(taps: number) {
  const numbers = Array.from({ length: taps }, (_, index) => index);
  bar = makeBar({
    ...quickBar,
    meters: numbers.map((index) => ({ port: `flow${index}`, pin: firstPin + index, ticks_per_ml: 5 })),
    taps: numbers.map((index) => ({ name: `${longNames.tap} ${index + 1}`, meter: `flow${index}` })),
    demo: { kegs: false },
  });
  daemon = await startDaemon(bar);
  await runCommand(
    ['user', 'add', 'anna', '--staff', '--superuser', '--password-stdin', '--config', bar.configFile],
    { input: 'a good long password\n' },
  );
  page = await (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage();
  await logIn(page, daemon.url);
  await send('PATCH', 'site', { title: longNames.bar });
  for (const index of numbers.slice(0, 4)) {
    await send('POST', `taps/${index + 1}/start-keg`, {
      beverage_name: longNames.beer,
      producer_name: longNames.brewery,
      style_name: 'Festbier',
      keg_type: 'half-barrel',
    });
  }
  if (taps > 1) await recordDrinks(page, 6);
}

async function send(method: string, path: string, body: object) {
  await page.evaluate(
    async ([verb, address, json]) => {
      const reply = await fetch(`/api/${address}`, {
        method: verb!,
        headers: { 'Content-Type': 'application/json' },
        body: json!,
      });
      if (!reply.ok) throw new Error(`${address}: ${await reply.text()}`);
    },
    [method, path, JSON.stringify(body)],
  );
}

test.each([0, 4, 24])(
  'with %i taps and long names no page is wider than a screen',
  async (taps) => {
    await openBar(taps);
    const found: string[] = [];
    for (const path of pages) {
      await page.goto(daemon.url + path);
      await page.locator('main').first().waitFor();
      await page.getByText('Loading …').waitFor({ state: 'detached' });
      for (const screen of screens) {
        await page.setViewportSize(screen);
        const wide = await misfits(page);
        found.push(...wide.map((what) => `${path} at ${screen.width}×${screen.height}: ${what}`));
      }
      await page.setViewportSize(screens[0]!);
      await openMenu(page);
      const panel = (await page.locator('.site-menu .drop-down').boundingBox())!;
      expect(panel.x + panel.width, `menu on ${path}`).toBeLessThanOrEqual(screens[0]!.width);
      expect(panel.y + panel.height, `menu on ${path}`).toBeLessThanOrEqual(screens[0]!.height);
    }
    expect(found).toEqual([]);
  },
  240_000,
);

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { navigationGroups } from '../../../src/web/app/frame/navigation.ts';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../kit/daemon.ts';
import { makePseudoCatalogue, usePseudoLocale } from '../kit/pseudo-locale.ts';
import { logIn, openMenu } from '../kit/staff.ts';

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(quickBar);
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--superuser', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
});
afterAll(async () => {
  await browser.close();
  await daemon.kill();
  bar.remove();
});

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

test('a language chosen in the menu is kept on this browser, and the URL overrides it', async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${daemon.url}/kegs`);
  await page.getByRole('heading', { name: 'Kegs', level: 2 }).waitFor();
  expect(await languageOf(page)).toBe('en');
  await openMenu(page);
  const choice = page.getByLabel('Language');
  expect(await choice.getByRole('option').allInnerTexts()).toEqual([
    'Deutsch',
    'English',
    'Español *',
    'Français *',
    'Nederlands *',
  ]);
  await choice.selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Fässer', level: 2 }).waitFor();
  expect(await languageOf(page)).toBe('de');
  const other = await context.newPage();
  await other.goto(`${daemon.url}/kegs`);
  await other.getByRole('heading', { name: 'Fässer', level: 2 }).waitFor();
  await other.goto(`${daemon.url}/kegs?lang=en`);
  await other.getByRole('heading', { name: 'Kegs', level: 2 }).waitFor();
  expect(await languageOf(other)).toBe('en');
  // The choice wins over a link once it is made.
  await openMenu(other);
  await other.getByLabel('Language').selectOption('Deutsch');
  await other.getByRole('heading', { name: 'Fässer', level: 2 }).waitFor();
  expect(new URL(other.url()).search).toBe('');
  await context.close();
});

test('a browser without a language of ours shows the page in the language of the site, one with one in its own', async () => {
  const staff = await browser.newContext({ locale: 'en-GB' });
  const page = await staff.newPage();
  await logIn(page, daemon.url, 'anna');
  const setLocale = (locale: string) =>
    page.evaluate(async (locale) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/api/site', { method: 'PATCH', headers, body: JSON.stringify({ locale }) }))
        .status;
    }, locale);
  expect(await setLocale('de-DE')).toBe(200);
  const shown: string[] = [];
  for (const locale of ['ja-JP', 'en-GB']) {
    const guest = await (await browser.newContext({ locale })).newPage();
    await guest.goto(`${daemon.url}/menu`);
    await guest
      .getByRole('heading', { name: /Bierkarte|Beer menu/ })
      .first()
      .waitFor();
    shown.push(await languageOf(guest));
    await guest.context().close();
  }
  expect(shown).toEqual(['de', 'en']);
  expect(await setLocale('')).toBe(200);
  await staff.close();
});

const paths = [
  '/',
  '/log-in',
  ...new Set(navigationGroups.flatMap(({ items }) => items.map(({ path }) => path))),
];

test.each([
  [390, 844],
  [1024, 768],
])(
  'texts that are 40 %% longer fit every page at %i px',
  async (width, height) => {
    const context = await browser.newContext({
      locale: 'en-GB',
      serviceWorkers: 'block',
      viewport: { width, height },
    });
    const page = await context.newPage();
    await logIn(page, daemon.url, 'anna');
    await usePseudoLocale(page);
    const { 'app.loading': loading = '' } = makePseudoCatalogue();
    const faults: string[] = [];
    for (const path of paths) {
      await page.goto(`${daemon.url}${path}`);
      await page.locator('h1, h2').first().waitFor();
      await page.getByText(loading).first().waitFor({ state: 'detached' });
      for (const fault of await page.evaluate(findLayoutFaults)) faults.push(`${path}: ${fault}`);
    }
    expect(faults).toEqual([]);
    await context.close();
  },
  120_000,
);

/** Says whether the page scrolls sideways and which buttons do not show their whole text. Runs in the page. */
function findLayoutFaults(): readonly string[] {
  const root = document.documentElement;
  const faults = root.scrollWidth > root.clientWidth ? [`scrolls sideways: ${root.scrollWidth} px wide`] : [];
  for (const button of document.querySelectorAll<HTMLElement>('button, .button')) {
    const box = button.getBoundingClientRect();
    if (box.width <= 1 || !button.checkVisibility()) continue;
    if (button.scrollWidth > button.clientWidth + 1) faults.push(`clipped: ${button.innerText}`);
  }
  return faults;
}

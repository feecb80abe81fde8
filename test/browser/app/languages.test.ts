import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { navigationGroups } from '../../../src/web/app/frame/navigation.ts';
import { makePseudoCatalogue, usePseudoLocale } from '../kit/pseudo-locale.ts';
import { openMenu } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;

beforeAll(async () => {
  bar = await openStaffBar({ role: 'superuser' });
});
afterAll(() => bar.close());

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

test('a language chosen in the menu is kept on this browser, and the URL overrides it', async () => {
  const page = await bar.openPage();
  const context = page.context();
  await page.goto(`${bar.daemon.url}/kegs`);
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
  await other.goto(`${bar.daemon.url}/kegs`);
  await other.getByRole('heading', { name: 'Fässer', level: 2 }).waitFor();
  await other.goto(`${bar.daemon.url}/kegs?lang=en`);
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
  const setLocale = (locale: string) => bar.callApi<object>('PATCH', 'site', { locale });
  await setLocale('de-DE');
  const shown: string[] = [];
  for (const locale of ['ja-JP', 'en-GB']) {
    const guest = await bar.openPage({ locale });
    await guest.goto(`${bar.daemon.url}/menu`);
    await guest
      .getByRole('heading', { name: /Bierkarte|Beer menu/ })
      .first()
      .waitFor();
    shown.push(await languageOf(guest));
    await guest.context().close();
  }
  expect(shown).toEqual(['de', 'en']);
  await setLocale('');
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
    const page = await bar.openPage({ serviceWorkers: 'block', viewport: { width, height } }, 'anna');
    await usePseudoLocale(page);
    const { 'app.loading': loading = '' } = makePseudoCatalogue();
    const faults: string[] = [];
    for (const path of paths) {
      await page.goto(`${bar.daemon.url}${path}`);
      await page.locator('h1, h2').first().waitFor();
      await page.getByText(loading).first().waitFor({ state: 'detached' });
      for (const fault of await page.evaluate(findLayoutFaults)) faults.push(`${path}: ${fault}`);
    }
    expect(faults).toEqual([]);
    await page.context().close();
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

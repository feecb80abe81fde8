import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccounts } from '../../kit/accounts.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn, menuButton, openMenu } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

/** The address, the tab and the title of each hardware page. */
const pages = [
  { path: '/hardware', tab: 'Pins and relays', title: 'Pins and relays' },
  { path: '/meters', tab: 'Meters and controllers', title: 'Meters and controllers' },
  { path: '/thermometers', tab: 'Thermometers', title: 'Thermometers' },
  { path: '/wiring', tab: 'Wiring', title: 'Wiring' },
] as const;

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar();
  page = bar.page;
});
afterAll(() => bar.close());

const tabs = (of: Page = page) => of.locator('main').getByRole('navigation', { name: 'Hardware' });
const tab = (name: string) => tabs().getByRole('link', { name, exact: true });
const title = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const menuLink = (name: string) => page.locator('.site-menu').getByRole('link', { name, exact: true });
const currentTabs = () =>
  tabs()
    .getByRole('link')
    .evaluateAll((links) =>
      links.filter((link) => link.ariaCurrent === 'page').map((link) => link.textContent),
    );

test('the menu has one entry for all hardware pages', async () => {
  await openMenu(page);
  await menuLink('Hardware').waitFor();
  for (const { tab: name } of pages) expect(await menuLink(name).count(), name).toBe(0);
  await menuLink('Hardware').click();
  await title('Pins and relays').waitFor();
  await tab('Wiring').waitFor();
  expect(await tabs().getByRole('link').allInnerTexts()).toEqual(pages.map(({ tab: name }) => name));
});

test('each tab leads staff to a page with its own address and title, and is marked there', async () => {
  await page.goto(`${bar.daemon.url}/wiring`);
  for (const { path, tab: name, title: heading } of pages) {
    await tab(name).click();
    await title(heading).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${heading} `));
    expect(await currentTabs()).toEqual([name]);
    await page.locator('main .card').first().waitFor();
    await openMenu(page);
    const current = path === '/hardware' ? 'page' : 'true';
    expect(await menuLink('Hardware').getAttribute('aria-current'), path).toBe(current);
    await menuButton(page).click();
    await menuLink('Hardware').waitFor({ state: 'hidden' });
  }
  await page.goBack();
  await title('Thermometers').waitFor();
  expect(await currentTabs()).toEqual(['Thermometers']);
});

test('the tabs are reached and followed with the keyboard', async () => {
  await page.goto(`${bar.daemon.url}/hardware`);
  await tab('Pins and relays').focus();
  await page.keyboard.press('Tab');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Meters and controllers');
  await page.keyboard.press('Enter');
  await title('Meters and controllers').waitFor();
  expect(new URL(page.url()).pathname).toBe('/meters');
});

test('on a phone every tab is seen without scrolling sideways, and is large enough for a finger', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { path, title: heading } of pages) {
    await page.goto(bar.daemon.url + path);
    await title(heading).waitFor();
    await tab(pages.at(-1)!.tab).waitFor();
    expect(await tabs().getByRole('link').count()).toBe(pages.length);
    for (const link of await tabs().getByRole('link').all()) {
      const box = (await link.boundingBox())!;
      expect(box.height).toBeGreaterThanOrEqual(44);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(320);
    }
    expect(await axeOn(page, 'main .tabs')).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('the address of the former page leads to the first tab, and Back skips it', async () => {
  await page.goto(`${bar.daemon.url}/kegs`);
  await title('Kegs').waitFor();
  await page.goto(`${bar.daemon.url}/controllers`);
  await title('Pins and relays').waitFor();
  expect(new URL(page.url()).pathname).toBe('/hardware');
  await page.goBack();
  await title('Kegs').waitFor();
});

test('open taps are listed although the hardware cannot be loaded', async () => {
  await page.route('**/api/hardware', (route) => route.abort());
  await page.goto(`${bar.daemon.url}/hardware`);
  await page.getByRole('region', { name: 'Open now' }).getByText('No tap is open.').waitFor();
  expect(await page.getByRole('region', { name: 'Relays' }).count()).toBe(0);
  await page.unroute('**/api/hardware');
});

test('members and guests see no tabs', async () => {
  await addAccounts(bar.bar, { bert: 'member' });
  const other = await (await bar.browser.newContext({ locale: 'en-GB' })).newPage();
  for (const { path } of pages) {
    await other.goto(bar.daemon.url + path);
    await other.getByLabel('Password').waitFor();
    expect(await tabs(other).count(), path).toBe(0);
  }
  await logIn(other, bar.daemon.url, 'bert');
  for (const { path } of pages) {
    await other.goto(bar.daemon.url + path);
    await other.getByText('Staff only. Sign in with a staff account.').waitFor();
    expect(await tabs(other).count(), path).toBe(0);
  }
  await openMenu(other);
  await other.locator('.site-menu').getByRole('link', { name: 'My account', exact: true }).waitFor();
  expect(await other.locator('.site-menu').getByRole('link', { name: 'Hardware' }).count()).toBe(0);
  await other.context().close();
});

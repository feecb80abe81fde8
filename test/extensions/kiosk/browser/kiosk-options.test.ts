import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { type FlowBar, startFlowBar } from '../../../browser/kit/flow-bar.ts';
import { openFromMenu } from '../../../browser/kit/staff.ts';
import { text } from '../../../browser/kit/texts.ts';

let flowBar: FlowBar;
let page: Page;

beforeAll(async () => {
  flowBar = await startFlowBar();
  page = flowBar.page;
});
afterAll(async () => {
  await flowBar.close();
});

const address = () => page.locator('.kiosk-address-card code').innerText();
const preview = () => page.frameLocator('iframe');

test('staff choose in the menu what a kiosk shows, and see it at once', async () => {
  await openFromMenu(page, text('kiosk.menu'));
  expect(await address()).toBe(`${flowBar.daemon.url}/kiosk`);
  await preview().getByRole('article').nth(1).waitFor();

  await page.getByRole('checkbox', { name: 'Left', exact: true }).uncheck();
  await expect.poll(() => preview().getByRole('article').count()).toBe(1);
  await page.getByRole('checkbox', { name: text('kiosk.parts.level') }).uncheck();
  await page.getByRole('checkbox', { name: text('kiosk.menuCode') }).uncheck();
  await page.getByRole('combobox', { name: text('kiosk.columns') }).selectOption('2');
  await page.getByRole('combobox', { name: text('theme.title') }).selectOption('dark');
  await page.getByRole('combobox', { name: text('kiosk.language') }).selectOption({ label: 'Deutsch' });
  expect(await address()).toBe(
    `${flowBar.daemon.url}/kiosk?taps=2&columns=2&hide=level&theme=dark&lang=de&menu=off`,
  );
  await preview().locator('html[lang=de][data-theme=dark]').waitFor();
  await preview().getByRole('article').waitFor();
  expect(await preview().getByText(/^noch/).count()).toBe(0);
});

test('a screen can have hours of its own, or never be dimmed', async () => {
  await page.goto(`${flowBar.daemon.url}/kiosk-options`);
  const dim = page.getByRole('combobox', { name: text('kiosk.dimScreen') });
  await dim.selectOption({ label: text('kiosk.dimChoices.screen') });
  await page.getByLabel(text('kiosk.opens')).fill('17:30');
  await page.getByLabel(text('kiosk.closes')).fill('01:00');
  await page.getByLabel(text('kiosk.closes')).blur();
  await expect.poll(address).toMatch(/\?open=17:30-01:00$/);
  await dim.selectOption({ label: text('kiosk.dimChoices.never') });
  await expect.poll(address).toMatch(/\?open=off$/);
  await dim.selectOption({ label: text('kiosk.dimChoices.site') });
  await expect.poll(address).toMatch(/\/kiosk$/);
});

test('the opening hours of the bar are saved on the page, with undo', async () => {
  await page.goto(`${flowBar.daemon.url}/kiosk-options`);
  const section = page.getByRole('region', { name: text('kiosk.openingHours') });
  const stored = async () =>
    (await flowBar.callApi<{ site: { opening_hours: string } }>('GET', 'site')).site.opening_hours;
  await section.getByRole('checkbox', { name: text('kiosk.dim') }).check();
  await section.getByLabel(text('kiosk.opens')).fill('17:30');
  await section.getByLabel(text('kiosk.closes')).fill('01:00');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toBe('17:30-01:00');
  // The page has the stored hours when it shows a later change.
  await flowBar.callApi('PATCH', 'site', { title: 'The Late Bar' });
  await page.getByRole('heading', { level: 1, name: 'The Late Bar' }).waitFor();
  const closes = section.getByLabel(text('kiosk.closes'));
  expect(await closes.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await page.getByRole('button', { name: text('common.undo') }).click();
  await expect.poll(stored).toBe('');
  await expect.poll(() => section.getByRole('checkbox', { name: text('kiosk.dim') }).isChecked()).toBe(false);
});

test('the opening hours are undone from Activity, too', async () => {
  const hours = async () =>
    (await flowBar.callApi<{ site: { opening_hours: string } }>('GET', 'site')).site.opening_hours;
  await flowBar.callApi('PATCH', 'site', { opening_hours: '16:00-02:00' });
  await page.goto(`${flowBar.daemon.url}/audit`);
  await page
    .getByRole('button', { name: new RegExp(`^${text('audit.undo')}`) })
    .first()
    .click();
  await page.getByText(text('audit.undone'), { exact: true }).waitFor();
  expect(await hours()).toBe('');
});

test('at least one tap must be chosen', async () => {
  await page.goto(`${flowBar.daemon.url}/kiosk-options`);
  await page.getByRole('checkbox', { name: 'Left', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'Right', exact: true }).uncheck();
  await page.getByRole('alert').getByText(text('kiosk.chooseTap')).waitFor();
  expect(await address()).toMatch(/\?taps=2$/);
  await page.getByRole('checkbox', { name: 'Right', exact: true }).check();
  await page.getByText(text('kiosk.chooseTap')).waitFor({ state: 'detached' });
});

test('the options of an address are chosen again, and the address is copied and opened', async () => {
  const query = '?taps=1&hide=price,next&menu=https://bar.example/menu';
  await page.goto(`${flowBar.daemon.url}/kiosk-options${query}`);
  await preview().getByRole('img', { name: 'QR code of https://bar.example/menu' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Right', exact: true }).isChecked()).toBe(false);
  expect(await page.getByRole('checkbox', { name: text('kiosk.parts.price') }).isChecked()).toBe(false);
  await page.getByRole('checkbox', { name: text('kiosk.menuCode') }).uncheck();
  await page.getByRole('checkbox', { name: text('kiosk.menuCode') }).check();
  expect(decodeURIComponent(await address())).toBe(`${flowBar.daemon.url}/kiosk${query}`);
  await page.getByRole('button', { name: text('common.copy') }).click();
  await page.getByText(text('common.copied')).waitFor();
  const kiosk = page.context().waitForEvent('page');
  await page.getByRole('link', { name: text('kiosk.open') }).click();
  const opened = await kiosk;
  await opened.getByRole('article').waitFor();
  expect(await opened.getByRole('article').count()).toBe(1);
  await opened.close();
});

test('the preview has the shape of the chosen screen and fits the page', async () => {
  await page.goto(`${flowBar.daemon.url}/kiosk-options`);
  await page.getByRole('combobox', { name: text('kiosk.screen'), exact: true }).selectOption('1080x1920');
  const size = () => page.locator('.kiosk-preview-frame').boundingBox();
  await expect.poll(async () => Math.round((100 * (await size())!.width) / (await size())!.height)).toBe(56);
  await preview().locator('.kiosk-tile').first().waitFor();
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await preview().locator('.kiosk-tile').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // The preview follows the frame in the next frames of the page.
    const overhang = async () =>
      Math.abs((await page.locator('iframe').boundingBox())!.width - (await size())!.width);
    await expect.poll(overhang).toBeLessThan(4);
  }
});

test('the page has no accessibility violations in either theme, and is for staff only', async () => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${flowBar.daemon.url}/kiosk-options`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await preview().locator('.kiosk-tile').first().waitFor();
    // The notices of the header are tested with the home page.
    await page
      .locator('.header .notices')
      .first()
      .evaluate((notices) => notices.remove());
    expect(await axeOn(page)).toEqual([]);
    await page.reload();
  }
  const guest = await flowBar.browser.newPage({ locale: 'en-GB' });
  await guest.goto(`${flowBar.daemon.url}/kiosk-options`);
  await guest.getByLabel('Password').waitFor();
  expect(await guest.locator('iframe').count()).toBe(0);
  await guest.close();
});

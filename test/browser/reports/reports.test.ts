import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { openMenu, recordDrinks } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({ device: { reducedMotion: 'reduce' } });
  page = bar.page;
});
afterAll(() => bar.close());

const table = (name: string) => page.getByRole('region', { name, exact: true });

/** The prices of the beer on the left tap. */
async function leftPrices() {
  const { taps } = await bar.callApi<{ taps: { beverage: { name: string } }[] }>('GET', 'taps');
  const { name } = taps[0]!.beverage;
  const form = page.getByRole('form', { name, exact: true });
  const save = form.getByRole('button', { name: `Save prices of ${name}` });
  return { form, save, price: form.getByLabel('20 mL'), saved: page.getByText(`Prices of ${name} saved.`) };
}

test('a price applies to later pours, and the report shows the revenue and what had no price', async () => {
  await bar.callApi('PUT', 'serving-sizes', { serving_sizes: [{ volume_ml: 20 }] });
  const { form, save, price, saved } = await leftPrices();
  await openMenu(page);
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText('Nothing in this period.').waitFor();
  await price.fill('four');
  await save.click();
  await form.getByText('must be a number').waitFor();
  await price.fill('4,50');
  await save.click();
  await saved.waitFor();
  await recordDrinks(page, 3);
  await bar.callApi('POST', 'kegs/1/spill', { volume_ml: 250 });
  await page.reload();
  await table('By tap').getByRole('row', { name: 'Left 2 40 mL' }).getByText('€9.00').waitFor();
  await table('By keg').getByText('250 mL').waitFor();
  await expect
    .poll(() => page.locator('.totals').first().innerText())
    .toMatch(/60\smL\s+Poured|Poured\s+60\smL/);
  // The beer of the other tap has no price.
  await page.getByText('1 drink (20 mL) had no price and is not in the revenue.').waitFor();
  await table('By tap').getByRole('columnheader', { name: 'No price' }).waitFor();
  await page.getByRole('link', { name: 'Set prices', exact: true }).click();
  const section = page.getByRole('region', { name: 'Prices per size' });
  expect(await section.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('a span is selected by button or by dates and downloaded as a spreadsheet', async () => {
  await page.goto(`${bar.daemon.url}/reports`);
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await expect.poll(() => table('By day').getByRole('row').count()).toBe(8);
  expect(new URL(page.url()).search).toMatch(/^\?first=\d{4}-\d\d-\d\d&last=/);
  const link = page.getByRole('link', { name: 'Download spreadsheet (CSV)' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const csv = readFileSync(await file.path(), 'utf8');
  expect(file.suggestedFilename()).toMatch(/^tapster-.*-to-.*\.csv$/);
  expect(csv.match(/,day,/g)).toHaveLength(7);

  const today = await page.getByLabel('To', { exact: true }).inputValue();
  // Dates in reverse order are swapped.
  await page.getByLabel('From', { exact: true }).fill(today);
  await page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/must be at most 91 days after the first/)
    .waitFor();
  await page.goBack();
  await expect.poll(() => table('By day').getByRole('row').count()).toBe(8);
  await table('By day').getByRole('link').last().click();
  await expect.poll(() => table('By day').count()).toBe(0);
  await table('By tap').getByRole('row', { name: /^Left/ }).waitFor();
});

test('the daily report can be turned on, missing settings are named, and the end of the day is saved', async () => {
  await page.goto(`${bar.daemon.url}/reports`);
  await page.getByText('E-mail is not set up.').waitFor();
  await page.getByText('Your account has no e-mail address.').waitFor();
  // While a slow daemon has not replied, the checkbox keeps the user's choice.
  let releaseRequest = () => {};
  const released = new Promise<void>((resolve) => {
    releaseRequest = resolve;
  });
  await page.route(/\/api\/admin\/report-mail$/, async (route) => {
    if (route.request().method() === 'PUT') await released;
    await route.continue();
  });
  const checkbox = page.getByLabel('Send me a daily report');
  await checkbox.check();
  await page.getByLabel(/^Day ends at/).focus();
  expect(await checkbox.isChecked()).toBe(true);
  // A second change before the reply: the last one counts.
  await checkbox.uncheck();
  releaseRequest();
  await page.getByText('Report turned off.').waitFor();
  expect(await checkbox.isChecked()).toBe(false);
  await checkbox.check();
  await page.getByText('Report turned on.').waitFor();
  await page.getByText('at 04:00, if anything was poured').waitFor();
  await page.getByLabel(/^Day ends at/).fill('13:00');
  const rules = page.locator('section', { has: page.getByRole('heading', { name: 'Settings' }) });
  // The toast must not cover the button that is needed next.
  await rules.getByRole('button', { name: 'Save' }).focus();
  const toast = await page.locator('.toast').boundingBox();
  const button = await rules.getByRole('button', { name: 'Save' }).boundingBox();
  expect(button!.y + button!.height).toBeLessThanOrEqual(toast!.y);
  await rules.getByRole('button', { name: 'Save' }).click();
  await rules.locator('input[aria-invalid=true]').waitFor();
  await page.getByLabel(/^Day ends at/).fill('05:30');
  await rules.getByRole('button', { name: 'Save' }).click();
  await page.getByText('at 05:30, if anything was poured').waitFor();
  const saved = page.locator('.toast').filter({ hasText: 'Saved. Past days follow these settings too.' });
  await saved.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('at 04:00, if anything was poured').waitFor();
  await expect.poll(() => page.getByLabel(/^Day ends at/).inputValue()).toBe('04:00');
  await page.reload();
  await expect.poll(() => page.getByLabel('Send me a daily report').isChecked()).toBe(true);
});

test('the checkbox of the daily report keeps a choice while a setting loaded before it arrives', async () => {
  const otherPage = await bar.openPage();
  await otherPage.context().addCookies(await page.context().cookies());
  await otherPage.goto(`${bar.daemon.url}/reports`);
  const checkbox = otherPage.getByLabel('Send me a daily report');
  await expect.poll(() => checkbox.isChecked()).toBe(true);
  const held: { [method: string]: () => void } = {};
  await otherPage.route(/\/api\/admin\/report-mail$/, async (route) => {
    await new Promise<void>((resolve) => {
      held[route.request().method()] = resolve;
    });
    await route.continue();
  });
  const release = async (method: string) => {
    await expect.poll(() => held[method]).toBeDefined();
    const answered = otherPage.waitForResponse(
      (reply) => reply.url().endsWith('/report-mail') && reply.request().method() === method,
    );
    held[method]!();
    delete held[method];
    await (await answered).finished();
  };
  await checkbox.uncheck();
  await release('PUT');
  await otherPage.getByText('Report turned off.').waitFor();
  // Its reload is still under way.
  await checkbox.check();
  await expect.poll(() => held.PUT).toBeDefined();
  await release('GET');
  expect(await checkbox.isChecked()).toBe(true);
  await release('PUT');
  await otherPage.getByText('Report turned on.').waitFor();
  await release('GET');
  expect(await checkbox.isChecked()).toBe(true);
  await otherPage.context().close();
});

test('a price is removed, and earlier drinks keep theirs', async () => {
  await page.goto(`${bar.daemon.url}/reports`);
  const { save, price, saved } = await leftPrices();
  await expect.poll(() => price.inputValue()).toBe('4.50');
  await price.fill('');
  await save.click();
  await saved.waitFor();
  await expect.poll(() => price.inputValue()).toBe('');
  await table('By tap').getByText('€9.00').waitFor();
});

test('a wrong price is corrected since a day, which tells what it changes, and is undone', async () => {
  await page.goto(`${bar.daemon.url}/reports`);
  const { form, save, price } = await leftPrices();
  await form.getByText('Correct earlier drinks, too').click();
  const day = await page.getByLabel('To', { exact: true }).inputValue();
  await form.getByLabel('Since', { exact: true }).fill(day);
  await price.fill('5');
  await save.click();
  await page.getByText('saved. 2 earlier drinks: €9.00 → €10.00.').waitFor();
  await table('By tap').getByRole('row', { name: /^Left/ }).getByText('€10.00').waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await table('By tap').getByRole('row', { name: /^Left/ }).getByText('€9.00').waitFor();
});

test('visitors see only the log-in form', async () => {
  const guest = await bar.openPage();
  await guest.goto(`${bar.daemon.url}/reports`);
  await guest.getByLabel('Password').waitFor();
  expect(await guest.locator('main').getByRole('button').count()).toBe(1);
  await guest.context().close();
});

test.each([
  ['in English, light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['in German, dark', { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
  ['on a phone, light', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
  ['on a phone, dark', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ['on the largest screen', { colorScheme: 'dark', viewport: { width: 3840, height: 2160 } }],
] as const)('axe finds no violation %s, and the page is no wider than the screen', async (_name, options) => {
  const otherPage = await bar.openPage({ reducedMotion: 'reduce', ...options });
  await otherPage.context().addCookies(await page.context().cookies());
  await otherPage.goto(`${bar.daemon.url}/reports`);
  await otherPage.locator('.price-form').first().waitFor();
  await otherPage.locator('.span-dates input').first().waitFor();
  await otherPage.locator('.amounts').first().waitFor();
  await otherPage.locator('.choice .chip').first().click();
  expect(await axeOn(otherPage)).toEqual([]);
  const overhang = await otherPage.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overhang).toBeLessThanOrEqual(0);
  await otherPage.context().close();
});

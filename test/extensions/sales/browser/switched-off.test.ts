import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMenu } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

/** Addresses of the API that belong to the sales. */
const ofSales = /\/api\/(?:sales|tills?)\b|\/servings$/;

describe.each([true, false])('pages of the base while the sales are on: %s', (isOn) => {
  let staff: StaffBar;
  const asked: string[] = [];

  beforeAll(async () => {
    // Off unless somebody switches them on.
    staff = await openStaffBar(isOn ? { settings: { features: { sales: true } } } : {});
    staff.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  });
  afterAll(() => staff.close());

  test('the menu has an entry, the reports have links and shifts, and a beer has what tills call it, only then', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/reports`);
    await page.getByRole('heading', { name: text('reports.rules'), exact: true }).waitFor();
    const shifts = page.getByRole('form', { name: text('shifts.title') });
    await expect.poll(() => shifts.count()).toBe(Number(isOn));
    expect(await page.locator('main a[href*="/sales/"]').count()).toBe(isOn ? 2 : 0);
    await openMenu(page);
    await page.locator('.site-menu a[href$="/beers"]').waitFor();
    expect(await page.locator('.site-menu a[href$="/sales"]').count()).toBe(Number(isOn));
    await page.goto(`${daemon.url}/beers/1`);
    await page.getByRole('heading', { name: text('servings.beerPrices'), exact: true }).waitFor();
    const atTheTill = page.getByRole('form', { name: text('sales.atTheTill') });
    await expect.poll(() => atTheTill.count()).toBe(Number(isOn));
  });

  test('sales can be exported only then', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/export`);
    await page.getByRole('button', { name: text('export.kinds.drinks'), exact: true }).waitFor();
    const kind = page.getByRole('button', { name: text('export.kinds.sales'), exact: true });
    expect(await kind.count()).toBe(Number(isOn));
  });

  test('the pages are those of the feature, or say that it is off, and ask for nothing then', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/sales`);
    if (isOn) await page.getByText(text('sales.none')).waitFor();
    else await page.getByText(text('features.isOff')).waitFor();
    await page.goto(`${daemon.url}/sales/money`);
    if (isOn) await page.getByRole('heading', { name: /^Closing sheet/ }).waitFor();
    else await page.getByText(text('features.isOff')).waitFor();
    expect(asked.some((path) => ofSales.test(path))).toBe(isOn);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMenu } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

describe.each([true, false])('pages of the base while the stock is on: %s', (isOn) => {
  let staff: StaffBar;

  beforeAll(async () => {
    staff = await openStaffBar({ settings: { features: { stock: isOn } } });
  });
  afterAll(() => staff.close());

  test('the page of a keg shows its purchase, and the menu the page of the stock, only then', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/kegs/1`);
    await page.getByRole('heading', { name: text('weighing.title'), exact: true }).waitFor();
    const purchase = page.getByRole('region', { name: text('stock.purchase'), exact: true });
    await expect.poll(() => purchase.count()).toBe(Number(isOn));
    await openMenu(page);
    await page.locator('a[href$="/kegs"]').first().waitFor();
    expect((await page.locator('a[href$="/stock"]').count()) > 0).toBe(isOn);
    await page.goto(`${daemon.url}/stock`);
    if (isOn) await page.getByRole('heading', { name: text('stock.inStock'), exact: true }).waitFor();
    else await page.getByText(text('features.isOff')).waitFor();
  });

  test('purchases and counts can be exported only then', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/export`);
    const kind = (key: 'drinks' | 'purchases' | 'stock_counts') =>
      page.getByRole('button', { name: text(`export.kinds.${key}`), exact: true });
    await kind('drinks').waitFor();
    expect(await kind('purchases').count()).toBe(Number(isOn));
    expect(await kind('stock_counts').count()).toBe(Number(isOn));
  });

  test('kegs to choose from are in the order of use only then, else the newest comes first', async () => {
    const { page, daemon, callApi } = staff;
    for (const beverage_name of ['Frühbier', 'Spätbier']) {
      const keg = { beverage_name, producer_name: 'Amsel', style_name: 'Pils', keg_type: 'euro-30-liter' };
      const added = await callApi<{ keg: { id: number } }>('POST', 'kegs', keg);
      const best_before = beverage_name === 'Frühbier' ? '2090-01-01' : '2090-06-01';
      if (isOn) await callApi('PATCH', `kegs/${added.keg.id}/purchase`, { best_before });
    }
    await page.goto(daemon.url);
    await page.getByRole('button', { name: text('taps.manageTap', { tap: 'Left' }) }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: text('kegs.endKeg'), exact: true }).click();
    const choices = dialog.getByRole('button', { name: /^(?:Früh|Spät)bier/ });
    const names = async () => (await choices.allInnerTexts()).map((name) => name.slice(0, 4));
    await expect.poll(names).toEqual(isOn ? ['Früh', 'Spät'] : ['Spät', 'Früh']);
  });
});

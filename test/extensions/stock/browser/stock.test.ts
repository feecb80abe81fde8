import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

/** Pictures for people who look at the page; `TAPSTER_STOCK_PICTURES` names their folder. */
const pictures = process.env.TAPSTER_STOCK_PICTURES;

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('the stock on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  const call = (method: string, path: string, body?: object) => staff.callApi(method, path, body);
  const open = async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/stock`);
    await page.getByRole('heading', { name: text('stock.inStock'), exact: true }).waitFor();
    return page;
  };
  const picture = async (name: string) => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await staff.page.screenshot({ path: `${pictures}/${name}-${viewport.width}.png`, fullPage: true });
  };

  beforeAll(async () => {
    staff = await openStaffBar({ device: { viewport } });
    for (let i = 0; i < 12; i += 1) await call('POST', 'taps/1/record-drink', { volume_ml: 500 });
  });
  afterAll(() => staff.close());

  test('receives the kegs of a delivery, and undoes it', async () => {
    const page = await open();
    const { taps } = (await call('GET', 'taps')) as { taps: { beverage: { name: string } }[] };
    const beer = taps[0]!.beverage.name;
    const receive = async (bestBefore: string) => {
      await page
        .getByRole('button', { name: text('stock.receive') })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      // Without its sizes the form cannot be sent.
      await dialog.locator('select option').first().waitFor({ state: 'attached' });
      await dialog.getByRole('combobox').first().fill(beer);
      await dialog
        .getByRole('option', { name: new RegExp(beer) })
        .first()
        .click();
      await dialog.getByLabel(text('stock.count')).fill('2');
      await dialog.getByLabel(text('stock.cost')).fill('99,50');
      await dialog.getByLabel(text('stock.deposit')).fill('30');
      await dialog.getByLabel(text('stock.bestBefore')).fill(bestBefore);
      await dialog.getByLabel(text('stock.location')).fill('Cellar 2');
      expect(await axeOn(page)).toEqual([]);
      await dialog.getByRole('button', { name: text('stock.receive') }).click();
      await page.getByText(text('stock.received', { count: 2 })).waitFor();
    };
    await receive('2020-01-01');
    await page.getByText(text('stock.pastBestBefore')).first().waitFor();
    expect(await page.getByText(text('stock.useFirst')).count()).toBe(1);
    expect(await page.locator('.totals').innerText()).toContain('199.00');
    await picture('stock');
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await receive('2090-01-01');
    await page
      .getByText(/99\.50 · |· €?99\.50/)
      .nth(3)
      .waitFor();
    await page.getByRole('button', { name: text('common.undo') }).click();
    await page.waitForFunction(() => document.body.innerText.split('Cellar 2').length === 3);
  });

  test('shows what is known of a keg on its page, where it is changed and undone', async () => {
    const page = await open();
    await page.locator('a.row-name').first().click();
    const section = page.getByRole('region', { name: text('stock.purchase') });
    await section.getByLabel(text('stock.supplier')).fill('Drinks & Co');
    await section.getByRole('button', { name: text('common.save') }).click();
    await page.getByText(text('common.saved')).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await picture('purchase');
    await open();
    await page.getByText(/Cellar 2 · Drinks & Co/).waitFor();
  });

  test('keeps the deposit of an ended keg until it is returned', async () => {
    const { taps } = (await call('GET', 'taps')) as { taps: { keg: { id: number } }[] };
    const kegId = taps[0]!.keg.id;
    await call('PATCH', `kegs/${kegId}/purchase`, { deposit_minor: 3_000 });
    await call('POST', 'taps/1/end-keg');
    const page = await open();
    const section = page.getByRole('region', { name: text('stock.depositsOut') });
    await section.getByText(/30\.00/).waitFor();
    await section.getByRole('button', { name: text('stock.returnOf', { id: kegId }) }).click();
    await page.getByText(text('stock.returned')).waitFor();
    await section.waitFor({ state: 'detached' });
  });

  test('limits the days of a keg on its tap, with undo', async () => {
    const page = await open();
    const section = page.getByRole('region', { name: text('stock.freshness') });
    const field = section.getByLabel(text('stock.maxDaysOnTap'));
    await field.fill('366');
    await section.getByRole('button', { name: text('common.save') }).click();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('14');
    await section.getByRole('button', { name: text('common.save') }).click();
    await page.getByText(text('common.saved')).waitFor();
    expect(await call('GET', 'admin/business')).toMatchObject({ business: { max_days_on_tap: 14 } });
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await page.getByRole('button', { name: text('common.undo') }).click();
    await expect
      .poll(() => call('GET', 'admin/business'))
      .toMatchObject({ business: { max_days_on_tap: null } });
  });

  test('proposes the keg that is to be used up first at a change of the keg', async () => {
    const { stock } = (await call('GET', 'stock')) as { stock: { kegs: { keg_id: number }[] } };
    const page = await open();
    await page.getByText(text('stock.pastBestBefore')).first().waitFor();
    const first = await page.locator('a.row-name').first().innerText();
    expect(first).toContain(text('kegs.keg', { id: stock.kegs[0]!.keg_id }));
  });

  test('counts the stock, shows what is missing, and undoes the count', async () => {
    const page = await open();
    const inStock = async () =>
      ((await call('GET', 'kegs?state=available')) as { paging: { total: number } }).paging.total;
    const before = await inStock();
    const { lines } = (await call('GET', 'stock-counts/sheet')) as { lines: { expected: number }[] };
    const { expected } = lines[0]!;
    const openCount = async () => {
      await page.getByRole('button', { name: text('stockCount.title') }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText(text('stockCount.expected', { count: expected }))
        .first()
        .waitFor();
      return dialog;
    };
    const dialog = await openCount();
    await dialog.getByRole('button', { name: text('stockCount.save') }).click();
    await dialog.getByText(text('stockCount.nothingCounted')).waitFor();
    await dialog.locator('[name=count_0]').fill(String(expected - 1));
    await dialog.getByLabel(text('stockCount.reason')).selectOption('returned');
    await dialog.getByLabel(text('stockCount.note')).fill('Corked');
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await picture('count');
    await dialog.getByRole('button', { name: text('stockCount.save') }).click();
    await page.locator('.toast').getByText(text('stockCount.saved')).waitFor();
    const counts = page.getByRole('region', { name: text('stockCount.counts') });
    await counts.getByText(text('stockCount.missing', { count: 1 }), { exact: false }).waitFor();
    await counts.getByText(text('stockCount.reasons.returned'), { exact: false }).waitFor();
    expect(await inStock()).toBe(before - 1);
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await picture('counts');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      counts.getByRole('link', { name: text('reports.downloadCsv') }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('tapster-stock-counts.csv');
    await page
      .locator('.toast')
      .getByRole('button', { name: text('common.undo') })
      .click();
    await expect.poll(inStock).toBe(before);
  });
});

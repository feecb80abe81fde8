import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

/** Pictures for people who look at the page; `TAPSTER_MONEY_PICTURES` names their folder. */
const pictures = process.env.TAPSTER_MONEY_PICTURES;

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('income and cost on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  const call = (method: string, path: string, body?: object) => staff.callApi(method, path, body);

  beforeAll(async () => {
    staff = await openStaffBar({ settings: { features: { sales: true } }, device: { viewport } });
    const { serving_sizes: sizes } = (await call('PUT', 'serving-sizes', {
      serving_sizes: [{ volume_ml: 500 }],
    })) as { serving_sizes: { id: number }[] };
    const { taps } = (await call('GET', 'taps')) as {
      taps: { beverage: { id: string }; keg: { id: number; full_volume_ml: number } }[];
    };
    const [{ beverage, keg }] = taps as [(typeof taps)[number]];
    await call('PUT', `beverages/${beverage.id}/prices`, {
      prices: [{ serving_size_id: sizes[0]!.id, price_minor: 480 }],
    });
    await call('PATCH', `kegs/${keg.id}/purchase`, { cost_minor: Math.round(keg.full_volume_ml * 0.2) });
    for (let i = 0; i < 10; i += 1) await call('POST', 'taps/1/record-drink', { volume_ml: 500 });
    await call('POST', `kegs/${keg.id}/spill`, { volume_ml: 1_000 });
  });
  afterAll(() => staff.close());

  test('is a closing sheet of the day with income, cost, margin and the margin of each serving', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/reports`);
    await page.getByRole('link', { name: text('money.title'), exact: true }).click();
    await page.getByRole('heading', { name: /^Closing sheet/ }).waitFor();
    const totals = page.locator('.totals');
    expect((await totals.innerText()).replaceAll(/\s/g, ' ')).toMatch(
      /€48\.00 .*€10\.00 .*€2\.00 .*€36\.00 /,
    );
    const beers = page.getByRole('region', { name: text('balance.byBeverage'), exact: true });
    await beers.getByText(text('money.atPrices', { sum: '€48.00' })).waitFor();
    await page
      .getByRole('region', { name: text('money.byServing'), exact: true })
      .getByText('€3.80')
      .waitFor();
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/money-${viewport.width}.png`, fullPage: true });
    }
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });

  test('is of the till as soon as a till sold the beer, and says what was not rung', async () => {
    const { page, daemon } = staff;
    await call('POST', 'tills', { name: 'Front' });
    await call('POST', 'sales', {
      till: 'Front',
      time_meaning: 'ring',
      sales: Array.from({ length: 9 }, (_, i) => ({
        external_id: `half ${i}`,
        time: new Date().toISOString(),
        item_name: 'Half',
        category: 'Draught',
        net_minor: 450,
        kind: i === 8 ? 'comp' : 'sale',
      })),
    });
    const { items } = (await call('GET', 'tills/1/items')) as { items: { id: number }[] };
    const { taps } = (await call('GET', 'taps')) as { taps: { beverage: { id: string } }[] };
    await call('PUT', `till-items/${items[0]!.id}/mapping`, {
      components: [
        { beverage_id: Number(taps[0]!.beverage.id), serving_size_id: null, count: 1, liquid_ml: 500 },
      ],
    });
    await page.goto(`${daemon.url}/sales/money`);
    const till = page.getByRole('region', { name: text('money.till'), exact: true });
    await till.getByRole('row', { name: /On the house.*1.*€0\.00/ }).waitFor();
    expect(await page.locator('.totals').innerText()).toContain('€36.00');
    await page.getByRole('link', { name: text('balance.title'), exact: true }).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: text('reports.downloadCsv') }).click();
    expect((await download).suggestedFilename()).toMatch(/^tapster-money-.*\.csv$/);
  });
});

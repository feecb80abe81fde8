import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

/** Pictures for people who look at the page; `TAPSTER_BALANCE_PICTURES` names their folder. */
const pictures = process.env.TAPSTER_BALANCE_PICTURES;

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('poured against sold on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  const call = (method: string, path: string, body?: object) =>
    staff.callApi<Record<string, never>>(method, path, body);
  const ring = (count: number, name: string) =>
    call('POST', 'sales', {
      till: 'Front',
      time_meaning: 'ring',
      sales: Array.from({ length: count }, (_, i) => ({
        external_id: `${name} ${i}`,
        time: new Date().toISOString(),
        item_name: name,
        category: 'Draught',
        net_minor: 450,
      })),
    });

  beforeAll(async () => {
    staff = await openStaffBar({ settings: { features: { sales: true } }, device: { viewport } });
    await call('POST', 'tills', { name: 'Front' });
    for (let i = 0; i < 40; i += 1) await call('POST', 'taps/1/record-drink', { volume_ml: 500 + (i % 5) });
    await ring(25, 'Half');
    await ring(3, 'Pint of draught');
    const { taps } = (await call('GET', 'taps')) as unknown as { taps: { beverage: { id: string } }[] };
    const { items } = (await call('GET', 'tills/1/items')) as unknown as {
      items: { id: number; name: string }[];
    };
    const half = items.find(({ name }) => name === 'Half')!;
    await call('PUT', `till-items/${half.id}/mapping`, {
      components: [
        { beverage_id: Number(taps[0]!.beverage.id), serving_size_id: null, count: 1, liquid_ml: 500 },
      ],
    });
  });
  afterAll(() => staff.close());

  const open = async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/reports`);
    await page.getByRole('link', { name: text('balance.title'), exact: true }).click();
    await page.getByRole('heading', { name: text('balance.byBeverage') }).waitFor();
    return page;
  };

  test('begins with the owner’s sentence, without a sign, and says what to check first', async () => {
    const page = await open();
    const sentence = page.locator('.balance-sentence');
    const words = (await sentence.innerText()).replaceAll(/\s/g, ' ');
    expect(words).toMatch(/^7\.6 ± 2\.6 L poured, not rung, €68 Most of it /);
    const table = page.getByRole('region', { name: text('balance.byBeverage'), exact: true });
    await table
      .getByRole('row', { name: /20\.1\sL.*12\.5\sL/ })
      .first()
      .waitFor();
    const findings = page.getByRole('region', { name: text('balance.toCheck'), exact: true });
    await findings.getByText('Pint of draught: 3 lines of a product that is not assigned.').waitFor();
    expect(await page.getByText(text('balance.notFiscal')).count()).toBe(1);
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/balance-${viewport.width}.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${pictures}/balance-${viewport.width}-dark.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: 'light', media: 'print' });
      await page.screenshot({ path: `${pictures}/balance-${viewport.width}-print.png`, fullPage: true });
      await page.emulateMedia({ media: 'screen' });
    }
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });

  test('shows hours of the day, and shifts as soon as they are set', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/reports`);
    const form = page.getByRole('form', { name: text('shifts.title') });
    for (const [name, starts] of [
      ['Day', '00:00'],
      ['Night', '23:59'],
    ] as const) {
      await form.getByRole('button', { name: text('shifts.add') }).click();
      await form.getByLabel(text('shifts.name')).last().fill(name);
      await form.getByLabel(text('shifts.starts')).last().fill(starts);
      if (name !== 'Day') continue;
      await form.getByRole('button', { name: text('common.save') }).click();
      await form.getByText(/must be none, or 2 to 6 shifts/).waitFor();
    }
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await form.getByRole('button', { name: text('common.save') }).click();
    await page.getByText(text('shifts.saved')).waitFor();
    const shown = await open();
    const table = shown.getByRole('region', { name: text('balance.byShift'), exact: true });
    await table.getByText('Day, from 00:00').waitFor();
    await shown.getByText(text('balance.byHour'), { exact: true }).first().click();
    await shown.getByRole('region', { name: text('balance.byHour'), exact: true }).waitFor();
    expect(await axeOn(shown)).toEqual([]);
    expect(await layoutFaults(shown)).toEqual([]);
    if (pictures !== undefined)
      await shown.screenshot({ path: `${pictures}/shifts-${viewport.width}.png`, fullPage: true });
  });

  test('offers the month’s figures as files, and other months', async () => {
    const page = await open();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: text('balance.workbook') }).click();
    expect((await download).suggestedFilename()).toMatch(/^tapster-balance-.*\.xlsx$/);
    await page.getByRole('link', { name: text('balance.previousMonth') }).click();
    await page.getByText(text('balance.noSales')).waitFor();
    await page.getByRole('link', { name: text('sales.importFile') }).waitFor();
  });

  test('closes and reopens a month that is over', async () => {
    const { page, daemon } = staff;
    const last = new Date(Date.now() - 40 * 86_400_000);
    await call('POST', 'sales', {
      till: 'Front',
      time_meaning: 'ring',
      sales: [{ external_id: 'old', time: last.toISOString(), item_name: 'Half', net_minor: 450 }],
    });
    await page.goto(`${daemon.url}/sales/balance?month=${last.toISOString().slice(0, 7)}`);
    await page.getByRole('button', { name: text('balance.close'), exact: true }).click();
    await page.getByText(/Sentence, totals and table above are those of that time/).waitFor();
    await page.getByRole('button', { name: text('balance.reopen'), exact: true }).click();
    await page.getByRole('button', { name: text('balance.close'), exact: true }).waitFor();
  });
});

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

const titled = fileURLToPath(new URL('../engine/samples/real/de_title_rows.csv', import.meta.url));
const csv = fileURLToPath(new URL('../engine/samples/generic.csv', import.meta.url));

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('guided import on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  let beverage: { readonly id: string };
  const call = (method: string, path: string, body?: object) => staff.callApi(method, path, body);

  beforeAll(async () => {
    staff = await openStaffBar({ settings: { features: { sales: true } }, device: { viewport } });
    await call('PUT', 'serving-sizes', { serving_sizes: [{ volume_ml: 300 }, { volume_ml: 500 }] });
    ({ beverage } = (await call('POST', 'beverages', {
      name: 'Lager',
      producer_id: 1,
      beverage_type: 'beer',
    })) as { beverage: { id: string } });
  });
  afterAll(() => staff.close());

  test('asks the order of dates, shows what it understood, imports, and maps products in one touch', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/sales`);
    await page.getByRole('link', { name: text('sales.importFile') }).click();
    await page.getByLabel(text('sales.tillName')).fill('Front');
    await page.getByLabel(text('sales.file'), { exact: true }).setInputFiles(csv);
    await page.getByLabel(text('sales.taxQuestion')).selectOption('with');
    await page.getByLabel(text('sales.tax')).fill('19');
    await page.getByRole('button', { name: text('sales.next') }).click();

    // What the file does not say has no answer yet.
    expect(await page.getByLabel(text('sales.dateOrder')).inputValue()).toBe('');
    await page.getByLabel(text('sales.dateOrder')).selectOption('dmy');
    await page.getByLabel(text('sales.timeMeaning')).selectOption('ring');
    await page.getByLabel(text('sales.timeZone')).fill('Europe/Berlin');
    // The separator is found in the head of the file; with another one there is one column only.
    expect(await page.getByLabel(text('sales.delimiter')).inputValue()).toBe(';');
    await page.getByLabel(text('sales.decimalSign')).selectOption(',');
    await page.getByLabel(text('sales.delimiter')).selectOption('|');
    await page.getByRole('button', { name: text('sales.showPreview') }).click();
    await page.getByText(text('sales.columnsMissing')).waitFor();
    await page.getByLabel(text('sales.delimiter')).selectOption(';');
    await page.getByRole('button', { name: text('sales.showPreview') }).click();
    const preview = page.getByRole('region', { name: text('sales.steps.preview') }).first();
    await preview.getByRole('cell', { name: 'Lager · 0.5 L' }).first().waitFor();
    await preview.getByText(text('sales.badRows', { count: 2 })).click();
    await preview.getByText('Line 7').waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);

    await page.getByRole('button', { name: text('sales.importLines', { count: 5 }) }).click();
    await page.getByRole('link', { name: text('sales.toProducts') }).click();
    await page.getByRole('button', { name: text('sales.ignoreOthers', { count: 1 }) }).click();
    await page.getByRole('button', { name: text('sales.applyProposals', { count: 2 }) }).click();
    await page.getByText(text('sales.unknownCount', { count: 0 })).waitFor();
    const mapped = page.getByRole('region', { name: text('sales.productStates.mapped') });
    await mapped.getByText('Lager 500 mL').waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);

    expect(await call('GET', 'tills/1')).toMatchObject({ till: { included_tax_basis_points: 1_900 } });
    const { items } = (await call('GET', 'tills/1/items')) as { items: { state: string }[] };
    expect(items.map(({ state }) => state).sort()).toEqual(['ignored', 'mapped', 'mapped']);
  });

  test('fills in what a file with titles above its head shows, asks the rest, and says how it was read', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/sales`);
    await page.getByRole('link', { name: text('sales.importFile') }).click();
    await page
      .locator('.sales-fields select')
      .first()
      .selectOption({ label: text('sales.newTill') });
    await page.getByLabel(text('sales.tillName')).fill('Garden');
    await page.getByLabel(text('sales.file'), { exact: true }).setInputFiles(titled);
    await page.getByLabel(text('sales.taxQuestion')).selectOption('with');
    await page.getByLabel(text('sales.tax')).fill('19');
    await page.getByRole('button', { name: text('sales.next') }).click();
    expect(await page.getByLabel(text('sales.delimiter')).inputValue()).toBe(';');
    expect(await page.getByLabel(text('sales.decimalSign')).inputValue()).toBe(',');
    expect(await page.getByLabel(text('sales.dateOrder')).inputValue()).toBe('');
    await page.getByLabel(text('sales.dateOrder')).selectOption('dmy');
    await page.getByLabel(text('sales.timeMeaning')).selectOption('ring');
    await page.getByRole('button', { name: text('sales.showPreview') }).click();
    const preview = page.getByRole('region', { name: text('sales.steps.preview') }).first();
    await preview.getByRole('cell', { name: 'Helles' }).waitFor();
    await preview.getByText(text('sales.headInLine', { line: 4 })).waitFor();
    await page.getByText(text('sales.columnsGuessed')).waitFor();
    const columns = page.locator('details select');
    for (const [field, column] of [
      ['item_name', 'Artikel'],
      ['quantity', 'Menge'],
    ] as const)
      expect(await columns.and(page.locator(`[name="column-${field}"]`)).inputValue()).toBe(column);
    // Seen and sent by a person, they are guesses no longer.
    await page.getByRole('button', { name: text('sales.showPreview') }).click();
    await page.getByText(text('sales.columnsGuessed')).waitFor({ state: 'detached' });
    await preview.getByText(text('sales.readAs', { charset: 'UTF-8' })).waitFor();
  });

  test('lists the import with its bad rows, its lines, and undoes it as a whole', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/sales`);
    await page.getByRole('link', { name: text('sales.showLines') }).click();
    await page.getByText('3 × Lager · 0.3 L').waitFor();
    await page.getByLabel(text('sales.kind')).selectOption('comp');
    // The unfiltered list has two lines of this name.
    await page.getByText('3 × Lager · 0.3 L').waitFor({ state: 'detached' });
    await page.getByText('1 × Lager · 0.5 L').waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await page.goto(`${daemon.url}/sales`);
    await page.getByRole('button', { name: new RegExp(text('sales.undoImport')) }).click();
    await page.getByText(`· ${text('sales.states.undone')}`).waitFor();
    expect(await axeOn(page)).toEqual([]);
    const { sales } = (await call('GET', 'sales')) as { sales: unknown[] };
    expect(sales).toEqual([]);
  });

  test('what a glass holds and what the till calls it is set at the beer, and undone', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/beers/${beverage.id}`);
    const form = page.getByRole('form', { name: text('sales.atTheTill') });
    await form.getByLabel(text('sales.liquidMl')).first().fill('270');
    await form.getByLabel(text('sales.tax')).first().fill('19');
    await form.getByLabel(text('sales.codes')).first().fill('101\nSmall Lager');
    await form.getByRole('button', { name: text('sales.saveServings', { beer: 'Lager' }) }).click();
    await page.getByText(text('common.saved')).waitFor();
    const read = async () =>
      ((await call('GET', `beverages/${beverage.id}/servings`)) as { servings: object[] }).servings[0];
    expect(await read()).toMatchObject({
      liquid_ml: 270,
      tax_basis_points: 1900,
      codes: ['101', 'Small Lager'],
    });
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await page.getByRole('button', { name: text('common.undo') }).click();
    await page.getByText(text('drinks.undone')).waitFor();
    expect(await read()).toMatchObject({ liquid_ml: null, tax_basis_points: null, codes: [] });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('figures by person on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  const ring = (id: string) =>
    staff.callApi<{ new_lines: number }>('POST', 'sales', {
      till: 'Front',
      sales: [
        {
          external_id: id,
          time: new Date().toISOString(),
          item_name: 'Pint',
          seller: 'Anna',
          net_minor: 480,
        },
      ],
    });
  beforeAll(async () => {
    staff = await openStaffBar({
      settings: { features: { sales: true } },
      device: { viewport },
      role: 'superuser',
    });
    const { taps } = await staff.callApi<{ taps: { beverage: { id: string } }[] }>('GET', 'taps');
    await ring('1');
    const { items } = await staff.callApi<{ items: { id: number }[] }>('GET', 'tills/1/items');
    await staff.callApi('PUT', `till-items/${items[0]!.id}/mapping`, {
      components: [{ beverage_id: taps[0]!.beverage.id, serving_size_id: null, count: 1, liquid_ml: 500 }],
    });
    for (let i = 0; i < 4; i += 1)
      await staff.callApi('POST', 'taps/1/record-drink', { volume_ml: 500, username: 'anna' });
  });
  afterAll(() => staff.close());

  test('are off until a superuser turns them on with a reason, which is shown beside them', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/sales/by-person`);
    await page.getByText('Off: nothing is shown by person, and no names are kept.').waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await page.getByLabel('Reason').fill('Agreed with all staff on Friday.');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Reason: Agreed with all staff on Friday.').waitFor();
    await page.getByText('Without a name: 500 mL').waitFor();
    await ring('2');
    await ring('3');
    await page.reload();
    const row = page.getByRole('row', { name: /anna/i });
    await row.getByText('2.0 L').waitFor();
    await row.getByText('1.0 L').first().waitFor();
    await page.getByText('This proves nothing', { exact: false }).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });

  test('who looked is in the change log, and turning it off deletes the names', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/audit`);
    await page.getByText('figures by person viewed', { exact: false }).first().waitFor();
    await page.getByText('figures by person turned on', { exact: false }).first().waitFor();
    await page.goto(`${daemon.url}/sales/by-person`);
    await page.getByRole('button', { name: 'Turn off and delete names' }).click();
    await page.getByText('Turned off. The names are deleted.').waitFor();
    await page.getByText('Off: nothing is shown by person, and no names are kept.').waitFor();
    await page.getByLabel('Reason').fill('Agreed with all staff on Friday.');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Without a name: 1.5 L').waitFor();
  });
});

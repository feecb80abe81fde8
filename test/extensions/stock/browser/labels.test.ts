import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { drawGs1Code, drawQrCode } from './barcodes.ts';

interface Known {
  readonly purchase: Readonly<Record<'code' | 'batch' | 'best_before' | 'born_on', string | null>>;
  readonly label_picture: { readonly resized_url: string } | null;
}

const file = (buffer: Buffer) => ({ name: 'label.png', mimeType: 'image/png', buffer });

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('labels of kegs on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  const known = () => staff.callApi<Known>('GET', 'kegs/1/purchase');
  beforeAll(async () => {
    staff = await openStaffBar({ device: { viewport } });
  });
  afterAll(() => staff.close());

  test('a GS1 code fills in code, batch and dates, which are saved with the keg', async () => {
    const { page, daemon, browser } = staff;
    await page.goto(`${daemon.url}/kegs/1`);
    const purchase = page.getByRole('region', { name: 'Purchase' });
    // The batch has no fixed length: a separator ends it.
    const gs1 = '0104012345678901' + '10L4711\u001d' + '15270531' + '11260401';
    await purchase.getByLabel('Read code from photo').setInputFiles(file(await drawGs1Code(browser, gs1)));
    await purchase.getByText('Code read. Check what was filled in.').waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await purchase.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast').getByText('Saved.').waitFor();
    expect((await known()).purchase).toMatchObject({
      code: gs1.replace('\u001d', ' '),
      batch: 'L4711',
      best_before: '2027-05-31',
      born_on: '2026-04-01',
    });
  });

  test('a QR code is kept as text, and a picture without a code or of no known kind is told', async () => {
    const { page, daemon, browser } = staff;
    await page.goto(`${daemon.url}/kegs/1`);
    const purchase = page.getByRole('region', { name: 'Purchase' });
    const input = purchase.getByLabel('Read code from photo');
    await input.setInputFiles(file(await drawQrCode(browser, 'https://brewery.example/keg/5')));
    await purchase.getByText('Code read: https://brewery.example/keg/5').waitFor();
    await input.setInputFiles(file(await page.screenshot()));
    await purchase.getByText('No code found.', { exact: false }).waitFor();
    await input.setInputFiles({ ...file(Buffer.from('no picture')), mimeType: 'image/png' });
    await purchase.getByText('This file is not a picture that can be read.').waitFor();
  });

  test('the label is photographed, shown, removed, and comes back with undo', async () => {
    const { page, daemon, browser } = staff;
    await page.goto(`${daemon.url}/kegs/1`);
    const purchase = page.getByRole('region', { name: 'Purchase' });
    await purchase.getByLabel('Choose').setInputFiles(file(await drawQrCode(browser, 'keg')));
    const picture = purchase.getByRole('img', { name: 'Label' });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await purchase.getByRole('button', { name: 'Remove' }).click();
    await picture.waitFor({ state: 'detached' });
    expect((await known()).label_picture).toBeNull();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await picture.waitFor();
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let staffBar: StaffBar;
let page: Page;
let daemon: RunningDaemon;

beforeAll(async () => {
  staffBar = await openStaffBar();
  ({ page, daemon } = staffBar);
});
afterAll(() => staffBar.close());

/** Calls the API as the logged-in user. */
const call = (method: string, path: string, body?: object) =>
  page.evaluate(
    async (sent) => {
      const reply = await fetch(`api${sent.path}`, {
        method: sent.method,
        ...(sent.body && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(sent.body),
        }),
      });
      return (await reply.json()).result;
    },
    { method, path, body },
  );

async function addKeg(): Promise<number> {
  await page.goto(`${daemon.url}/kegs`);
  const names = { beverage_name: 'Stout', producer_name: 'Brewery', style_name: 'Dry Stout' };
  return (await call('POST', '/kegs', { ...names, keg_type: 'euro-30-liter' })).keg.id;
}

const dialog = () => page.getByRole('dialog', { name: 'Edit keg' });

test('a keg gets another beer, size and notes on its page, and undo restores them', async () => {
  const id = await addKeg();
  const before = (await call('GET', `/kegs/${id}`)).keg;
  await call('POST', '/beverages', { name: 'Porter', producer_id: 1 });
  await page.goto(`${daemon.url}/kegs/${id}`);
  await page.getByRole('button', { name: 'Edit keg' }).click();
  await dialog().getByRole('combobox', { name: 'Beer', exact: true }).fill('port');
  await dialog().getByRole('option', { name: 'Porter' }).click();
  await dialog().getByLabel('Size').selectOption({ label: 'European Half Barrel (50 L)' });
  expect(await dialog().getByLabel('Starting volume').inputValue()).toMatch(/^50\.0\sL$/);
  await dialog().getByLabel('Notes (staff only)').fill('Leaks a little.');
  expect(await axeOn(page, 'dialog')).toEqual([]);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Porter' }).waitFor();
  expect((await call('GET', `/kegs/${id}`)).keg).toMatchObject({
    full_volume_ml: 50_000,
    notes: 'Leaks a little.',
    started_time: before.started_time,
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Stout' }).waitFor();
  expect((await call('GET', `/kegs/${id}`)).keg).toEqual(before);
});

test('a volume that is none and a start in the future are answered at their fields', async () => {
  const id = await addKeg();
  await page.goto(`${daemon.url}/kegs/${id}`);
  await page.getByRole('button', { name: 'Edit keg' }).click();
  await dialog().getByLabel('Starting volume').fill('much');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('“much” is not a volume', { exact: false }).waitFor();
  await dialog().getByLabel('Starting volume').fill('29');
  await dialog().getByLabel('Added').fill('2090-01-01T10:00');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('must not be in the future', { exact: false }).first().waitFor();
  await dialog().getByLabel('Added').fill('2026-01-01T10:00');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect((await call('GET', `/kegs/${id}`)).keg.full_volume_ml).toBe(29_000);
});

test('a keg is deleted from the list, and undo brings it back', async () => {
  const id = await addKeg();
  await page.goto(`${daemon.url}/kegs`);
  await page.getByRole('button', { name: `Edit Stout, Keg ${id}` }).click();
  await page.getByRole('button', { name: 'Delete keg' }).click();
  await page.getByText(`Keg ${id} deleted.`).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Stout' }).count()).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByRole('link', { name: 'Stout' }).count()).toBe(3);
  expect((await call('GET', `/kegs/${id}`)).keg.id).toBe(id);
});

test('a keg with spills or drinks offers no deletion and says why', async () => {
  const id = await addKeg();
  await call('POST', `/kegs/${id}/spill`, { volume_ml: 300 });
  await page.goto(`${daemon.url}/kegs/${id}`);
  await page.getByText('A keg with drinks cannot be deleted', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete keg' }).count()).toBe(0);
  expect(await axeOn(page, 'main')).toEqual([]);
});

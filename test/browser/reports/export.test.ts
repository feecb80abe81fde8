import { readFileSync } from 'node:fs';
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

/** The downloaded file: its name and text. */
async function download() {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('what, days and format are chosen, and the file has what the page says', async () => {
  await page.goto(`${daemon.url}/export`);
  await page.getByRole('button', { name: 'All days', pressed: true }).waitFor();
  await page.getByText('Nothing was recorded on these days.').waitFor();
  await page.evaluate(() =>
    fetch('api/kegs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ beverage_name: 'Stout', producer_name: 'Brewery', style_name: 'Stout' }),
    }),
  );
  await page.goto(`${daemon.url}/export`);
  await page.getByRole('button', { name: 'Kegs', exact: true }).click();
  await page.getByText(/^\d+ rows?$/).waitFor();
  expect(await axeOn(page, 'main')).toEqual([]);
  const rows = Number.parseInt(await page.getByText(/^\d+ rows?$/).innerText(), 10);
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  await page.getByText('for programs', { exact: false }).waitFor();
  const { name, text } = await download();
  expect(name).toBe('tapster-kegs.csv');
  expect(text.trim().split('\n')).toHaveLength(rows + 1);
  await page.getByRole('button', { name: 'CSV for Excel' }).click();
  expect((await download()).text).toContain(';');
  await page.getByLabel('From').fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Nothing was recorded on these days.').waitFor();
  expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
});

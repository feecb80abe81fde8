import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningDaemon } from '../../kit/daemon.ts';
import { recordDrinks } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';
import { text } from '../kit/texts.ts';

let staffBar: StaffBar;
let page: Page;
let daemon: RunningDaemon;

beforeAll(async () => {
  staffBar = await openStaffBar();
  ({ page, daemon } = staffBar);
  await recordDrinks(page, 120);
});
afterAll(() => staffBar.close());

const rows = () => page.getByRole('list', { name: 'Drinks', exact: true }).getByRole('listitem');

test('the list of drinks loads further pages on scrolling, to the first drink', async () => {
  await page.getByRole('link', { name: 'Drinks', exact: true }).click();
  await page.getByRole('heading', { name: 'Drinks', exact: true }).waitFor();
  await expect.poll(() => rows().count()).toBeGreaterThanOrEqual(50);
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return rows().count();
    })
    .toBe(120);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
});

test('drinks are filtered by tap and day, and the address contains the filters', async () => {
  await page.goto(`${daemon.url}/drinks`);
  await page.getByLabel(/^Tap/).selectOption('Right');
  await expect.poll(() => new URL(page.url()).search).toBe('?tap=2');
  await expect.poll(() => rows().count()).toBe(40);
  await page.getByLabel('Day').fill('2001-02-03');
  await page.getByText('No drinks found.').waitFor();
  await page.goBack();
  await expect.poll(() => rows().count()).toBe(40);
});

test('an old drink is corrected from the list, which then shows the change', async () => {
  await page.goto(`${daemon.url}/drinks?tap=2`);
  await expect.poll(() => rows().count()).toBe(40);
  await rows().last().getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await page.getByText('Recorded as spill.').waitFor();
  await expect.poll(() => rows().count()).toBe(39);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows().count()).toBe(40);
});

test('a keg is created, put on a tap, ended and reactivated', async () => {
  await page.getByRole('link', { name: 'Kegs', exact: true }).click();
  await page.getByRole('button', { name: 'New keg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Beer').fill('Kellerbier <b>');
  await dialog.getByLabel('Brewery').fill('Brauerei Amsel');
  await dialog.getByLabel('Size').selectOption('euro-30-liter');
  await dialog.getByRole('button', { name: text('kegs.fillPart') }).click();
  await dialog.getByLabel(text('kegs.fillVolume')).fill('a lot');
  await dialog.getByRole('button', { name: 'Add to stock' }).click();
  await dialog.getByText('“a lot” is not a volume.').waitFor();
  await dialog.getByLabel(text('kegs.fillVolume')).fill('12,5');
  await dialog.getByRole('button', { name: 'Add to stock' }).click();
  await page.getByText('Keg added to stock.').waitFor();

  const stock = page.getByRole('list', { name: 'In stock' });
  await stock.getByText('12.5 L left of 12.5 L').waitFor();
  const taps = page.getByRole('list', { name: 'On tap' });
  await taps.getByRole('button', { name: /^Edit/ }).first().click();
  await dialog.getByRole('button', { name: 'Keg empty' }).click();
  await page.getByText('Keg marked as empty.').waitFor();

  await stock.getByRole('button', { name: /Kellerbier <b>/ }).click();
  await dialog.getByRole('button', { name: /^Put on tap/ }).click();
  await taps.getByText('Kellerbier <b>').waitFor();
  const finished = page.getByRole('list', { name: 'Finished' });
  await finished.getByRole('button', { name: /^Edit/ }).click();
  await dialog.getByRole('button', { name: 'Put back on tap' }).click();
  await page.getByText('Keg put back into stock.').waitFor();
  await finished.waitFor({ state: 'detached' });
});

test('the keg page draws the level chart under the strict content policy and offers it as a table', async () => {
  const browserErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  await page.goto(`${daemon.url}/kegs/1`);
  await page.getByRole('img', { name: /Level of the keg, from .* to / }).waitFor();
  expect(await page.locator('.chart-box canvas').count()).toBe(1);
  await page.getByText('As a table').click();
  expect(await page.getByRole('rowheader').count()).toBeGreaterThan(40);
  expect(browserErrors).toEqual([]);
  await page.goto(`${daemon.url}/kegs/999`);
  await page.getByText('Keg not found.').waitFor();
});

test('a guest can read kegs and drinks and change none of them', async () => {
  const guest = await (await staffBar.browser.newContext({ locale: 'en-GB' })).newPage();
  await guest.goto(`${daemon.url}/kegs`);
  await guest.getByRole('list', { name: 'On tap' }).waitFor();
  expect(await guest.getByRole('button', { name: /^Edit|New keg/ }).count()).toBe(0);
  await guest.getByRole('link', { name: 'Drinks', exact: true }).click();
  await guest.getByRole('list', { name: 'Drinks', exact: true }).waitFor();
  expect(await guest.getByRole('button', { name: /^Correct/ }).count()).toBe(0);
  await guest.context().close();
});

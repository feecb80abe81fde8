import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logIn as logInTo, logOut, openNotices } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let page: Page;

beforeEach(async () => {
  bar = await openStaffBar({
    logsIn: false,
    colleagues: ['bert'],
    settings: { judgement: { max_flow_ml_per_s: 100 } },
  });
  page = bar.page;
  await page.goto(bar.daemon.url);
});
afterEach(() => bar.close());

const logIn = () => logInTo(page, bar.daemon.url);
const pour = (ml: number, hz?: number) => bar.pour(ml, hz);

interface Drink {
  readonly id: number;
  readonly volume_ml: number;
  readonly user_id: string | null;
  readonly keg_id: number | null;
}

const drinks = async () => (await bar.callApi<{ drinks: readonly Drink[] }>('GET', 'drinks')).drinks;

const rows = () => page.locator('.drink');
const clickRow = (words: string) => rows().filter({ hasText: words }).getByRole('button').click();
const dialog = () => page.getByRole('dialog');
const clickInDialog = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

test('a guest sees the drinks and can change none of them', async () => {
  await pour(40);
  await rows().getByText('40 mL').waitFor();
  expect(await rows().getByRole('button').count()).toBe(0);
  await page.goto(`${bar.daemon.url}/held`);
  await page.getByText('Sign in to correct pours.').waitFor();
});

test('a wrong password shows an error, the right one logs in', async () => {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong name or password.').waitFor();
  await page.getByLabel('Password').fill('a good long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await logOut(page, 'anna');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a pour is marked as spilled with two clicks and restored with one', async () => {
  await logIn();
  await pour(40);
  await rows().getByText('40 mL').waitFor();
  await clickRow('40 mL');
  await clickInDialog('Mark as spill');
  await page.getByText('Recorded as spill.').waitFor();
  await expect.poll(drinks).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await expect.poll(async () => (await drinks()).map((drink) => drink.volume_ml)).toEqual([40]);
});

test('user, volume and keg of a drink are changed with two clicks each', async () => {
  await logIn();
  await pour(40);
  await rows().getByText('40 mL').waitFor();
  const [before] = await drinks();
  await clickRow('40 mL');
  await clickInDialog('bert');
  await rows().getByText('bert').waitFor();
  await clickRow('40 mL');
  await clickInDialog('300 mL');
  await rows().getByText('300 mL').waitFor();
  await clickRow('300 mL');
  await dialog().getByLabel('Other volume (mL)').fill('275,5');
  await clickInDialog('Save');
  await expect.poll(drinks).toEqual([expect.objectContaining({ volume_ml: 275.5, user_id: 'bert' })]);
  await clickRow('276 mL');
  await clickInDialog('No keg');
  await expect.poll(drinks).toEqual([expect.objectContaining({ id: before!.id, keg_id: null })]);
});

test('all drinks with which a name was sent are assigned with two clicks, and undone with one', async () => {
  for (const ml of [40, 50]) {
    await fetch(`${bar.daemon.url}/api/v1/taps/pi.flow0`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bar.key}` },
      body: new URLSearchParams({ ticks: String(ml * 5), username: 'Zoe' }),
    });
  }
  await pour(60);
  await logIn();
  await rows().getByText('60 mL').waitFor();
  await page.goto(`${bar.daemon.url}/drinks?user=-`);
  await rows().filter({ hasText: '40 mL' }).getByText('Name: Zoe').waitFor();
  await clickRow('40 mL');
  await dialog().getByLabel('Assign all drinks with this name').check();
  await clickInDialog('bert');
  await page.getByText('2 drinks assigned to bert.').waitFor();
  const users = async () => (await drinks()).map((drink) => drink.user_id);
  expect(await users()).toEqual([null, 'bert', 'bert']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect(await users()).toEqual([null, null, null]);
});

test('a pour is split into two drinks and joined again', async () => {
  await logIn();
  await pour(80);
  await rows().getByText('80 mL').waitFor();
  await clickRow('80 mL');
  await clickInDialog('Split');
  await expect.poll(() => rows().getByText('40 mL').count()).toBe(2);
  await rows().first().getByRole('button').click();
  await clickInDialog('Merge with previous');
  await expect.poll(async () => (await drinks()).map((drink) => drink.volume_ml)).toEqual([80]);
});

test('the tap dialog records a drink manually and changes the keg', async () => {
  await logIn();
  await page.getByRole('button', { name: 'Edit Right' }).click();
  await clickInDialog('300 mL');
  await rows().getByText('300 mL').waitFor();
  await page.getByRole('button', { name: 'Edit Right' }).click();
  await clickInDialog('Keg empty');
  await clickInDialog('New keg');
  await dialog().getByRole('combobox', { name: 'Beer', exact: true }).fill('Kellerbier');
  await dialog().getByLabel('Brewery').fill('Brauerei Amsel');
  await page.keyboard.press('Tab');
  await dialog().getByLabel('Size').selectOption('euro-30-liter');
  await clickInDialog('Put on tap');
  const tap = page.getByRole('article', { name: 'Kellerbier' });
  await tap.getByText('30.0').waitFor();
});

test('a pour that is too fast is held, shown with its flow, accepted, and held again by undo', async () => {
  await logIn();
  await pour(300, 800);
  await openNotices(page, '1 notice');
  await page.getByRole('link', { name: '1 pour needs review.' }).click();
  await page.getByText('Faster than beer can flow.').waitFor();
  expect(await page.getByRole('img', { name: 'Flow over time' }).count()).toBe(1);
  expect(await page.getByLabel('Tap', { exact: true }).locator('option:checked').textContent()).toBe('Left');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Nothing to review.').waitFor();
  await expect.poll(async () => (await drinks()).map((drink) => drink.volume_ml)).toEqual([300]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Faster than beer can flow.').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing to review.').waitFor();
  expect(await drinks()).toEqual([]);
});

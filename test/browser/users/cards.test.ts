import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { type PeopleBar, startPeopleBar } from '../kit/people-bar.ts';

let browser: Browser;
let bar: PeopleBar;
const pages: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = await startPeopleBar(browser);
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
});
afterAll(async () => {
  await browser.close();
  await bar.stop();
});

async function open(...args: Parameters<PeopleBar['open']>): Promise<Page> {
  const page = await bar.open(...args);
  pages.push(page);
  return page;
}

/** A pour that a controller reports with a card nobody knows. */
const pourWith = (token: string, ml: number) =>
  bar.callApi('POST', 'v1/taps/pi.flow0', { ticks: ml * 5, volume_ml: ml, auth_token: token });

const rowsOf = (page: Page, name: string) =>
  page.getByRole('list', { name, exact: true }).getByRole('listitem');

interface Token {
  readonly user_id: string | null;
  readonly enabled: boolean;
  readonly expire_time: string | null;
}
const findToken = async (value: string): Promise<Token | undefined> =>
  (await bar.callApi<{ tokens: Token[] }>('GET', `auth-tokens?search=${value}`)).tokens[0];
const addCard = (token_value: string, fields: object = {}) =>
  bar.callApi('POST', 'auth-tokens', { auth_device: 'core.rfid', token_value, ...fields });

test('an unknown card is assigned to a person with its earlier drinks, and that is undone', async () => {
  await pourWith('core.rfid|00aa01', 250);
  await pourWith('core.rfid|00aa01', 300);
  const page = await open('/cards', 'anna');
  const unknown = rowsOf(page, 'Unknown cards').filter({ hasText: '00aa01' });
  await unknown.getByText(/RFID card · last seen \d\d:\d\d at .*/).waitFor();
  await unknown.getByRole('button', { name: 'Assign card 00aa01' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign card 00aa01' });
  const person = dialog.getByRole('combobox', { name: 'Person' });
  await person.fill('ber');
  await dialog.getByRole('option', { name: 'bert' }).waitFor();
  await person.press('ArrowDown');
  await person.press('Enter');
  expect(await person.inputValue()).toBe('bert');
  expect(await dialog.getByLabel('Also give the 2 earlier drinks without a person').isChecked()).toBe(true);
  expect(await axeOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('Assigned to bert, with 2 drinks.').waitFor();
  await rowsOf(page, 'Cards').filter({ hasText: '00aa01' }).getByRole('link', { name: 'bert' }).waitFor();
  const total = async () =>
    (await bar.callApi<{ paging: { total: number } }>('GET', 'drinks?user=bert')).paging.total;
  expect(await total()).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await unknown.waitFor();
  expect(await total()).toBe(0);
  expect(await findToken('00aa01')).toBeUndefined();
});

test('the earlier drinks stay without a person unless they are wanted', async () => {
  await pourWith('core.rfid|00aa02', 250);
  const page = await open('/cards?state=unknown', 'anna');
  await page.getByRole('button', { name: 'Assign card 00aa02' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Also give the earlier drink without a person').uncheck();
  await dialog.getByRole('combobox', { name: 'Person' }).fill('nobody-here');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await dialog.getByRole('combobox', { name: 'Person' }).fill('carla');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('Assigned to carla.').waitFor();
  expect((await findToken('00aa02'))?.user_id).toBe('carla');
  const { paging } = await bar.callApi<{ paging: { total: number } }>('GET', 'drinks?user=carla');
  expect(paging.total).toBe(0);
});

test('a card is disabled, enabled, given a last day, and deleted; each is undone', async () => {
  await addCard('00bb01', { nice_name: 'Blue fob', user: 'bert' });
  const page = await open('/cards', 'anna');
  const row = rowsOf(page, 'Cards').filter({ hasText: 'Blue fob' });
  const undo = () => page.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('button', { name: 'Disable Blue fob' }).click();
  await row.getByText(/disabled/).waitFor();
  await undo();
  await row.getByRole('button', { name: 'Disable Blue fob' }).waitFor();
  expect((await findToken('00bb01'))?.enabled).toBe(true);

  await row.getByRole('button', { name: 'Details of Blue fob' }).click();
  const dialog = page.getByRole('dialog', { name: 'Card Blue fob' });
  await dialog.getByLabel(/^Last valid day/).fill('2020-12-31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText(/expired/).waitFor();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Expired');
  await row.waitFor();
  await undo();
  await page.getByText('No cards found.').waitFor();
  expect((await findToken('00bb01'))?.expire_time).toBeNull();

  await page.getByRole('combobox', { name: 'Show' }).selectOption('All');
  await row.getByRole('button', { name: 'Delete Blue fob' }).click();
  await row.waitFor({ state: 'detached' });
  await undo();
  await row.getByRole('link', { name: 'bert' }).waitFor();
});

test('the details of a card tell when and where it was seen and which drinks it poured', async () => {
  await addCard('00cc01', { user: 'carla' });
  await pourWith('core.rfid|00cc01', 330);
  const page = await open('/cards?search=00CC01', 'anna');
  await page.getByRole('button', { name: 'Details of 00cc01' }).click();
  const dialog = page.getByRole('dialog', { name: 'Card 00cc01' });
  await dialog.getByRole('heading', { name: 'One drink' }).waitFor();
  await dialog.getByRole('list', { name: 'One drink' }).getByText('carla').waitFor();
  await dialog.getByText('330 mL').waitFor();
});

test('members see no cards', async () => {
  const page = await open('/cards', 'bert');
  await page.getByText('Staff only.').waitFor();
  expect(await page.getByLabel('Search cards').count()).toBe(0);
});

test.each([
  ['light', 390],
  ['dark', 1440],
] as const)('the page of cards is accessible and fits, %s at %i', async (colorScheme, width) => {
  await pourWith('core.rfid|00dd0123456789abcdef0123456789', 250);
  const page = await open('/cards', 'anna', { viewport: { width, height: 900 }, colorScheme });
  await page.getByRole('button', { name: /^Assign card 00dd/ }).waitFor();
  await rowsOf(page, 'Cards').filter({ visible: true }).first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.getByRole('button', { name: 'Details of Blue fob' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
});

test('an unknown card is deleted from the list, and is listed again when it is used again', async () => {
  await pourWith('core.rfid|00fe01', 250);
  const page = await open('/cards', 'anna');
  const row = rowsOf(page, 'Unknown cards').filter({ hasText: '00fe01' });
  await row.getByRole('button', { name: 'Delete 00fe01' }).click();
  await page.getByText('00fe01 deleted until it is seen again.').waitFor();
  await row.waitFor({ state: 'detached' });
  await pourWith('core.rfid|00fe01', 250);
  await row.getByText(/seen once/).waitFor();
});

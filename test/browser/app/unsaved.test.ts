import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';
import { text } from '../kit/texts.ts';

let staff: StaffBar;
let page: Page;
let questions: string[];
/** What the next questions are answered with. */
let answers: boolean[];

beforeAll(async () => {
  staff = await openStaffBar();
  ({ page } = staff);
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void (answers.shift() ? dialog.accept() : dialog.dismiss());
  });
});
afterAll(() => staff.close());
afterEach(() => {
  answers = [];
});

/** Opens the editor of a new beer and returns its id. */
async function openBeer(name: string): Promise<number> {
  questions = [];
  answers = [];
  const { beverage } = await staff.callApi<{ beverage: { id: string } }>('POST', 'beverages', {
    name,
    producer_id: 1,
    description: 'As it was.',
  });
  answers = [true];
  await page.goto(`${staff.daemon.url}/beers/${beverage.id}`);
  await page.getByLabel('Description').waitFor();
  questions = [];
  answers = [];
  return Number(beverage.id);
}

const readBeer = (id: number) =>
  staff
    .callApi<{ beverage: Record<string, unknown> }>('GET', `beverages/${id}`)
    .then(({ beverage }) => beverage);
const changeBeer = (id: number, body: object) => staff.callApi('PATCH', `beverages/${id}`, body);
const save = () => page.getByRole('button', { name: 'Save', exact: true }).first().click();

describe('what is typed and not saved', () => {
  test('is asked for before a link, Back and a reload lose it, and stays where it is', async () => {
    const id = await openBeer('Unsaved Ale');
    await page.goto(`${staff.daemon.url}/beers`);
    await page.getByRole('link', { name: 'Unsaved Ale' }).click();
    await page.getByLabel('Description').fill('Half a sente');
    await page.getByRole('link', { name: 'Taps', exact: true }).first().click();
    await expect.poll(() => questions).toEqual(['confirm']);
    await page.evaluate(() => history.back());
    await expect.poll(() => questions).toEqual(['confirm', 'confirm']);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/beers/${id}`);
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a sente');
    answers = [true];
    await page.reload();
    expect(questions).toEqual(['confirm', 'confirm', 'beforeunload']);
  });

  test('is asked for also after a link that left nothing, and not for a link to a part of the page', async () => {
    await openBeer('Skipped Ale');
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = `${location.pathname}#part`;
      document.querySelector('main')!.append(link);
      link.click();
    });
    await page.getByLabel('Description').fill('Typed');
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('main a[href$="#part"]')!.click());
    expect(questions).toEqual([]);
    await page.getByRole('link', { name: 'Taps', exact: true }).first().click();
    await expect.poll(() => questions).toEqual(['confirm']);
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed');
    answers = [true];
    await page.getByRole('link', { name: 'Taps', exact: true }).first().click();
    await page.locator('.tap-manage').first().waitFor();
  });

  test('is asked for once where a person leaves, and never where nothing is typed', async () => {
    await openBeer('Left Ale');
    await page.getByLabel('Description').fill('Typed');
    await page.getByLabel('Description').fill('As it was.');
    await page.getByRole('link', { name: 'Taps', exact: true }).first().click();
    await page.locator('.tap-manage').first().waitFor();
    expect(questions).toEqual([]);
    await openBeer('Gone Ale');
    await page.getByLabel('Description').fill('Typed');
    answers = [true];
    await page.getByRole('link', { name: 'Taps', exact: true }).first().click();
    await page.locator('.tap-manage').first().waitFor();
    expect(questions).toEqual(['confirm']);
  });

  test('is asked for before its dialog closes by Escape or its button', async () => {
    answers = [true];
    const { keg } = await staff.callApi<{ keg: { id: number } }>('POST', 'kegs', { beverage_id: 1 });
    await page.goto(`${staff.daemon.url}/kegs/${keg.id}`);
    questions = [];
    answers = [];
    await page.getByRole('button', { name: 'Edit keg' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Notes (staff only)').fill('Leaks');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => questions).toEqual(['confirm', 'confirm', 'confirm']);
    expect(await dialog.getByLabel('Notes (staff only)').inputValue()).toBe('Leaks');
    answers = [true];
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a change by somebody else', () => {
  test('of another field is kept, and only what was typed is sent', async () => {
    const id = await openBeer('Shared Ale');
    await page.getByLabel('Description').fill('By Anna.');
    await changeBeer(id, { abv_percent: 6.5, style: 'Porter' });
    await save();
    await expect.poll(async () => (await readBeer(id)).description).toBe('By Anna.');
    expect(await readBeer(id)).toMatchObject({ abv: 6.5, style_id: 'Porter' });
    expect(questions).toEqual([]);
  });

  test('of the same field is shown at the field; its value can be taken, or replaced by saving again', async () => {
    const id = await openBeer('Disputed Ale');
    await page.getByLabel('Description').fill('By Anna.');
    await changeBeer(id, { description: 'By Ben.' });
    await save();
    await page.getByText('Description was changed to “By Ben.” meanwhile.', { exact: false }).waitFor();
    expect((await readBeer(id)).description).toBe('By Ben.');
    await page.getByRole('button', { name: text('common.takeOther') }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('By Ben.');
    await page.getByLabel('Description').fill('By both.');
    await save();
    await expect.poll(async () => (await readBeer(id)).description).toBe('By both.');

    const other = await openBeer('Replaced Ale');
    await page.getByLabel('Description').fill('By Anna.');
    await changeBeer(other, { description: 'By Ben.' });
    await save();
    await page.getByText('Description was changed to “By Ben.” meanwhile.', { exact: false }).waitFor();
    await save();
    await expect.poll(async () => (await readBeer(other)).description).toBe('By Anna.');
  });

  test('of the brewery is shown at the brewery', async () => {
    const { beverage_producer: producer } = await staff.callApi<{ beverage_producer: { id: number } }>(
      'POST',
      'beverage-producers',
      { name: 'Bens Brewery' },
    );
    await staff.callApi('POST', 'beverage-producers', { name: 'Annas Brewery' });
    const id = await openBeer('Moved Ale');
    await page.getByRole('combobox', { name: 'Brewery' }).fill('Annas');
    await page.getByRole('listbox').getByRole('option', { name: 'Annas Brewery' }).click();
    await changeBeer(id, { producer_id: producer.id });
    await save();
    await page.getByText('Brewery was changed to “Bens Brewery” meanwhile.', { exact: false }).waitFor();
    expect(await readBeer(id)).toMatchObject({ producer: { name: 'Bens Brewery' } });
    await page.getByRole('button', { name: text('common.takeOther') }).click();
    expect(await page.getByRole('combobox', { name: 'Brewery' }).inputValue()).toBe('Bens Brewery');
  });
});

test('a login that has ended is renewed in the form, and what was typed is saved', async () => {
  const id = await openBeer('Patient Ale');
  await page.getByLabel('Description').fill('Written for an hour.');
  await page.context().clearCookies();
  await save();
  const dialog = page.getByRole('dialog', { name: text('auth.signInAgain') });
  await dialog.getByLabel('Password').fill('a wrong password');
  await dialog.getByRole('button', { name: text('auth.logIn') }).click();
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await dialog.getByLabel('Password').fill('a good long password');
  await dialog.getByRole('button', { name: text('auth.logIn') }).click();
  await expect.poll(async () => (await readBeer(id)).description).toBe('Written for an hour.');
});

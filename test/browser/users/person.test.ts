import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addAccounts, addKey } from '../../kit/accounts.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { type PeopleBar, startPeopleBar } from '../kit/people-bar.ts';
import { answerPasswordDialog, confirmPassword } from '../kit/staff.ts';

const password = 'a good long password';
let browser: Browser;
let bar: PeopleBar;
const pages: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = await startPeopleBar(browser);
  await addAccounts(bar.bar, { root: 'superuser', dora: 'member' });
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

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();
const person = async (name: string) =>
  (await bar.callApi<{ user: Record<string, unknown> }>('GET', `users/${name}`)).user;

test('the list is filtered by search, role and state, and leads to the page of a person', async () => {
  const page = await open('/users', 'anna');
  const list = page.getByRole('list', { name: 'People', exact: true });
  await list.getByRole('listitem').nth(4).waitFor();
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Superuser');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Member');
  await page.getByLabel('Search people').fill('CARL');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Deactivated');
  await page.getByText('No people found.').waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Active');
  await page.getByRole('link', { name: 'carla', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'carla' }).waitFor();
  await page.getByRole('link', { name: 'Drinker page' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/drinkers/carla');
});

test('a superuser renames, promotes and deactivates a person, and undoes each', async () => {
  const page = await open('/users/carla', 'root');
  await confirmPassword(page);
  await section(page, 'Name')
    .getByLabel(/^User name/)
    .fill('carlotta');
  await section(page, 'Name').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 2, name: 'carlotta' }).waitFor();
  await section(page, 'Other names').getByText('carla').waitFor();
  await undo(page);
  await page.getByRole('heading', { level: 2, name: 'carla', exact: true }).waitFor();
  expect((await person('carla')).username).toBe('carla');

  const role = section(page, 'Role and access');
  await role.getByRole('combobox').selectOption('Staff');
  await role.getByRole('button', { name: 'Save' }).click();
  await page.getByText('carla is now: Staff.').waitFor();
  await undo(page);
  await expect.poll(async () => (await person('carla')).is_staff).toBe(false);

  await role.getByRole('button', { name: 'Deactivate' }).click();
  await role.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  expect((await person('carla')).is_active).toBe(false);
  await undo(page);
  await role.getByRole('button', { name: 'Deactivate' }).waitFor();
  expect((await person('carla')).is_active).toBe(true);
});

test('staff are offered no right that they lack, and are told who has it', async () => {
  const page = await open('/users/anna', 'anna');
  await page.getByText('Staff run the bar. Only superusers make superusers.').waitFor();
  expect(await page.getByRole('option', { name: 'Superuser' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0);
  await page.getByText('Download and deletion of personal data: ask a superuser.').waitFor();
  await page.goto(`${bar.daemon.url}/users/root`);
  await page.getByText('Only a superuser may change a superuser.').waitFor();
  expect(await page.getByRole('region', { name: 'Name', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Sign out everywhere' }).count()).toBe(0);
});

test('a superuser makes a superuser after the password; the last one stays', async () => {
  const page = await open('/users/root', 'root');
  const role = section(page, 'Role and access');
  const choose = async (name: string) => {
    await role.getByRole('combobox').selectOption(name);
    await role.getByRole('button', { name: 'Save' }).click();
  };
  await choose('Staff');
  const again = page.getByRole('dialog', { name: 'Enter your password' });
  await again.getByLabel('Password').fill(password);
  await again.getByRole('button', { name: 'Confirm' }).click();
  await role
    .getByRole('alert')
    .filter({ hasText: /superuser/i })
    .waitFor();
  await role.getByRole('button', { name: 'Deactivate' }).click();
  await role
    .getByRole('alert')
    .filter({ hasText: /superuser/i })
    .last()
    .waitFor();
  expect(await person('root')).toMatchObject({ is_superuser: true, is_active: true });
  await page.goto(`${bar.daemon.url}/users/bert`);
  await choose('Superuser');
  await page.getByText('bert is now: Superuser.').waitFor();
  await undo(page);
  await expect.poll(async () => (await person('bert')).is_superuser).toBe(false);
});

test('a superuser adds and removes other names of a person', async () => {
  const page = await open('/users/bert', 'root');
  const names = section(page, 'Other names');
  await names.getByLabel('Another name').fill('berti');
  await names.getByRole('button', { name: 'Add name' }).click();
  await answerPasswordDialog(page);
  await names.getByRole('button', { name: 'Delete name berti' }).click();
  await names.getByText('No other names.').waitFor();
  await undo(page);
  await names.getByRole('button', { name: 'Delete name berti' }).waitFor();
});

test('without a mail server staff confirm the spelling of an address', async () => {
  const page = await open('/users/bert', 'anna');
  await confirmPassword(page);
  const email = section(page, 'E-mail');
  await email.getByText('No e-mail address.').waitFor();
  await email.getByLabel(/^New address/).fill('bert@example.org');
  await email.getByRole('button', { name: 'Continue' }).click();
  await email.getByText('bert@example.org').waitFor();
  await email.getByRole('button', { name: 'Yes, save' }).click();
  await email.getByText('An e-mail address is set. Only its owner sees it.').waitFor();
  expect(await page.getByText('bert@example.org').count()).toBe(0);
});

test('staff sign a person out everywhere', async () => {
  const phone = await open('/account', 'dora');
  await phone.getByRole('heading', { name: 'dora' }).waitFor();
  const page = await open('/users/dora', 'anna');
  await confirmPassword(page);
  await section(page, 'Signed-in devices').getByRole('listitem').filter({ visible: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('One device signed out.').waitFor();
  await section(page, 'Signed-in devices').getByText('Not signed in anywhere.').waitFor();
  await phone.reload();
  await phone.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a superuser sees the API keys of a person and deletes one after the password', async () => {
  const key = addKey(bar.bar, 'carla');
  await fetch(`${bar.daemon.url}/api/api-keys`, { headers: { 'X-Kegbot-Api-Key': key } });
  const page = await open('/users/carla', 'root');
  const keys = section(page, 'API keys');
  await keys.getByText(/last used .* from 127\.0\.0\.1/).waitFor();
  expect(await axeOn(page)).toEqual([]);
  await keys.getByRole('button', { name: 'Delete made on the command line' }).click();
  await answerPasswordDialog(page);
  await keys.getByText('No API keys.').waitFor();
  const staff = await open('/users/carla', 'anna');
  await section(staff, 'Name').waitFor();
  expect(await section(staff, 'API keys').count()).toBe(0);
});

test('staff are told that only superusers change how colleagues sign in', async () => {
  await addAccounts(bar.bar, { otto: 'staff' });
  const page = await open('/users/otto', 'anna');
  await page.getByText('Only superusers change e-mail, role and sign-in of staff.').waitFor();
  await section(page, 'Name').waitFor();
  for (const name of ['Password and PIN', 'Role and access', 'E-mail', 'Signed-in devices'])
    expect(await section(page, name).count()).toBe(0);
});

test('the page of a person lists the cards and adds one', async () => {
  const page = await open('/users/dora', 'anna');
  const cards = section(page, 'Cards and tokens');
  await cards.getByText('No cards.').waitFor();
  await cards.getByRole('button', { name: 'Add card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add card' });
  await dialog.getByLabel('Number that the reader reports').fill('00EE01');
  await dialog.getByRole('button', { name: 'Add card' }).click();
  await cards.getByText('00ee01').waitFor();
  await undo(page);
  await cards.getByText('No cards.').waitFor();
});

test('a person is erased after the name was typed, with words about the progress', async () => {
  const page = await open('/users/dora', 'root');
  const download = page.getByRole('button', { name: 'Download all data (JSON)' });
  await download.click();
  const [file] = await Promise.all([page.waitForEvent('download'), answerPasswordDialog(page)]);
  expect(file.suggestedFilename()).toBe('tapster-dora.json');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete dora permanently?' });
  const erase = dialog.getByRole('button', { name: 'Delete permanently' });
  expect(await erase.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Type dora to confirm').press('Enter');
  expect((await person('dora')).username).toBe('dora');
  await dialog.getByLabel('Type dora to confirm').fill('dora');
  await page.route('**/api/users/dora/erase', async (route) => {
    await dialog.getByText(/^Deleting … This can take up to a minute/).waitFor();
    await route.continue();
  });
  await erase.click();
  await page.getByText('dora deleted.').waitFor();
  await page.goto(`${bar.daemon.url}/users/dora`);
  await page.getByText('There is no person “dora”.').waitFor();
});

test.each([
  ['light', 390],
  ['dark', 1440],
] as const)('the pages of people are accessible and fit, %s at %i', async (colorScheme, width) => {
  const page = await open('/users', 'root', { viewport: { width, height: 900 }, colorScheme });
  await page.getByRole('link', { name: 'bert', exact: true }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.getByRole('link', { name: 'bert', exact: true }).click();
  await section(page, 'Name').waitFor();
  expect(await axeOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmPassword, waitForLogin } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({ logsIn: false, device: { locale: 'de-DE' } });
  page = bar.page;
});
afterAll(() => bar.close());

test('a wrong password shows a German error, marked as German for screen readers', async () => {
  await page.goto(`${bar.daemon.url}/log-in`);
  await page.getByLabel('Benutzername').fill('anna');
  await page.getByLabel('Passwort').fill('not her password');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  const errorText = page.getByText('Name oder Passwort ist falsch.');
  await errorText.waitFor();
  expect(await errorText.evaluate((node) => node.closest('[lang]')?.getAttribute('lang'))).toBe('de');
  await page.getByLabel('Passwort').fill('a good long password');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await waitForLogin(page, 'anna');
});

test('a validation error of a form is shown in German next to its field', async () => {
  await page.goto(`${bar.daemon.url}/users`);
  await page.getByRole('button', { name: 'Person hinzufügen' }).click();
  await confirmPassword(page);
  const dialog = page.getByRole('dialog');
  await dialog.locator('[name=username]').fill('anna');
  await dialog.locator('[name=password]').fill('a password of hers');
  await dialog.getByRole('button', { name: 'Person hinzufügen' }).click();
  await page.getByText('ist schon vergeben', { exact: true }).waitFor();
  await page.getByRole('alert').getByText('Bitte prüfen: Benutzername ist schon vergeben.').waitFor();
});

test('an error without a German translation is marked as English', async () => {
  const english = 'That is said in English only.';
  await page.route('**/api/users?*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'Error', message: english } } }),
  );
  await page.goto(`${bar.daemon.url}/users`);
  const sentence = page.getByText(english, { exact: true });
  await sentence.waitFor();
  expect(await sentence.getAttribute('lang')).toBe('en');
  await page.getByText('Das ist gerade nicht möglich.').waitFor();
});

test('a browser loads only the catalogue of its own language', async () => {
  const visitor = await bar.openPage({ locale: 'de-AT' });
  const files: string[] = [];
  visitor.on('request', (request) => files.push(new URL(request.url()).pathname));
  await visitor.goto(bar.daemon.url);
  await visitor.getByRole('heading', { name: 'Am Zapfhahn' }).waitFor();
  expect(files.some((file) => /\/de-[^/]*\.js$/.test(file))).toBe(true);
  expect(files.filter((file) => /\/en-[^/]*\.js$/.test(file))).toEqual([]);
  await visitor.context().close();
});

test('a page whose catalogue could not be loaded tries again', async () => {
  const visitor = await bar.openPage({ locale: 'de-DE' });
  await visitor.route(/\/de-[^/]*\.js$/, (route) => route.abort(), { times: 1 });
  await visitor.goto(bar.daemon.url);
  await visitor.getByRole('heading', { name: 'Am Zapfhahn' }).waitFor();
  await visitor.context().close();
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { answerPasswordDialog, confirmPassword, logIn, openFromMenu, recordDrinks } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let staffBar: StaffBar;
let browser: Browser;
let daemon: RunningDaemon;
let page: Page;
const browserErrors: string[] = [];

beforeAll(async () => {
  staffBar = await openStaffBar({ role: 'superuser', timeoutMs: 8_000 });
  ({ browser, daemon, page } = staffBar);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  await confirmPassword(page);
  await recordDrinks(page, 9);
});
beforeEach(async () => {
  await page.goto(daemon.url);
});
afterAll(() => staffBar.close());

const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Opens the page of meters and controllers by its tab. */
async function openMeters() {
  await openFromMenu(page, 'Hardware');
  await page
    .getByRole('navigation', { name: 'Hardware' })
    .getByRole('link', { name: 'Meters and controllers' })
    .click();
  await page.getByRole('heading', { level: 2, name: 'Meters and controllers' }).waitFor();
}

test('a controller gets a name and notes, is removed, and comes back with undo', async () => {
  await page.request.post(`${daemon.url}/api/controllers`, { data: { name: 'cold-board' } });
  await openMeters();
  await button('Edit cold-board').click();
  const dialog = page.getByRole('dialog', { name: 'Edit cold-board' });
  await dialog.getByLabel(/^Name/).fill('Board in the cold room');
  await dialog.getByLabel('Notes').fill('Behind the compressor');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const row = page
    .getByRole('list', { name: 'Controllers', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'Board in the cold room' });
  await row.getByText('Behind the compressor').waitFor();
  await row.getByRole('button', { name: 'Delete Board in the cold room' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Behind the compressor').waitFor();
});

test('a meter is disconnected from a tap and connected again', async () => {
  const editor = `${daemon.url}/taps/2/edit`;
  await page.goto(editor);
  const meter = page.getByRole('combobox', { name: 'Meter', exact: true });
  const option = meter.locator('option', { hasText: 'pi.flow1' });
  await option.waitFor({ state: 'attached' });
  await meter.selectOption('');
  await page.getByText('Saved.').waitFor();
  await page.goto(daemon.url);
  await page.getByText('No meter.').waitFor();
  await page.goto(editor);
  await option.waitFor({ state: 'attached' });
  await meter.selectOption({ label: 'pi.flow1' });
  await page.getByText('Saved.').waitFor();
  await page.goto(daemon.url);
  await page.getByRole('link', { name: 'Right', exact: true }).waitFor();
  expect(await page.getByText('No meter.').count()).toBe(0);
});

test('a user is added, made staff and deactivated; a name that is taken is rejected', async () => {
  await openFromMenu(page, 'People');
  await button('Add person').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User name', { exact: true }).fill('anna');
  await dialog.getByLabel('New password').fill('another good password');
  await dialog.getByRole('button', { name: 'Add person' }).click();
  const invalidInput = dialog.locator('input[aria-invalid=true]');
  await invalidInput.fill('bert');
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await page.getByText('bert added.').waitFor();
  await page.getByRole('link', { name: 'bert', exact: true }).click();
  const role = page.getByRole('region', { name: 'Role and access' });
  await role.getByRole('combobox').selectOption('Staff');
  await role.getByRole('button', { name: 'Save' }).click();
  await page.getByText('bert is now: Staff.').waitFor();
  await role.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText(/bert · Staff · deactivated/).waitFor();
  await page.goBack();
  await page.getByText(/bert · Staff · deactivated/).waitFor();
  await page.getByLabel('Search people').fill('nobody at all');
  await page.getByText('No people found.').waitFor();
});

test('the site is renamed, and language and time zone are chosen from lists', async () => {
  await openFromMenu(page, 'Settings');
  const form = page.locator('form').filter({ has: page.getByLabel('Time zone') });
  await page.getByLabel('Time zone').selectOption('America/New York');
  await page.getByLabel('Language and country').selectOption('English (United States)');
  await page.getByLabel('Bar name').fill('The <i>Bent</i> Spile');
  await page.getByLabel('Volumes').selectOption('metric');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'The <i>Bent</i> Spile' }).waitFor();
  const { result } = await page.evaluate(async () => (await fetch('api/users/me')).json());
  expect(result.site).toMatchObject({ timezone: 'America/New_York', locale: 'en-US' });
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.waitForFunction(async () =>
    (await (await fetch('api/users/me')).text()).includes('Europe/Berlin'),
  );
});

test('a backup is created, downloaded after the password, and deleted after a confirmation', async () => {
  const own = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  own.setDefaultTimeout(20_000);
  const button = (name: string | RegExp) => own.getByRole('button', { name });
  await logIn(own, daemon.url);
  await openFromMenu(own, 'Backups');
  await own.getByText('No backups yet.').waitFor();
  await button('Back up now').click();
  const download = button(/^Download /);
  await download.click();
  const [file] = await Promise.all([own.waitForEvent('download'), answerPasswordDialog(own)]);
  expect(await file.failure()).toBeNull();
  expect(file.suggestedFilename()).toMatch(/^tapster-.*-manual\.tar\.gz$/);
  // The password counts for five minutes.
  const [second] = await Promise.all([own.waitForEvent('download'), download.click()]);
  expect(await second.failure()).toBeNull();
  await button(/^Delete /).click();
  await button('Delete permanently').click();
  await own.getByText('No backups yet.').waitFor();
  await own.context().close();
});

test('the log is filtered by level', async () => {
  await openFromMenu(page, 'Log');
  await page.getByText('serving').first().waitFor();
  await page.getByLabel(/^Level/).selectOption('fatal');
  await page.getByText('No entries.').waitFor();
});

test('an API key is shown once, a wrong password shows an error next to its field, and notification settings are saved', async () => {
  await openFromMenu(page, 'My account');
  await page.getByLabel('Purpose').fill('the till');
  await button('Create key').click();
  const key = await page.locator('.secret code').innerText();
  const reply = await fetch(`${daemon.url}/api/users`, { headers: { 'X-Kegbot-Api-Key': key } });
  expect(reply.status).toBe(200);
  await button('Done').click();
  await page.getByText('the till').waitFor();
  expect(await page.content()).not.toContain(key);
  const currentPassword = page.getByLabel('Current password').first();
  await currentPassword.fill('not the password');
  await page.getByLabel('New password').fill('another good password');
  await button('Change password').click();
  await page.getByText('is not the password of this account').waitFor();
  await page.getByLabel('Keg nearly empty').check();
  const wishes = page.locator('form', { hasText: 'Keg nearly empty' });
  await wishes.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Keg nearly empty').isChecked()).toBe(true);
});

test('sessions link to their drinks, and the statistics show charts', async () => {
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByRole('link', { name: /^Session of/ }).click();
  await expect
    .poll(() => page.getByRole('list', { name: 'Drinks', exact: true }).getByRole('listitem').count())
    .toBe(9);
  await page.getByRole('link', { name: 'Statistics', exact: true }).click();
  await page.getByText('180 mL').first().waitFor();
  for (const name of ['By day', 'By hour', 'By weekday', 'By person']) {
    await page.getByRole('img', { name, exact: true }).waitFor();
  }
});

test('the tap page shows temperatures and drinks', async () => {
  await page.goto(daemon.url);
  await page.evaluate(async () => {
    await fetch('api/thermo-sensors', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ raw_name: 'thermo-1' }),
    });
    await fetch('api/taps/1/connect-thermo', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ thermo_sensor_id: 1 }),
    });
  });
  await page.goto(daemon.url);
  await page.getByRole('link', { name: 'Left', exact: true }).click();
  await page.getByText('No readings in this period.').waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'Drinks at Left' }).getByRole('listitem').count())
    .toBe(6);
});

test('the tap page lists drips and more than a little back-flow by day, and each becomes a spill with one touch', async () => {
  await page.route('**/api/taps/1/losses', async (route) => {
    const { result } = await (await route.fetch()).json();
    const dripped = [
      { date: '2026-05-02', drips: 3, drip_ticks: 24, drip_ml: 12, back_flow_ml: 25 },
      { date: '2026-05-01', drips: 0, drip_ticks: 0, drip_ml: 0, back_flow_ml: 19 },
      { date: '2026-04-30', drips: 1, drip_ticks: 8, drip_ml: 4, back_flow_ml: 0 },
    ];
    const days = dripped.map((day) => ({ ...result.days[0], ...day }));
    await route.fulfill({ json: { result: { ...result, days } } });
  });
  await page.goto(`${daemon.url}/taps/1`);
  await page.getByRole('heading', { name: 'Drips' }).waitFor();
  const rows = page.getByRole('list', { name: 'Drips' }).locator('.row-text');
  expect(await rows.allInnerTexts()).toEqual([
    '2 May 2026: 3 drips, 12\u00a0mL',
    '2 May 2026: only moved in the line, 25\u00a0mL',
    '30 Apr 2026: 1 drip, 4\u00a0mL',
  ]);
  expect(await axeOn(page)).toEqual([]);
  const sent: unknown[] = [];
  await page.route('**/api/taps/1/losses/2026-05-02/spill', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ json: { result: { volume_ml: 25, keg: null, correction_id: null } } });
  });
  await page.getByRole('button', { name: 'Count as spilled beer: 2 May 2026: only moved' }).click();
  await page.getByText('Recorded as spill.').waitFor();
  expect(sent).toEqual([{ loss: 'back_flow' }]);
  // The list is read again after the spill.
  await page.unrouteAll({ behavior: 'wait' });
});

test('a guest sees the log-in form in place of staff pages', async () => {
  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  for (const path of ['controllers', 'hardware', 'meters', 'users', 'site', 'backups', 'logs', 'account']) {
    await guest.goto(`${daemon.url}/${path}`);
    await guest.getByLabel('Password').waitFor();
    expect(await guest.locator('main').getByRole('button').count()).toBe(1);
  }
  await guest.context().close();
  expect(browserErrors).toEqual([]);
});

import { expect, test } from 'vitest';
import { addAccounts } from '../../kit/accounts.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn, openFromMenu } from '../kit/staff.ts';
import { openStaffBar } from '../kit/staff-bar.ts';

test('the first steps tick themselves off from what staff do, are hidden for all staff, and are gone when done', async () => {
  const { bar, daemon, page, callApi, close } = await openStaffBar({
    logsIn: false,
    settings: { demo: { kegs: false } },
  });
  await page.goto(daemon.url);
  await page.getByText('Left', { exact: true }).first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  await logIn(page, daemon.url);

  const steps = page.getByRole('list', { name: 'First steps' });
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
  const home = () => page.getByRole('link', { name: 'Taps', exact: true }).first().click();
  await home();
  await page.getByText('2 of 6 done').waitFor();
  await step('Name the taps').getByText('Done', { exact: true }).waitFor();
  await step('Calibrate').getByText('Done', { exact: true }).waitFor();
  expect(await axeOn(page)).toEqual([]);

  await steps.getByRole('button', { name: 'Tap the first keg' }).click();
  const dialog = page.getByRole('dialog', { name: 'Left' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await callApi('POST', 'taps/1/start-keg', {
    beverage_name: 'Pils',
    producer_name: 'Lantern',
    style_name: 'Pils',
    keg_type: 'corny',
  });
  // The list stays open as long as the page is.
  await page.getByText('3 of 6 done').waitFor();
  await step('Tap the first keg').getByText('Done', { exact: true }).waitFor();

  await steps.getByRole('link', { name: 'Check the wiring while pouring' }).click();
  await page.waitForURL('**/wiring');
  for (const meter of ['pi.flow0', 'pi.flow1'])
    await callApi('POST', 'simulator/pulses', { meter, ticks: 500, hz: 1000 });
  await home();
  // More than half is done: one line is left, which opens.
  expect(await steps.isVisible()).toBe(false);
  await page.getByText('4 of 6 done').click();
  await steps.getByRole('link', { name: 'Print the QR code of the menu' }).click();
  await page.waitForURL('**/menu/qr');
  await openFromMenu(page, 'Settings');
  await page.getByLabel('Show first steps on the home page').uncheck();
  const form = page.locator('form').filter({ has: page.getByLabel('Bar name') });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await home();
  await page.getByRole('article').first().waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
  await openFromMenu(page, 'Settings');
  await page.getByLabel('Show first steps on the home page').check();
  await form.getByRole('button', { name: 'Save' }).click();
  await home();
  await page.getByText('4 of 6 done').click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await steps.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('4 of 6 done').waitFor();

  await addAccounts(bar, { bert: 'staff' });
  await callApi('PATCH', 'site', { menu_code_printed: true });
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  await close();
}, 120_000);

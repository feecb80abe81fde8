import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { openMenu } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';

let bar: StaffBar;
beforeAll(async () => {
  bar = await openStaffBar({ role: 'superuser' });
});
afterAll(() => bar.close());

test('a superuser switches a feature off and on: its menu entry and its page follow', async () => {
  const { page, daemon } = bar;
  const path = '/kiosk-options';
  const entry = page.locator(`.site-menu a[href$="${path}"]`);
  await openMenu(page);
  await entry.waitFor();
  await page.goto(`${daemon.url}/features`);
  const row = page.getByRole('listitem').filter({ has: page.getByText('Kiosk', { exact: true }) });
  await row.getByRole('button', { name: /^Switch off: / }).click();
  await row.getByRole('button', { name: /^Switch on: / }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  await openMenu(page);
  await page.locator('.site-menu a[href$="/beers"]').waitFor();
  expect(await entry.count()).toBe(0);
  await page.goto(daemon.url + path);
  await page.getByText('This feature is switched off.').waitFor();
  await page.getByRole('link', { name: 'Open Features' }).click();
  await row.getByRole('button', { name: /^Switch on: / }).click();
  await row.getByRole('button', { name: /^Switch off: / }).waitFor();
  await openMenu(page);
  await entry.waitFor();
});

import { expect, test } from 'vitest';
import { openStaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';

test('staff who are no superusers see the page, and change nothing', async () => {
  const { page, daemon, close } = await openStaffBar({
    settings: { features: { 'menu-publication': true } },
  });
  await page.goto(`${daemon.url}/menu-publication`);
  await page.getByText(text('auth.superusersOnly')).waitFor();
  expect(await page.getByRole('button', { name: text('menuPublication.publishNow') }).count()).toBe(0);
  await close();
});

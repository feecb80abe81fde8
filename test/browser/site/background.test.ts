import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let staffBar: StaffBar;
let page: Page;
let daemon: RunningDaemon;

beforeAll(async () => {
  staffBar = await openStaffBar();
  ({ page, daemon } = staffBar);
});
afterAll(() => staffBar.close());

const background = (on: Page) => on.locator('.site-background img');

test('a background picture is cropped, shown on the public pages, removed, and restored by undo', async () => {
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: 'black' } })
    .jpeg()
    .toBuffer();
  await page.goto(`${daemon.url}/site`);
  const section = page.getByRole('region', { name: 'Background picture' });
  await section
    .getByLabel('Choose picture')
    .setInputFiles({ name: 'background.jpg', mimeType: 'image/jpeg', buffer: picture });
  const dialog = page.getByRole('dialog', { name: 'Crop picture' });
  await dialog.getByRole('button', { name: '16:9', pressed: true }).waitFor();
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await section.getByRole('button', { name: 'Save background picture' }).click();
  await page.getByText('Background picture saved.').waitFor();
  const guest = await (await staffBar.browser.newContext({ locale: 'en-GB' })).newPage();
  for (const path of ['/', '/menu']) {
    await guest.goto(`${daemon.url}${path}`);
    await background(guest).waitFor();
  }
  await guest.goto(`${daemon.url}/menu`);
  await background(guest).waitFor();
  expect(await axeOn(guest, 'body')).toEqual([]);
  await section.getByRole('button', { name: 'Remove picture' }).click();
  await section.getByRole('button', { name: 'Save background picture' }).click();
  await page.getByText('Background picture removed.').waitFor();
  await background(guest).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await background(guest).waitFor();
});

import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmPassword, openFromMenu } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import type { RunningDaemon } from '../../../kit/daemon.ts';

let staffBar: StaffBar;
let daemon: RunningDaemon;
let page: Page;

beforeAll(async () => {
  staffBar = await openStaffBar({ role: 'superuser', timeoutMs: 8_000 });
  ({ daemon, page } = staffBar);
  await confirmPassword(page);
});
beforeEach(async () => {
  await page.goto(daemon.url);
});
afterAll(() => staffBar.close());

const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Sends the first request of an unknown kegboard; returns its code. */
const sendHello = (device: string, localAddress = '127.0.0.1') =>
  new Promise<string>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const options = { method: 'POST', localAddress, headers };
    const hello = request(`${daemon.url}/api/device-event`, options, async (response) => {
      const { pairing } = (await json(response)) as { pairing: { code: string } };
      resolve(pairing.code);
    });
    hello.on('error', reject);
    const events = [{ id: 1, type: 'hello', age_ms: 0, data: {} }];
    hello.end(JSON.stringify({ v: 1, device, boot_id: 'b00t0001', sent_uptime_ms: 5000, events }));
  });

/** Opens the page of meters and controllers by its tab. */
async function openMeters() {
  await openFromMenu(page, 'Hardware');
  await page
    .getByRole('navigation', { name: 'Hardware' })
    .getByRole('link', { name: 'Meters and controllers' })
    .click();
  await page.getByRole('heading', { level: 2, name: 'Meters and controllers' }).waitFor();
}

test('an unknown kegboard appears by itself, is allowed, and its token is revoked', async () => {
  await openMeters();
  await page.getByText('Nothing pending.').waitFor();
  const code = await sendHello('garden-board');
  await page.getByText(`Code ${code} · from 127.0.0.1`).waitFor();
  await button('Approve: garden-board').click();
  await page.getByText('approved, connecting').waitFor();
  expect(await page.locator('.row-name').getByText('garden-board', { exact: true }).count()).toBe(1);
  await button('Revoke access: garden-board').click();
  await button('Revoke access: garden-board').waitFor({ state: 'detached' });
});

test('two addresses under one name are shown with their codes, and the chosen one is allowed', async () => {
  await openMeters();
  await sendHello('attic-board');
  const code = await sendHello('attic-board', '127.0.0.2');
  await page.getByText('More requests under this name: 127.0.0.1.').waitFor();
  await page.getByText('More requests under this name: 127.0.0.2.').waitFor();
  await button(`Approve: attic-board, ${code}`).click();
  const boards = page.getByRole('list', { name: 'Controllers', exact: true });
  await boards.getByText(`Code ${code} · from 127.0.0.2`).waitFor();
  await button('Approve: attic-board').waitFor();
});

test('a kegboard with an unknown protocol has a problem in the language of the page', async () => {
  const batch = { device: 'kegboard-9', boot_id: 'b1', sent_uptime_ms: 1 };
  const data = { state: 'boot', fw_version: '1', uptime_ms: 1, events_dropped: 0, config: {} };
  const events = [{ id: 1, type: 'status', age_ms: 0, data }];
  for (const v of [1, 7]) {
    const body = JSON.stringify({ ...batch, v, events });
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${daemon.url}/api/device-event`, { method: 'POST', headers, body });
  }
  const { browser } = staffBar;
  const storageState = await page.context().storageState();
  const german = await (await browser.newContext({ locale: 'de-DE', storageState })).newPage();
  await german.goto(`${daemon.url}/meters`);
  await german.getByText('Es verwendet Version 7 des Protokolls').waitFor();
  expect(await german.locator('main [lang=en]').allInnerTexts()).toEqual([]);
  await german.context().close();
});

test('the feature is off once no board is approved, and the page has neither boards nor requests', async () => {
  await openMeters();
  await sendHello('loft-board');
  await button(/^Approve: loft-board/).click();
  const switchTo = (isOn: boolean) =>
    page.request.patch(`${daemon.url}/api/admin/features`, { data: { kegboards: isOn } });
  expect((await switchTo(false)).status()).toBe(409);
  for (const device of ['loft-board', 'attic-board', 'garden-board'])
    await page.request.post(`${daemon.url}/api/admin/kegboards/${device}/revoke`);
  expect((await switchTo(false)).status()).toBe(200);
  await page.goto(`${daemon.url}/meters`);
  await page.getByRole('heading', { level: 3, name: 'Controllers' }).waitFor();
  expect(await page.getByRole('heading', { level: 3, name: 'Pending' }).count()).toBe(0);
  expect((await switchTo(true)).status()).toBe(200);
});

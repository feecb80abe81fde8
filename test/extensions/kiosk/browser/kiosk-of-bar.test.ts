import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { layoutFaults } from '../../../browser/kit/fit.ts';
import { type Network, openNetwork } from '../../../browser/kit/network.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { text } from '../../../browser/kit/texts.ts';
import { makeBar, startDaemon } from '../../../kit/daemon.ts';

let staff: StaffBar;
let network: Network;
let kiosk: Page;

beforeAll(async () => {
  staff = await openStaffBar({
    settings: { pour: { min_ml: 0, idle_ms: 300 }, judgement: { max_flow_ml_per_s: 100 } },
  });
  network = await openNetwork(Number(new URL(staff.daemon.url).port));
  kiosk = await staff.browser.newPage({ locale: 'en-GB' });
});
// After a test that failed, too.
afterEach(() => network.restore());
afterAll(async () => {
  await network.cut();
  await staff.close();
});

const pour = (meter: string, ticks: number, hz: number) =>
  fetch(`${staff.daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter, ticks, hz }),
  });

async function total(): Promise<number> {
  const { paging } = await staff.callApi<{ paging: { total: number } }>('GET', 'drinks');
  return paging.total;
}

test('shows a running pour and a QR code of the menu', async () => {
  await kiosk.goto(`${staff.daemon.url}/kiosk?menu=http://bar.local/&taps=2`);
  await kiosk.getByRole('img', { name: 'QR code of http://bar.local/' }).waitFor();
  expect(await kiosk.getByRole('article').count()).toBe(1);
  expect(await kiosk.getByRole('button').count()).toBe(0);
  const before = await total();
  await pour('pi.flow1', 600, 200);
  await kiosk.locator('.kiosk-tile[data-pouring=true]').waitFor();
  await expect.poll(total, { timeout: 30_000 }).toBe(before + 1);
});

test('pours during a network loss are shown after it', async () => {
  await kiosk.goto(`${network.url}/kiosk`);
  const latest = kiosk.locator('.kiosk-foot').first();
  const notLive = kiosk.locator('.kiosk-not-live').getByText('Not live');
  await pour('pi.flow0', 100, 400);
  await latest.getByText(/20\smL$/).waitFor();
  await network.cut();
  await notLive.waitFor();
  const before = await total();
  await pour('pi.flow0', 250, 400);
  await expect.poll(total, { timeout: 20_000 }).toBe(before + 1);
  await network.restore();
  await notLive.waitFor({ state: 'detached', timeout: 20_000 });
  expect(await latest.innerText()).toMatch(/50\smL$/);
  // The live stream works again after the reconnect.
  await pour('pi.flow0', 300, 400);
  await kiosk.locator('.kiosk-tile[data-pouring=true]').waitFor();
});

test('says which prices hold, and until when', async () => {
  await staff.callApi('POST', 'price-schedules', {
    name: 'All day',
    is_enabled: true,
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    starts: '00:00',
    ends: '00:00',
    first_on: null,
    last_on: null,
    percent_off: 50,
    prices: [],
  });
  await kiosk.goto(`${staff.daemon.url}/kiosk`);
  await kiosk.getByRole('heading', { level: 1, name: / · All day until / }).waitFor();
  expect(await layoutFaults(kiosk)).toEqual([]);
});

test('shows the background picture of the bar', async () => {
  const buffer = await sharp({ create: { width: 1600, height: 900, channels: 3, background: 'black' } })
    .jpeg()
    .toBuffer();
  const { daemon, key } = staff;
  const reply = await staff.page.context().request.post(`${daemon.url}/api/site/background-image`, {
    headers: { 'X-Kegbot-Api-Key': key },
    multipart: { image: { name: 'background.jpg', mimeType: 'image/jpeg', buffer } },
  });
  expect(reply.status(), await reply.text()).toBe(200);
  await kiosk.goto(`${daemon.url}/kiosk`);
  await kiosk.locator('.site-background img').waitFor();
});

test('says in a demo that it is one', async () => {
  const bar = makeBar({});
  const daemon = await startDaemon(bar, { isDemo: true });
  await kiosk.goto(`${daemon.url}/kiosk`);
  await kiosk.locator('.kiosk-head').getByText(text('app.demo'), { exact: true }).waitFor();
  await daemon.kill();
  bar.remove();
});

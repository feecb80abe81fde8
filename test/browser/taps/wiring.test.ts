import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BarFolder, quickBar, type RunningDaemon } from '../../kit/daemon.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

/** The kernel's texts for a working probe, one with a bad cable, and one without supply. */
const sensorTexts = {
  '28-00000a1b2c01': '44 00 4b 46 7f ff 0c 10 d8 : crc=d8 YES\n44 00 4b 46 7f ff 0c 10 d8 t=4250\n',
  '28-00000a1b2c02': '44 00 4b 46 7f ff 0c 10 d8 : crc=d8 NO\n44 00 4b 46 7f ff 0c 10 d8 t=4250\n',
  '28-00000a1b2c03': '50 05 4b 46 7f ff 0c 10 1c : crc=1c YES\n50 05 4b 46 7f ff 0c 10 1c t=85000\n',
};
const missingSensor = '28-00000a1b2c04';

let staffBar: StaffBar;
let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let page: Page;
const browserErrors: string[] = [];

beforeAll(async () => {
  staffBar = await openStaffBar({
    timeoutMs: 20_000,
    settings: {
      meters: [...quickBar.meters, { port: 'flow2', pin: 22 }, { port: 'flow3', pin: 23, edge: 'rising' }],
      taps: [
        { name: 'Left', meter: 'flow0', thermo: '28-00000a1b2c01' },
        { name: 'Right', meter: 'flow1', thermo: missingSensor },
      ],
      readers: [{ type: 'serial', port: '/dev/no-such-reader', tap: 'Left' }],
    },
    prepare({ path }) {
      for (const [name, text] of Object.entries(sensorTexts)) {
        mkdirSync(join(path, 'w1', name), { recursive: true });
        writeFileSync(join(path, 'w1', name, 'w1_slave'), text);
      }
    },
  });
  ({ browser, daemon, page, bar } = staffBar);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(message.text());
  });
});
beforeEach(async () => {
  await page.goto(`${daemon.url}/wiring`);
  await card('pi.flow0').waitFor();
});
afterAll(() => staffBar.close());

const card = (meter: string) => page.getByRole('listitem').filter({ hasText: `${meter} · GPIO` });
const row = (list: string, name: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name });

async function pulse(train: { meter: string; ticks: number; hz: number; echoes?: string[] }) {
  const reply = await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(train),
  });
  expect(reply.status).toBe(202);
}

test('a meter without pulses shows that and what to check', async () => {
  await card('pi.flow1').getByText('No ticks since the start.').waitFor();
  await card('pi.flow1')
    .getByText(/check power, common ground/)
    .waitFor();
  await card('pi.flow3')
    .getByText(/the end of each pulse is counted/)
    .waitFor();
});

test('rate and tick count are updated during a pour', async () => {
  await pulse({ meter: 'pi.flow1', ticks: 600, hz: 100 });
  const rate = card('pi.flow1').locator('dd').first();
  await expect.poll(async () => Number(await rate.innerText()), { timeout: 20_000 }).toBeGreaterThan(90);
  const counted = card('pi.flow1').locator('dd').nth(2);
  const first = Number(await counted.innerText());
  await expect.poll(async () => Number(await counted.innerText())).toBeGreaterThan(first);
  await card('pi.flow1')
    .getByText(/\d+ ticks since the start, none missed/)
    .waitFor();
  await expect.poll(async () => Number(await counted.innerText()), { timeout: 20_000 }).toBe(600);
});

test('the pour test names the tap that ticks', async () => {
  await page.getByRole('button', { name: 'Find a meter' }).click();
  await page.getByText('Waiting for ticks. Open a tap and pour a little.').waitFor();
  await card('pi.flow0').getByRole('button', { name: 'Test pour at pi.flow0' }).click();
  await page.getByText('Left ticks (pi.flow0).').waitFor();
  expect(await page.getByText('Right ticks').count()).toBe(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(await page.getByText('Left ticks (pi.flow0).').count()).toBe(0);
});

test('the pour test names a ticking meter without tap and links to its connection', async () => {
  await page.getByRole('button', { name: 'Find a meter' }).click();
  await pulse({ meter: 'pi.flow2', ticks: 60, hz: 60 });
  await page.getByText('pi.flow2 ticks, but is not assigned to a tap.').waitFor();
  await page.locator('.pour-test').getByRole('link', { name: 'Assign to tap' }).click();
  await page.getByRole('heading', { level: 2, name: 'Meters and controllers' }).waitFor();
});

test('two meters that tick simultaneously are reported as crosstalk', async () => {
  await pulse({ meter: 'pi.flow0', ticks: 120, hz: 60, echoes: ['pi.flow1'] });
  await card('pi.flow0').getByText('Ticks together with pi.flow1').waitFor();
  await card('pi.flow1').getByText('Ticks together with pi.flow0').waitFor();
  await card('pi.flow1').getByText('Separate the cables').waitFor();
});

test('noise on a pin is distinguished from a pour', async () => {
  await page.getByRole('button', { name: 'Find a meter' }).click();
  await pulse({ meter: 'pi.flow2', ticks: 4_000, hz: 2_000 });
  await card('pi.flow2').getByText('Faster than a meter can tick: electrical noise.').waitFor();
  await card('pi.flow2')
    .getByText(/a loose wire, a missing pull-up/)
    .waitFor();
  await page.getByText('pi.flow2 receives electrical noise.').waitFor();
});

test('thermo sensors show their faults, and a repaired one reads within seconds', async () => {
  await row('Thermometers', '28-00000a1b2c01').getByText('4.3 °C').waitFor();
  await row('Thermometers', '28-00000a1b2c02')
    .getByText(/Wrong checksum/)
    .waitFor();
  await row('Thermometers', '28-00000a1b2c03')
    .getByText(/Reads 85\s°C, its value after power-on/)
    .waitFor();
  await row('Thermometers', missingSensor)
    .getByText(/Not on the bus/)
    .waitFor();
  await row('Thermometers', missingSensor)
    .getByText(/correct taps\[\]\.thermo/)
    .waitFor();
  writeFileSync(join(bar.path, 'w1', '28-00000a1b2c02', 'w1_slave'), sensorTexts['28-00000a1b2c01']);
  await row('Thermometers', '28-00000a1b2c02').getByText('Working.').waitFor();
  rmSync(join(bar.path, 'w1', '28-00000a1b2c02'), { recursive: true });
  await row('Thermometers', '28-00000a1b2c02')
    .getByText(/Not on the bus/)
    .waitFor();
});

test('a reader that is not plugged in shows what to do', async () => {
  await row('Card readers', '/dev/no-such-reader')
    .getByText(/Plug it in/)
    .waitFor();
});

test('findings are shown in German, and not to guests', async () => {
  const context = await browser.newContext({ locale: 'de-DE' });
  const other = await context.newPage();
  await other.goto(`${daemon.url}/wiring`);
  await other.getByLabel('Passwort').waitFor();
  expect(await other.getByText('pi.flow0').count()).toBe(0);
  await context.addCookies(await page.context().cookies());
  await other.reload();
  await other.getByText('Pull und Flanke passen nicht zueinander').waitFor();
  await context.close();
  expect(browserErrors).toEqual([]);
});

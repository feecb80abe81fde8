import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

/** So few ticks that a keg of 50 L is poured within seconds. */
const ticksPerMl = 0.05;
/** 49.625 L come out of a full keg; the meter gives 5 % more ticks than its factor says. */
const ticksOfKeg = 2_606;

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({
    settings: {
      meters: [{ port: 'flow0', pin: 17, ticks_per_ml: ticksPerMl }],
      taps: [{ name: 'Left', meter: 'flow0' }],
      judgement: { max_flow_ml_per_s: 10_000 },
    },
  });
  page = bar.page;
});
afterAll(() => bar.close());

const send = <T>(method: string, path: string, body?: object) => bar.callApi<T>(method, path, body);

interface Drinks {
  readonly paging: { readonly total: number };
}

/** Puts a keg on the tap, sends the ticks of all its beer, and says that it is empty. */
async function emptyKeg(ticks: number): Promise<void> {
  const { paging } = await send<Drinks>('GET', 'drinks');
  const beer = { beverage_name: 'Helles', producer_name: 'Hausbrauerei', style_name: 'Helles' };
  await send('POST', 'taps/1/start-keg', { ...beer, keg_type: 'euro-half' });
  await send('POST', 'simulator/pulses', { meter: 'pi.flow0', ticks, hz: 450 });
  const isRecorded = async () => (await send<Drinks>('GET', 'drinks')).paging.total === paging.total + 1;
  await expect.poll(isRecorded, { timeout: 20_000 }).toBe(true);
  await send('POST', 'taps/1/keg-empty', { is_empty: true });
}

const factor = () => page.locator('#meter-factor + .card .calibration-change');
const evidence = () => page.getByRole('list', { name: 'Evidence' }).getByRole('listitem');
const offer = () => page.getByRole('button', { name: /^Use 0\.05\d ticks\/mL$/ });

test('a meter without evidence says so', async () => {
  await page.goto(`${bar.daemon.url}/meters`);
  await page.getByRole('link', { name: 'pi.flow0', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'Meter pi.flow0' }).waitFor();
  await page.getByText('Nothing learned yet.', { exact: false }).waitFor();
  await page.getByText('No measurements yet.').waitFor();
  expect(await axeOn(page)).toEqual([]);
});

test('the pulses of emptied kegs lead to an offer', async () => {
  await send('POST', 'taps/1/end-keg');
  for (let i = 0; i < 3; i++) await emptyKeg(ticksOfKeg);
  await page.reload();
  await offer().waitFor();
  await page.getByText('0.050 → 0.052 ticks/mL').waitFor();
  await page.getByText(/^The same pour will show 4(\.\d)?% less\.$/).waitFor();
  expect(await evidence().count()).toBe(3);
  await evidence().first().getByText('2,606 ticks for 49.63', { exact: false }).waitFor();
  // The chart with its table.
  await page.getByRole('img', { name: 'Deviation of the meter over time' }).waitFor();
  await page.getByText('As a table').click();
  expect(await page.getByRole('table').getByRole('row').count()).toBe(4);
  expect(await axeOn(page)).toEqual([]);
}, 90_000);

test('the offer is applied and undone, and the history says where the factor came from', async () => {
  await offer().click();
  await page.getByText('Meter set to 0.052 ticks/mL.').waitFor();
  await expect.poll(() => factor().innerText()).toMatch(/^0\.052 ticks\/mL ± \d(\.\d)?%$/);
  await expect.poll(() => offer().count()).toBe(0);
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
  await history.first().getByText('from emptied kegs and pours', { exact: false }).waitFor();
  await history.first().getByText('by anna', { exact: false }).waitFor();
  await history
    .first()
    .getByRole('button', { name: /^Undo the change of/ })
    .click();
  await offer().waitFor();
  await expect.poll(() => factor().innerText()).toBe('0.050 ticks/mL');
});

test('a measurement is left out and used again', async () => {
  await page
    .getByRole('button', { name: /^Do not use the measurement of/ })
    .first()
    .click();
  await evidence().first().getByText('discarded', { exact: false }).waitFor();
  await page.getByRole('button', { name: /^Use the measurement of .* again$/ }).click();
  await expect.poll(() => evidence().getByText('discarded', { exact: false }).count()).toBe(0);
  await offer().waitFor();
});

test('a meter that counts half of a keg asks whether it is another one; "Meter replaced" begins anew and is undone', async () => {
  await emptyKeg(1_300);
  await page.reload();
  const question = page.getByText('another meter, another keg size, or two meters swapped', { exact: false });
  await question.waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Meter replaced' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ticks per mL of the new meter', { exact: false }).fill('-3');
  await dialog.getByRole('button', { name: 'Start anew' }).click();
  await expect.poll(() => dialog.locator('.refusal').innerText()).not.toBe('');
  await dialog.getByLabel('Ticks per mL of the new meter', { exact: false }).fill('0.025');
  expect(await axeOn(page, 'dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Start anew' }).click();
  await expect.poll(() => factor().innerText()).toMatch(/^0\.025 ticks\/mL/);
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await question.waitFor();
}, 60_000);

test('the page of the calibration leads to the page of the meter', async () => {
  await page.goto(`${bar.daemon.url}/taps/1/calibrate`);
  await page.getByRole('link', { name: 'Evidence and history' }).click();
  await page.getByRole('heading', { level: 2, name: 'Meter pi.flow0' }).waitFor();
});

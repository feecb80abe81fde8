import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { layoutFaults } from '../kit/fit.ts';
import { cutTexts, smallTargets } from '../kit/page-faults.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({ settings: { pour: { idle_ms: 1_200, min_ml: 0 } } });
  page = bar.page;
  const { keg } = await send<{ keg: { full_volume_ml: number } }>('GET', 'kegs/1');
  // Before the keg may be empty a rate that doubles is a hand that opens further.
  await send('POST', 'taps/1/record-drink', { volume_ml: keg.full_volume_ml - 500 });
});
afterAll(() => bar.close());

const send = <T>(method: string, path: string, body?: object) => bar.callApi<T>(method, path, body);
const pulse = (ticks: number, hz: number) =>
  send('POST', 'simulator/pulses', { meter: 'pi.flow0', ticks, hz });

interface Review {
  readonly held_pours: readonly unknown[];
  readonly reduced_drinks: readonly unknown[];
}
const review = () => send<Review>('GET', 'held-pours');
const showReview = () => page.goto(`${bar.daemon.url}/held`);

async function looksWell() {
  for (const width of [390, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await cutTexts(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
  }
  expect(await axeOn(page)).toEqual([]);
}

test('a drink that lost ticks to gas is listed for review; one touch counts all of it, and undo takes that back', async () => {
  // Two seconds of beer, then gas.
  await pulse(600, 300);
  await pulse(1_600, 800);
  await expect.poll(async () => (await review()).reduced_drinks.length, { timeout: 20_000 }).toBe(1);
  await showReview();
  const reduced = page.getByRole('region', { name: 'Taken for gas or foam' });
  await reduced.getByText('Taken for gas after the beer.', { exact: false }).waitFor();
  await looksWell();
  await reduced.getByRole('button', { name: 'Count all as beer' }).click();
  await expect.poll(() => reduced.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await reduced.getByText('Taken for gas after the beer.', { exact: false }).waitFor();
}, 60_000);

test('a pour that was gas alone is held; "Not empty" on the card of the tap counts it and the gas before', async () => {
  await pulse(2_400, 800);
  await expect.poll(async () => (await review()).held_pours.length, { timeout: 20_000 }).toBe(1);
  await showReview();
  await page.getByText('As fast as gas, and the keg may be empty.', { exact: false }).waitFor();
  await looksWell();
  await page.goto(bar.daemon.url);
  await page.getByRole('button', { name: 'Not empty', exact: true }).click();
  await page.getByText('All of it counts as beer.').waitFor();
  expect(await review()).toMatchObject({ held_pours: [], reduced_drinks: [] });
  const { drinks } = await send<{ drinks: { ticks: number; volume_ml: number }[] }>('GET', 'drinks');
  // 5 ticks per millilitre.
  expect(drinks.slice(0, 2).map(({ ticks, volume_ml: ml }) => [ticks, Math.round(ml)])).toEqual([
    [2_400, 480],
    [2_200, 440],
  ]);
}, 60_000);

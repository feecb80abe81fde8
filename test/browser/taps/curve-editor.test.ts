import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;

beforeAll(async () => {
  bar = await openStaffBar({
    settings: {
      meters: [
        { port: 'flow0', pin: 17, ticks_per_ml: 0.5 },
        { port: 'flow1', pin: 27, model: 'seeed-yf-21' },
      ],
      taps: [
        { name: 'Left', meter: 'flow0' },
        { name: 'Right', meter: 'flow1' },
      ],
    },
  });
});
afterAll(() => bar.close());

const send = <T>(method: string, path: string, body?: object) => bar.callApi<T>(method, path, body);

interface Curve {
  readonly curve: {
    readonly points: readonly { readonly hz: number; readonly ticks_per_ml: number }[];
  } | null;
}
const storedPoints = async (meter: number) =>
  (await send<Curve>('GET', `flow-meters/${meter}/curve`)).curve?.points;
const section = () => bar.page.getByRole('region', { name: 'Slow and fast pours' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const field = (label: string) => section().getByLabel(label, { exact: true });
const toast = () => bar.page.locator('.toast');

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])(
  'on %s points are entered, shown with their effect on the keg, used, removed and undone',
  async (_what, width) => {
    const { page } = bar;
    await page.setViewportSize({ width, height: 900 });
    const drinks = await send<{ paging: { total: number } }>('GET', 'drinks');
    await send('POST', 'simulator/pulses', { meter: 'pi.flow0', ticks: 100, hz: 25 });
    const isRecorded = async () =>
      (await send<typeof drinks>('GET', 'drinks')).paging.total === drinks.paging.total + 1;
    await expect.poll(isRecorded, { timeout: 20_000 }).toBe(true);
    await page.goto(`${bar.daemon.url}/meters/1`);
    await section().getByText('One number serves all flows.').waitFor();
    await button('Add point').click();
    await section().getByText('Each point needs a flow', { exact: false }).waitFor();
    expect(await button('Use curve').count()).toBe(0);
    await field('Flow (mL/s) 1').fill('100');
    await field('Ticks per litre 1').fill('500');
    await button('Add point').click();
    await field('Flow (mL/s) 2').fill('20,5');
    await field('Ticks per litre 2').fill('400');
    // The pours ran between both points.
    await section()
      .getByText(/drinks?: .* → /)
      .waitFor();
    expect(await axeOn(page)).toEqual([]);
    await button('Use curve').click();
    const entered = [
      { hz: expect.closeTo(8.2, 9), ticks_per_ml: 0.4 },
      { hz: 50, ticks_per_ml: 0.5 },
    ];
    await expect.poll(() => storedPoints(1)).toEqual(entered);
    await section().getByRole('button', { name: 'Remove point 1' }).click();
    await section().getByRole('button', { name: 'Remove point 1' }).click();
    await button('Remove curve').click();
    await expect.poll(() => storedPoints(1)).toBeUndefined();
    await toast().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => storedPoints(1)).toEqual(entered);
    await send('DELETE', 'flow-meters/1/curve');
  },
);

test('the points of the data sheet are filled in by one button', async () => {
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/meters/2`);
  await section()
    .getByRole('button', { name: /^Data sheet of/ })
    .click();
  await button('Use curve').click();
  await expect.poll(async () => (await storedPoints(2))?.length).toBe(5);
  await page.getByText('from the data sheet', { exact: false }).first().waitFor();
});

test('two points at one flow cannot be used', async () => {
  await bar.page.goto(`${bar.daemon.url}/meters/1`);
  for (const row of [1, 2]) {
    await button('Add point').click();
    await field(`Flow (mL/s) ${row}`).fill('50');
    await field(`Ticks per litre ${row}`).fill('500');
  }
  await section().getByText('Each point needs a flow', { exact: false }).waitFor();
  expect(await button('Use curve').count()).toBe(0);
});

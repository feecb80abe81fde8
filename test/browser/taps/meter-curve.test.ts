import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickBar, type RunningDaemon } from '../../kit/daemon.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let staffBar: StaffBar;
let daemon: RunningDaemon;
let page: Page;
const browserErrors: string[] = [];

beforeAll(async () => {
  const [left, right] = quickBar.meters;
  staffBar = await openStaffBar({
    timeoutMs: 20_000,
    settings: { meters: [left, { port: right!.port, pin: right!.pin, model: 'seeed-yf-21' }] },
  });
  ({ daemon, page } = staffBar);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(message.text());
  });
});
afterAll(() => staffBar.close());

const rows = () => page.getByRole('list', { name: 'Enter volume' }).getByRole('listitem');
const volumeInputs = () => page.getByLabel(/^Volume of the pour at/);
const curve = () => page.getByRole('region', { name: '4. Slow and fast pours' });
const points = () =>
  curve()
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .getByRole('cell')
    .allInnerTexts();

async function pour(ticks: number, hz: number, count: number) {
  await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks, hz }),
  });
  await expect.poll(() => rows().count(), { timeout: 20_000 }).toBe(count);
}

/** The volumes of all drinks, newest first. */
async function volumes(): Promise<readonly number[]> {
  const { drinks } = await page.evaluate(async () => {
    const reply = (await (await fetch('api/drinks')).json()) as {
      result: { drinks: { volume_ml: number }[] };
    };
    return reply.result;
  });
  return drinks.map(({ volume_ml }) => Math.round(volume_ml));
}

test('pours measured at one flow ask for others, and equal ones at two flows say that one number suffices', async () => {
  await page.goto(`${daemon.url}/taps/1/calibrate`);
  await curve().getByText('Most meters count slow pours differently.').waitFor();
  await pour(1_000, 500, 1);
  await pour(600, 200, 2);
  await volumeInputs().nth(1).fill('200');
  await curve().getByText('Measure pours with the tap half open too').waitFor();
  await volumeInputs().nth(0).fill('120');
  await curve().getByText('Slow and fast pours agree: one number suffices.').waitFor();
  expect(await curve().getByRole('button', { name: 'Measured at two flows' }).count()).toBe(0);
});

test('different factors at two flows offer a curve, which changes the keg’s past pours', async () => {
  await volumeInputs().nth(0).fill('133.3');
  await curve().getByText('Slow pours have 4.501, fast ones 5.000 ticks/mL. Use the curve.').waitFor();
  await curve().getByRole('button', { name: 'Measured at two flows' }).click();
  await curve().getByRole('img', { name: 'Ticks per mL by flow' }).waitFor();
  expect((await points()).slice(0, 3).join(' ')).toMatch(/^4\d\smL\/s 4\.501 -10%$/);
  await curve()
    .getByText(/^One drink: 0\.12\sL → 0\.13\sL\./)
    .waitFor();
  await curve().getByLabel('Record the measured pours as spill').uncheck();
  await curve().getByRole('button', { name: 'Use curve' }).click();
  await page.getByText('The curve is used.').waitFor();
  await curve().getByRole('button', { name: 'Current curve', pressed: true }).waitFor();
  const [slow, fast] = await volumes();
  expect(slow).toBeGreaterThan(130);
  expect(slow).toBeLessThan(135);
  expect(fast).toBeGreaterThan(198);
  expect(fast).toBeLessThan(204);
  await page.getByRole('list', { name: 'History' }).getByText('curve', { exact: false }).waitFor();
});

test('the curve is removed, and that is undone', async () => {
  const withCurve = await volumes();
  await curve().getByRole('button', { name: 'One number' }).click();
  await curve().getByRole('button', { name: 'Remove curve' }).click();
  await page.getByText('One number is used again.').waitFor();
  await curve().getByRole('button', { name: 'One number', pressed: true }).waitFor();
  expect(await volumes()).toEqual([120, 200]);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await curve().getByRole('button', { name: 'Current curve' }).waitFor();
  expect(await volumes()).toEqual(withCurve);
});

test('the curve of the model’s data sheet is one choice away', async () => {
  await page.goto(`${daemon.url}/taps/2/calibrate`);
  await curve().getByRole('button', { name: 'Data sheet of YF-21, G1/2' }).click();
  expect(await points()).toHaveLength(15);
  await curve().getByRole('button', { name: 'Use curve' }).click();
  await page.getByText('The curve is used.').waitFor();
  await page.getByRole('list', { name: 'History' }).getByText('from the data sheet').waitFor();
  expect(browserErrors).toEqual([]);
});

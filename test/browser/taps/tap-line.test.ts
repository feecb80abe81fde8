import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';

let bar: FlowBar;

beforeAll(async () => {
  bar = await startFlowBar();
});
afterAll(() => bar.close());

interface TapItem {
  readonly tap: { readonly line_volume_ml: number | null; readonly has_fob: boolean };
}
const storedTap = async () => (await bar.callApi<TapItem>('GET', 'taps/1')).tap;

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])('on %s staff enter the line by length and diameter, and undo removes it', async (_what, width) => {
  const { page } = bar;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${bar.daemon.url}/taps/1/edit`);
  const section = page.getByRole('region', { name: 'Beer line' });
  await section.getByText('Calculate from length and diameter').click();
  await section.getByLabel('Length (m)').fill('2,5');
  await section.getByLabel('Inner diameter').selectOption('10 mm');
  // π/4 · 10² mL per metre.
  await section.getByRole('button', { name: 'Use 196 mL' }).click();
  await section.getByLabel('Has a foam-on-beer detector (FOB)').check();
  expect(await axeOn(page)).toEqual([]);
  await section.getByRole('button', { name: 'Save' }).click();
  await expect.poll(storedTap).toMatchObject({ line_volume_ml: 196, has_fob: true });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(storedTap).toMatchObject({ line_volume_ml: null, has_fob: false });
});

test('more before the meter than in the line is refused at its field', async () => {
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/taps/1/edit`);
  const section = page.getByRole('region', { name: 'Beer line' });
  await section.getByLabel('Volume from keg to tap (mL)').fill('300');
  await section.getByLabel('Of it, before the meter (mL)').fill('301');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.locator('label', { hasText: 'Of it' }).getByText('must be a number from 0 to 300').waitFor();
  expect(await storedTap()).toMatchObject({ line_volume_ml: null });
});

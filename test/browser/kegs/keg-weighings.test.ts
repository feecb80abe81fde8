import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';

let bar: FlowBar;

beforeAll(async () => {
  bar = await startFlowBar();
});
afterAll(() => bar.close());

interface Weighings {
  readonly weighings: readonly { readonly weight_g: number; readonly empty_weight_g: number | null }[];
}
const stored = async () => (await bar.callApi<Weighings>('GET', 'kegs/1/weighings')).weighings;

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])('on %s staff weigh a keg, correct it and undo', async (_what, width) => {
  const { page } = bar;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${bar.daemon.url}/kegs/1`);
  const section = page.getByRole('region', { name: 'Weighing' });
  const rows = section.getByRole('list').getByRole('listitem');
  await section.getByLabel('Weight with beer (kg)').fill('8');
  await section.getByLabel('Weight of the empty keg (kg)').fill('9,3');
  await section.getByRole('button', { name: 'Add weighing' }).click();
  await section.getByText('is less than the empty keg weighs (9.3 kg)', { exact: true }).waitFor();
  await section.getByLabel('Weight with beer (kg)').fill('29.5');
  await section.getByRole('button', { name: 'Add weighing' }).click();
  await rows
    .first()
    .getByText(/^[\d.]+\sm?L ± [\d.]+\sm?L left by weight$/)
    .waitFor();
  await rows
    .first()
    .getByText(/left as counted$/)
    .waitFor();
  expect(await axeOn(page)).toEqual([]);
  await rows.first().getByRole('button', { name: /^Edit/ }).click();
  await rows.first().getByLabel('Weight with beer (kg)').fill('28,5');
  await rows.first().getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toMatchObject([{ weight_g: 28_500, empty_weight_g: 9_300 }]);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toMatchObject([{ weight_g: 29_500 }]);
  await rows
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect.poll(stored).toEqual([]);
});

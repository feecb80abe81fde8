import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';

let bar: FlowBar;

beforeAll(async () => {
  bar = await startFlowBar();
  await bar.callApi('PATCH', 'taps/1', { has_fob: true });
});
afterAll(() => bar.close());

interface TapItem {
  readonly tap: { readonly current_keg_id: number | null };
}
interface KegItem {
  readonly keg: { readonly state: string; readonly ran_dry: boolean | null };
}
const kegOf = async (id: number) => (await bar.callApi<KegItem>('GET', `kegs/${id}`)).keg;

test.each([
  ['a phone', 390, 'Ran dry', true],
  ['a desktop', 1440, 'Not empty: changed early', false],
] as const)(
  'on %s staff say at a tap with a detector whether the keg ran dry, and undo it',
  async (_what, width, answer, ranDry) => {
    const { page } = bar;
    await page.setViewportSize({ width, height: 900 });
    const { tap } = await bar.callApi<TapItem>('GET', 'taps/1');
    const id = tap.current_keg_id!;
    await page.goto(`${bar.daemon.url}/kegs/${id}`);
    await page.getByRole('button', { name: 'Keg empty' }).click();
    await page.getByText('Did the keg run dry?').waitFor();
    expect(await axeOn(page)).toEqual([]);
    await page.getByRole('button', { name: answer }).click();
    await page.locator('.toast').getByText('Keg marked as empty.').waitFor();
    expect(await kegOf(id)).toMatchObject({ state: 'finished', ran_dry: ranDry });
    await page.getByText(answer, { exact: false }).waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => kegOf(id)).toMatchObject({ state: 'on_tap', ran_dry: null });
  },
);

test('a tap without a detector does not ask', async () => {
  await bar.callApi('PATCH', 'taps/1', { has_fob: false });
  const { tap } = await bar.callApi<TapItem>('GET', 'taps/1');
  const id = tap.current_keg_id!;
  await bar.page.goto(`${bar.daemon.url}/kegs/${id}`);
  await bar.page.getByRole('button', { name: 'Keg empty' }).click();
  await expect.poll(() => kegOf(id)).toMatchObject({ state: 'finished', ran_dry: null });
});

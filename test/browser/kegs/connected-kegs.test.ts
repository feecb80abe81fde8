import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { layoutFaults } from '../kit/fit.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';

let bar: FlowBar;
let beerId: string;

const fiveLitres = /5[.\d]*\sL$/;

interface TapItem {
  readonly tap: {
    readonly current_keg_id: number | null;
    readonly keg_ids_behind: readonly number[];
    readonly other_tap_ids: readonly string[];
  };
  readonly beverage: { readonly id: string };
}
const tapOf = (id: number) => bar.callApi<TapItem>('GET', `taps/${id}`);
const createKeg = async () =>
  (await bar.callApi<{ keg: { id: number } }>('POST', 'kegs', { beverage_id: beerId, keg_type: 'mini' })).keg
    .id;

beforeAll(async () => {
  bar = await startFlowBar();
  beerId = (await tapOf(1)).beverage.id;
});
afterAll(() => bar.close());

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])(
  'on %s staff connect a keg behind the one on a tap, see both levels, take it off and undo',
  async (_what, width) => {
    const { page, daemon } = bar;
    const first = (await tapOf(1)).tap.current_keg_id!;
    const second = await createKeg();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${daemon.url}/taps/1`);
    const section = page.getByRole('region', { name: 'Kegs on this tap' });
    await section.getByRole('button', { name: 'Add keg behind' }).click();
    await section.getByText('Kegs empty one after another.', { exact: false }).waitFor();
    await section.getByRole('button', { name: new RegExp(`^Keg ${second} · `) }).click();
    await page.locator('.toast').getByText('Keg connected.').waitFor();
    const rows = section.getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.last().getByText(fiveLitres).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    expect((await tapOf(1)).tap).toMatchObject({ current_keg_id: first, keg_ids_behind: [second] });

    await page.goto(daemon.url);
    await page.getByText(/^left · \d+% · \+\s1\skeg$/).waitFor();
    expect(await layoutFaults(page)).toEqual([]);

    await page.goto(`${daemon.url}/taps/1`);
    await section.getByRole('button', { name: `Take off tap Keg ${second}` }).click();
    await page.locator('.toast').getByText('Keg taken off tap.').waitFor();
    await expect.poll(async () => (await tapOf(1)).tap.keg_ids_behind).toEqual([]);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await tapOf(1)).tap.keg_ids_behind).toEqual([second]);
    // Also on the page of the keg itself.
    await page.goto(`${daemon.url}/kegs/${second}`);
    await page.getByRole('button', { name: 'Take off tap' }).click();
    await expect.poll(async () => (await tapOf(1)).tap.keg_ids_behind).toEqual([]);
  },
);

test('an empty tap gets the keg of another tap, and is taken off it again', async () => {
  const { page, daemon } = bar;
  await bar.callApi('POST', 'taps/2/end-keg', {});
  await page.goto(daemon.url);
  await page.getByRole('button', { name: 'Tap a keg at Right' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Same keg as Left: / })
    .click();
  await page.locator('.toast').getByText('Keg put on tap.').waitFor();
  const { tap } = await tapOf(1);
  expect((await tapOf(2)).tap).toMatchObject({ current_keg_id: tap.current_keg_id, other_tap_ids: ['1'] });
  await page.goto(`${daemon.url}/taps/2`);
  const section = page.getByRole('region', { name: 'Kegs on this tap' });
  await section.getByText('also on Left').waitFor();
  await section.getByRole('button', { name: /^Take off tap/ }).click();
  await expect.poll(async () => (await tapOf(2)).tap.current_keg_id).toBeNull();
  expect((await tapOf(1)).tap.current_keg_id).toBe(tap.current_keg_id);
});

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
interface AddedTap {
  readonly tap: { readonly id: string };
}
interface DrinkItem {
  readonly drink: { readonly id: number; readonly keg_id: number | null };
}
const kegIdOf = async ({ drink }: DrinkItem) =>
  (await bar.callApi<DrinkItem>('GET', `drinks/${drink.id}`)).drink.keg_id;
const kegOf = async (id: number) => (await bar.callApi<KegItem>('GET', `kegs/${id}`)).keg;

test.each([
  ['a phone', 390, 'Ran dry', 'Keg marked as empty.', { state: 'finished', ran_dry: true }],
  ['a desktop', 1440, 'Take off · changed early', 'Back in stock:', { state: 'available', ran_dry: null }],
] as const)(
  'on %s staff say at a tap with a detector whether the keg ran dry, and undo it',
  async (_what, width, answer, done, keg) => {
    const { page } = bar;
    await page.setViewportSize({ width, height: 900 });
    const { tap } = await bar.callApi<TapItem>('GET', 'taps/1');
    const id = tap.current_keg_id!;
    await page.goto(`${bar.daemon.url}/kegs/${id}`);
    await page.getByRole('button', { name: 'Keg empty' }).click();
    await page.getByText('Did the keg run dry?').waitFor();
    expect(await axeOn(page)).toEqual([]);
    await page.getByRole('button', { name: answer }).click();
    await page.locator('.toast').getByText(done).waitFor();
    expect(await kegOf(id)).toMatchObject(keg);
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

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])('on %s staff take a keg off its tap before it is empty, and put it on again', async (_what, width) => {
  const { page } = bar;
  await page.setViewportSize({ width, height: 900 });
  const { tap } = await bar.callApi<TapItem>('GET', 'taps/2');
  const id = tap.current_keg_id!;
  await bar.callApi('POST', 'taps/2/record-drink', { volume_ml: 400 });
  await bar.openTap('Right');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Take off · changed early' }).click();
  await page
    .locator('.toast')
    .getByText(/Back in stock: 18\.\d\sL left\./)
    .waitFor();
  expect(await kegOf(id)).toMatchObject({ state: 'available' });
  // The dialog goes on to the keg that takes its place.
  await dialog.getByRole('group', { name: 'Put a keg on tap' }).getByRole('button').first().waitFor();
  expect(await axeOn(page)).toEqual([]);

  await page.goto(`${bar.daemon.url}/kegs/${id}`);
  await page.getByText('In stock').first().waitFor();
  await page.getByRole('button', { name: 'Put on tap: Right' }).click();
  await expect.poll(() => kegOf(id)).toMatchObject({ state: 'on_tap' });
  await page.getByRole('button', { name: 'Take off · changed early' }).click();
  await expect.poll(() => kegOf(id)).toMatchObject({ state: 'available' });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => kegOf(id)).toMatchObject({ state: 'on_tap' });
});

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])(
  'on %s staff who press the button late say when the keg was changed, and its drinks follow',
  async (_what, width) => {
    const { page } = bar;
    await page.setViewportSize({ width, height: 900 });
    const name = `Late ${width}`;
    const { tap: added } = await bar.callApi<AddedTap>('POST', 'taps', { name });
    const beer = { beverage_name: 'Haus Helles', producer_name: 'Hausbrauerei', style_name: 'Helles' };
    const changedAt = Math.floor(Date.now() / 1_000) - 3_600;
    await bar.callApi('POST', `taps/${added.id}/start-keg`, { ...beer, changed_at: changedAt });
    await bar.callApi('POST', 'kegs', beer);
    const tapNow = async () => (await bar.callApi<TapItem>('GET', `taps/${added.id}`)).tap;
    const id = (await tapNow()).current_keg_id!;
    const [drink, other] = await Promise.all(
      [400, 300].map((ml) =>
        bar.callApi<DrinkItem>('POST', `taps/${added.id}/record-drink`, { volume_ml: ml }),
      ),
    );
    await bar.openTap(name);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'It was changed earlier' }).click();
    await dialog.getByLabel('When the keg was changed').waitFor();
    await dialog.getByText('2 drinks recorded since move to the keg that was on the tap.').waitFor();
    expect(await axeOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keg empty' }).click();
    await expect.poll(() => kegOf(id)).toMatchObject({ state: 'finished' });
    expect(await kegIdOf(drink!)).toBeNull();

    // The time stays for the keg that took its place.
    await dialog.getByText('2 drinks recorded since').waitFor();
    await dialog.getByRole('group', { name: 'Put a keg on tap' }).getByRole('button').first().click();
    await expect.poll(async () => (await tapNow()).current_keg_id).toBeGreaterThan(id);
    const next = (await tapNow()).current_keg_id;
    expect([await kegIdOf(drink!), await kegIdOf(other!)]).toEqual([next, next]);
  },
);

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';
import { text } from '../kit/texts.ts';

let bar: FlowBar;
const browserErrors: string[] = [];

beforeAll(async () => {
  bar = await startFlowBar();
  bar.page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  bar.page.on('pageerror', (error) => browserErrors.push(error.message));
});
afterAll(() => bar.close());
beforeEach(() => void browserErrors.splice(0));

interface TapItem {
  readonly tap: { readonly id: string; readonly name: string; readonly number: number };
}

const storedTaps = async () =>
  (await bar.callApi<{ taps: readonly TapItem[] }>('GET', 'taps')).taps.map(({ tap }) => tap);
const list = () => bar.page.getByRole('list', { name: 'Taps', exact: true });
const shownNames = () => list().getByRole('link').allTextContents();
const handle = (name: string) => bar.page.getByRole('button', { name: `Move ${name}`, exact: true });
const toast = (message: string) => bar.page.locator('.toast').filter({ hasText: message });

async function openTaps() {
  await bar.page.goto(`${bar.daemon.url}/taps`);
  await list().waitFor();
}

async function undoLast(message: string) {
  await toast(message).getByRole('button', { name: 'Undo' }).click();
  await toast('Undone.').waitFor();
}

const tapsById = async () => (await storedTaps()).toSorted((one, other) => Number(one.id) - Number(other.id));

/** Makes the bar's taps those with these names, in this order. */
async function prepareTaps(...names: readonly string[]) {
  const [left, right, ...others] = await tapsById();
  for (const { id } of others) await bar.callApi('DELETE', `taps/${id}`);
  for (const [index, { id }] of [left!, right!].entries())
    await bar.callApi('PATCH', `taps/${id}`, { name: names[index], number: 900 + index });
  for (const name of names.slice(2)) await bar.callApi('POST', 'taps', { name });
  const tapIds = (await tapsById()).map(({ id }) => id);
  await bar.callApi('PUT', 'tap-order', { tap_ids: tapIds, renumber: true });
}

test('a tap is added in one form, and undo takes it away', async () => {
  await prepareTaps('Left', 'Right');
  await openTaps();
  await bar.page.getByRole('button', { name: 'Add tap', exact: true }).click();
  expect(await bar.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Tap 3');
  await bar.page.getByLabel('Name', { exact: true }).fill('Garden');
  await bar.page.getByRole('button', { name: 'Add', exact: true }).click();
  await toast('Garden added.').waitFor();
  await expect.poll(shownNames).toEqual(['Left', 'Right', 'Garden']);
  expect((await storedTaps()).at(-1)).toMatchObject({ name: 'Garden', number: 3 });
  await undoLast('Garden added.');
  await expect.poll(shownNames).toEqual(['Left', 'Right']);
});

test('taps are ordered by the keyboard: focus stays on the handle, each move is announced, undo restores', async () => {
  await prepareTaps('Left', 'Right', 'Garden');
  await openTaps();
  await handle('Garden').focus();
  await bar.page.keyboard.press('ArrowUp');
  await bar.page.keyboard.press('ArrowUp');
  await expect.poll(shownNames).toEqual(['Garden', 'Left', 'Right']);
  await bar.page.getByText('Garden: place 1 of 3.').waitFor({ state: 'attached' });
  expect(await handle('Garden').evaluate((element) => element === document.activeElement)).toBe(true);
  await toast('Order saved.').waitFor();
  expect((await storedTaps()).map(({ name }) => name)).toEqual(['Garden', 'Left', 'Right']);
  // The numbers on the taps stay until somebody renumbers them.
  expect((await storedTaps()).map(({ number }) => number)).toEqual([3, 1, 2]);
  await undoLast('Order saved.');
  await expect.poll(shownNames).toEqual(['Left', 'Right', 'Garden']);
});

test('taps are moved by buttons, and numbered in their order', async () => {
  await prepareTaps('Left', 'Right', 'Garden');
  await openTaps();
  await bar.page.getByRole('button', { name: 'Move Left down' }).click();
  await expect.poll(shownNames).toEqual(['Right', 'Left', 'Garden']);
  await toast('Order saved.').waitFor();
  await bar.page.getByRole('button', { name: 'Number from 1 to 3 in this order' }).click();
  await toast('Taps numbered.').waitFor();
  await expect
    .poll(async () => (await storedTaps()).map(({ name, number }) => `${number} ${name}`))
    .toEqual(['1 Right', '2 Left', '3 Garden']);
});

test.each(['mouse', 'touch'] as const)('taps are ordered by dragging with %s', async (pointer) => {
  await prepareTaps('Left', 'Right', 'Garden');
  await openTaps();
  const { page } = bar;
  const from = (await handle('Left').boundingBox())!;
  const to = (await handle('Garden').boundingBox())!;
  const x = from.x + from.width / 2;
  const [startY, endY] = [from.y + from.height / 2, to.y + to.height];
  if (pointer === 'mouse') {
    await page.mouse.move(x, startY);
    await page.mouse.down();
    await page.mouse.move(x, (startY + endY) / 2, { steps: 4 });
    await page.mouse.move(x, endY, { steps: 4 });
    await page.mouse.up();
  } else {
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
    await touch('touchStart', startY);
    for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', startY + (endY - startY) * share);
    await touch('touchEnd');
  }
  await expect.poll(shownNames).toEqual(['Right', 'Garden', 'Left']);
  await toast('Order saved.').waitFor();
  expect((await storedTaps()).map(({ name }) => name)).toEqual(['Right', 'Garden', 'Left']);
});

test('Escape ends a drag without a change', async () => {
  await prepareTaps('Left', 'Right');
  await openTaps();
  const { page } = bar;
  const from = (await handle('Left').boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 200, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(shownNames).toEqual(['Left', 'Right']);
  expect((await storedTaps()).map(({ name }) => name)).toEqual(['Left', 'Right']);
});

test('from the card two touches lead to the editor; name, number and notes are saved and undone', async () => {
  await prepareTaps('Left', 'Right');
  await bar.openTap('Left');
  await bar.page.getByRole('link', { name: 'Edit tap' }).click();
  const { page } = bar;
  await page.getByRole('heading', { level: 2, name: 'Left' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Window');
  await page.getByRole('textbox', { name: /^Number/ }).fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('already', { exact: false }).or(page.getByText('taken')).first().waitFor();
  await page.getByRole('textbox', { name: /^Number/ }).fill('12');
  await page.getByLabel('Notes (staff only)').fill('Sticks when cold');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast('Saved.').waitFor();
  expect((await storedTaps())[0]).toMatchObject({ name: 'Window', number: 12, notes: 'Sticks when cold' });
  await undoLast('Saved.');
  expect((await storedTaps())[0]).toMatchObject({ name: 'Left', number: 1, notes: '' });
});

test('serving sizes are chosen per tap; one stays', async () => {
  await prepareTaps('Left', 'Right');
  const [tap] = await storedTaps();
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/taps/${tap!.id}/edit`);
  const boxes = page.getByRole('group', { name: 'Serving sizes' }).getByRole('checkbox');
  await boxes.first().waitFor();
  const count = await boxes.count();
  for (let index = 1; index < count; index += 1) await boxes.nth(index).uncheck();
  expect(await boxes.first().isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast('Saved.').waitFor();
  const { tap: stored } = await bar.callApi<{ tap: { serving_size_ids: number[] } }>(
    'GET',
    `taps/${tap!.id}`,
  );
  expect(stored.serving_size_ids).toHaveLength(1);
  await bar.callApi('PATCH', `taps/${tap!.id}`, { serving_size_ids: [] });
});

test('a meter of another tap is taken from it after a question, and undo gives it back', async () => {
  await prepareTaps('Left', 'Right');
  const [left, right] = await storedTaps();
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/taps/${left!.id}/edit`);
  const meter = page.getByRole('combobox', { name: /^Meter/ });
  const option = meter.locator('option', { hasText: '(at Right)' });
  await option.waitFor({ state: 'attached' });
  const meterOf = async (id: string) =>
    (await bar.callApi<{ tap: { meter_id: number | null } }>('GET', `taps/${id}`)).tap.meter_id;
  const before = [await meterOf(left!.id), await meterOf(right!.id)];
  const choose = async () => meter.selectOption((await option.getAttribute('value'))!);
  const question = page.getByRole('dialog').getByText(/ is connected to tap “Right”\. Move it\?$/);

  await choose();
  await question.waitFor();
  await axeOn(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await meter.inputValue()).toBe(String(before[0]));
  expect([await meterOf(left!.id), await meterOf(right!.id)]).toEqual(before);

  await choose();
  await page.getByRole('dialog').getByRole('button', { name: 'Move it to Left' }).click();
  await toast('Saved.').waitFor();
  expect(await meterOf(right!.id)).toBeNull();
  await undoLast('Saved.');
  expect([await meterOf(left!.id), await meterOf(right!.id)]).toEqual(before);
});

test('a tap with a keg says that the keg must be ended; then the tap is deleted and undo restores it', async () => {
  await prepareTaps('Left', 'Right');
  const [left] = await storedTaps();
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/taps/${left!.id}/edit`);
  await page.getByText('Mark the keg as empty before you delete the tap.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete tap' }).count()).toBe(0);
  await page.getByRole('button', { name: text('kegs.endKeg') }).click();
  await page.getByText('Its drinks stay.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Delete tap' }).click();
  await toast('Left deleted.').waitFor();
  await expect.poll(shownNames).toEqual(['Right']);
  await undoLast('Left deleted.');
  await expect.poll(shownNames).toEqual(['Left', 'Right']);
});

test('without taps one action adds the first one, whose empty card offers to tap a keg', async () => {
  const { page } = bar;
  const kept = await storedTaps();
  const deletions: number[] = [];
  for (const { id } of kept) {
    const item = await bar.callApi<{ keg: object | null }>('GET', `taps/${id}`);
    if (item.keg !== null) await bar.callApi('POST', `taps/${id}/end-keg`);
    deletions.push((await bar.callApi<{ correction_id: number }>('DELETE', `taps/${id}`)).correction_id);
  }
  await page.goto(bar.daemon.url);
  await page.getByRole('link', { name: 'Add tap' }).click();
  await page.getByText('No taps yet.').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add tap', exact: true }).click();
  await toast('Tap 1 added.').waitFor();
  await page.goto(bar.daemon.url);
  await page.getByRole('button', { name: 'Tap a keg at Tap 1' }).click();
  await page.getByRole('dialog', { name: 'Tap 1' }).waitFor();
  await page.keyboard.press('Escape');
  const [added] = await storedTaps();
  await bar.callApi('DELETE', `taps/${added!.id}`);
  for (const id of deletions) await bar.callApi('POST', `corrections/${id}/undo`);
});

test('guests see no editor', async () => {
  const context = await bar.browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  for (const path of ['taps', 'taps/1/edit']) {
    await page.goto(`${bar.daemon.url}/${path}`);
    await page.locator('main').getByLabel('Password').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  }
  await context.close();
});

test('both pages have no accessibility faults, at phone and desktop width, light and dark', async () => {
  await prepareTaps('Left', 'Right', 'Beer garden behind the building, on the left side', 'Tap 4');
  const { page } = bar;
  const [tap] = await storedTaps();
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await openTaps();
    expect(await axeOn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await page.goto(`${bar.daemon.url}/taps/${tap!.id}/edit`);
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  expect(browserErrors.filter((message) => !message.includes('status of 4'))).toEqual([]);
});

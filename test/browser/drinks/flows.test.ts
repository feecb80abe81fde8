import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';
import { text } from '../kit/texts.ts';

let flow: FlowBar;
let page: Page;

beforeAll(async () => {
  flow = await startFlowBar();
  page = flow.page;
});
afterAll(() => flow.close());

const dialog = () => page.getByRole('dialog');
const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
const clickUndo = async () => {
  await page.getByRole('button', { name: text('common.undo'), exact: true }).click();
  await page.getByText(text('drinks.undone')).waitFor();
};

/** Counts the touches of a job from the home page. */
function countTouches() {
  let count = 0;
  return {
    async touch(control: ReturnType<Page['locator']>) {
      await control.click();
      count += 1;
    },
    get count() {
      return count;
    },
  };
}

const tapMenu = (name: string) => page.getByRole('button', { name: text('taps.manageTap', { tap: name }) });

async function addToStock(beer: string): Promise<number> {
  const { keg } = await flow.callApi<{ keg: { id: number } }>('POST', 'kegs', {
    beverage_name: beer,
    producer_name: 'Brauerei Amsel',
    style_name: 'Kellerbier',
    keg_type: 'euro-30-liter',
  });
  return keg.id;
}

const kegOnTap = async (tapId: number) =>
  (await flow.callApi<{ tap: { current_keg_id: number | null } }>('GET', `taps/${tapId}`)).tap.current_keg_id;

interface Drink {
  readonly volume_ml: number;
  readonly user_id: string | null;
}
const drinks = async () => (await flow.callApi<{ drinks: readonly Drink[] }>('GET', 'drinks')).drinks;

test('a keg from stock is on the tap after three touches, and each step can be undone', async () => {
  const before = await kegOnTap(1);
  const spare = await addToStock('Kellerbier');
  await page.goto(flow.daemon.url);
  const job = countTouches();
  await job.touch(tapMenu('Left'));
  await job.touch(button(text('kegs.endKeg')));
  await job.touch(button(/^Kellerbier/));
  await dialog().waitFor({ state: 'detached' });
  expect(job.count).toBe(3);
  expect(await kegOnTap(1)).toBe(spare);

  await clickUndo();
  expect(await kegOnTap(1)).toBeNull();
  await page.goto(`${flow.daemon.url}/audit`);
  await page
    .getByRole('button', { name: new RegExp(`^${text('audit.undo')}`) })
    .first()
    .click();
  await page.getByText(text('audit.undone')).waitFor();
  expect(await kegOnTap(1)).toBe(before);
});

test('“Keg empty” is undone in the dialog, which then offers it again', async () => {
  const before = await kegOnTap(1);
  await flow.openTap('Left');
  await button(text('kegs.endKeg')).click();
  await button(text('kegs.newKeg')).waitFor();
  await dialog()
    .getByRole('button', { name: text('common.undo'), exact: true })
    .click();
  await button(text('kegs.endKeg')).waitFor();
  await expect.poll(() => kegOnTap(1)).toBe(before);
});

test('the next beer is undone from the message, and later from Activity', async () => {
  const [first, second] = [await addToStock('Märzen'), await addToStock('Rauchbier')];
  const next = async () =>
    (await flow.callApi<{ next: { keg_id: number | null } | null }>('GET', 'taps/2')).next?.keg_id ?? null;
  await flow.openTap('Right');
  await button(/^Märzen/).click();
  await expect.poll(next).toBe(first);
  await button(/^Rauchbier/).click();
  await expect.poll(next).toBe(second);
  await dialog()
    .getByText(text('nextBeer.nextSet', { beer: 'Rauchbier' }))
    .waitFor();
  await clickUndo();
  expect(await next()).toBe(first);
  await button(text('nextBeer.noNextBeer')).click();
  await expect.poll(next).toBeNull();
  await page.goto(`${flow.daemon.url}/audit`);
  await page
    .getByRole('button', {
      name: new RegExp(`^${text('audit.undo')}.*${text('audit.actions.tap.next_set')}`),
    })
    .first()
    .click();
  await page.getByText(text('audit.undone'), { exact: true }).waitFor();
  expect(await next()).toBe(first);
});

test('a new keg asks for its size, then full or filled to, and refuses more than it holds', async () => {
  await flow.callApi('POST', 'taps/1/end-keg');
  await flow.openTap('Left');
  await button(text('kegs.newKeg')).click();
  await dialog().getByLabel(text('kegs.kegSize')).selectOption('euro-30-liter');
  await button(text('kegs.fillPart')).click();
  await dialog()
    .getByRole('combobox', { name: text('kegs.beerName') })
    .fill('Kellerbier');
  await page.keyboard.press('Tab');
  const level = dialog().getByLabel(text('kegs.fillVolume'));
  const submit = button(text('taps.putOnTap'));
  await level.fill('40');
  await submit.click();
  await dialog()
    .getByText(text('volume.tooLarge', { volume: '40.0 L', most: '30.0 L' }))
    .waitFor();
  await level.fill('abc');
  await submit.click();
  await dialog().getByText('“abc” is not a volume.').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await level.fill('12,5 l');
  await submit.click();
  await dialog().waitFor({ state: 'detached' });
  const { keg } = await flow.callApi<{ keg: { id: number; full_volume_ml: number } }>('GET', 'taps/1');
  expect(keg.full_volume_ml).toBe(12_500);
  await clickUndo();
  expect(await kegOnTap(1)).toBeNull();
});

test('a drink is added for a person with three touches, recent people first, and undone', async () => {
  await flow.callApi('POST', 'taps/2/record-drink', { volume_ml: 200, username: 'bert' });
  await page.goto(flow.daemon.url);
  const job = countTouches();
  await job.touch(tapMenu('Right'));
  const people = dialog()
    .getByRole('group', { name: text('drinks.user') })
    .getByRole('button');
  await expect.poll(() => people.allInnerTexts()).toEqual([text('drinks.guest'), 'bert', 'anna']);
  await job.touch(button('bert'));
  await job.touch(button(/^300\smL|^0\.3\sL/));
  await dialog().waitFor({ state: 'detached' });
  expect(job.count).toBe(3);
  expect((await drinks())[0]).toMatchObject({ volume_ml: 300, user_id: 'bert' });
  await clickUndo();
  expect((await drinks())[0]).toMatchObject({ volume_ml: 200 });
});

test('a drink is given to another person with two touches, and undone', async () => {
  await flow.callApi('POST', 'taps/2/record-drink', { volume_ml: 200 });
  const newestUser = async () => (await drinks())[0]?.user_id;
  await page.goto(flow.daemon.url);
  const job = countTouches();
  await job.touch(page.locator('.drink-correct').first());
  await job.touch(button('bert'));
  await expect.poll(newestUser).toBe('bert');
  expect(job.count).toBe(2);
  await clickUndo();
  await expect.poll(newestUser).toBeNull();
});

test('a spill is recorded with three touches and undone', async () => {
  const spilled = async () =>
    (await flow.callApi<{ keg: { spilled_ml: number } }>('GET', 'taps/2')).keg.spilled_ml;
  const before = await spilled();
  await page.goto(flow.daemon.url);
  const job = countTouches();
  await job.touch(tapMenu('Right'));
  await job.touch(button(text('drinks.spilled')));
  await job.touch(button(/^200\smL|^0\.2\sL/));
  await dialog().waitFor({ state: 'detached' });
  expect(job.count).toBe(3);
  expect(await spilled()).toBe(before + 200);
  await clickUndo();
  expect(await spilled()).toBe(before);
});

test('typed volumes are parsed, answered with a sentence, asked about, or refused', async () => {
  await flow.openTap('Right');
  const field = dialog().getByLabel(/^Another volume|^Other/);
  const page = field.page();
  // The next beer has a button of that name, too.
  const set = dialog()
    .locator('form')
    .filter({ has: page.getByLabel(/^Another volume|^Other/) })
    .getByRole('button', { name: text('drinks.set') });
  const answer = async (typed: string, sentence: string) => {
    await field.fill(typed);
    await set.click();
    await dialog().getByText(sentence).waitFor();
  };
  await answer('abc', '“abc” is not a volume.');
  await answer('3 buckets', text('volume.unknownUnit', { unit: 'buckets' }));
  await answer('-1', text('volume.notPositive'));
  await answer('100 L', '100.0 L is too much');
  const { keg } = await flow.callApi<{ keg: { volume_ml_remain: number; full_volume_ml: number } }>(
    'GET',
    'taps/2',
  );
  const aboveLeft = Math.ceil((keg.volume_ml_remain + keg.full_volume_ml) / 2);
  await field.fill(`${aboveLeft} ml`);
  await set.click();
  await button(/^Yes, /).waitFor();
  const count = (await drinks()).length;
  await field.fill('0,25 l');
  expect(await button(/^Yes, /).count()).toBe(0);
  await set.click();
  await dialog().waitFor({ state: 'detached' });
  expect(await drinks()).toHaveLength(count + 1);
  expect((await drinks())[0]).toMatchObject({ volume_ml: 250 });
});

test('the rules of a PIN are said before it is typed', async () => {
  await page.goto(`${flow.daemon.url}/account`);
  await page.getByText(text('tablets.pinRule')).waitFor();
});

test('“Undo” is offered for 15 s', async () => {
  const later = await page.context().newPage();
  await later.clock.install();
  await later.goto(flow.daemon.url);
  await later.getByRole('button', { name: text('taps.manageTap', { tap: 'Right' }) }).click();
  await later
    .getByRole('dialog')
    .getByRole('button', { name: /^200\smL|^0\.2\sL/ })
    .click();
  const undo = later.getByRole('button', { name: text('common.undo'), exact: true });
  await undo.waitFor();
  await later.clock.runFor(14_000);
  expect(await undo.count()).toBe(1);
  await later.clock.runFor(1_500);
  await undo.waitFor({ state: 'detached' });
  await later.close();
});

test('a spill, an ended keg and a changed tap are undone later from Activity', async () => {
  const spilled = async () =>
    (await flow.callApi<{ keg: { spilled_ml: number } | null }>('GET', 'taps/2')).keg?.spilled_ml ?? null;
  const [kegBefore, spilledBefore] = [await kegOnTap(2), await spilled()];
  const nameOf = async () => (await flow.callApi<{ tap: { name: string } }>('GET', 'taps/2')).tap.name;
  const undoNewest = async () => {
    await page.goto(`${flow.daemon.url}/activity`);
    await page
      .getByRole('combobox', { name: text('activity.filter') })
      .selectOption(text('activity.bookings'));
    await page
      .getByRole('list', { name: text('activity.bookings') })
      .getByRole('button', { name: new RegExp(`^${text('audit.undo')}`) })
      .first()
      .click();
    await page.getByText(text('audit.undone'), { exact: true }).waitFor();
  };
  await flow.callApi('POST', `kegs/${kegBefore}/spill`, { volume_ml: 300 });
  expect(await spilled()).toBe(spilledBefore! + 300);
  await undoNewest();
  await expect.poll(spilled).toBe(spilledBefore);
  await flow.callApi('POST', 'taps/2/end-keg');
  await undoNewest();
  await expect.poll(() => kegOnTap(2)).toBe(kegBefore);
  await flow.callApi('PATCH', 'taps/2', { name: 'Window' });
  await undoNewest();
  await expect.poll(nameOf).toBe('Right');
});

test('an undo that is no longer possible says why', async () => {
  const keg = await addToStock('Pils');
  await flow.callApi('POST', 'taps/1/attach-keg', { keg_id: keg });
  // A spill that staff named this keg for does not go back to another one.
  await flow.callApi('POST', `kegs/${keg}/spill`, { volume_ml: 300 });
  await page.goto(`${flow.daemon.url}/audit`);
  const entry = page
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`Keg ${keg}\\b`) })
    .filter({ hasText: /tap/i });
  await entry
    .getByRole('button', { name: new RegExp(`^${text('audit.undo')}`) })
    .first()
    .click();
  await page.getByText(/were assigned to keg/).waitFor();
  expect(await kegOnTap(1)).toBe(keg);
});

test('the first drink of a fresh keg says how much of it was gas and foam, and staff say that it was beer', async () => {
  const keg = await addToStock('Frischbier');
  if ((await kegOnTap(1)) !== null) await flow.callApi('POST', 'taps/1/end-keg', {});
  await flow.callApi('POST', 'taps/1/attach-keg', { keg_id: keg });
  const before = (await drinks()).length;
  const meter = 'pi.flow0';
  await flow.callApi('POST', 'simulator/pours', { meter, volume_ml: 300, foam_first_ml: 300, seed: 7 });
  await expect.poll(async () => (await drinks()).length, { timeout: 20_000 }).toBe(before + 1);
  const { drinks: all } = await flow.callApi<{ drinks: { id: number; foam_ticks?: number }[] }>(
    'GET',
    'drinks',
  );
  const [{ id, foam_ticks: foamTicks }] = all as [{ id: number; foam_ticks?: number }];
  expect(foamTicks).toBeGreaterThan(0);
  await page.goto(`${flow.daemon.url}/drinks/${id}`);
  const [start] = text('drinkPage.freshFoam', { volume: '§' }).split('§');
  await page.getByText(start!.trim()).waitFor();
  expect(await axeOn(page)).toEqual([]);

  await page.getByRole('button', { name: text('drinkPage.correct') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('drinks.allBeer') })
    .click();
  await page.getByText(text('drinks.allBeerDone')).waitFor();
  await page.getByText(start!.trim()).waitFor({ state: 'detached' });
  const { drink } = await flow.callApi<{ drink: { foam_ticks?: number } }>('GET', `drinks/${id}`);
  expect(drink.foam_ticks).toBeUndefined();
});

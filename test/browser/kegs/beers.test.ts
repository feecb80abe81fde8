import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let staffBar: StaffBar;
let browser: Browser;
let daemon: RunningDaemon;
let page: Page;
const browserErrors: string[] = [];

beforeAll(async () => {
  staffBar = await openStaffBar();
  ({ browser, daemon, page } = staffBar);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
});
afterAll(() => staffBar.close());
beforeEach(() => void browserErrors.splice(0));

const list = () => page.getByRole('list', { name: 'Beers', exact: true });
const field = (name: string) => page.getByRole('combobox', { name, exact: true });

/** Calls the API as the logged-in user. */
const call = (method: string, path: string, body?: object) =>
  page.evaluate(
    async (sent) => {
      const reply = await fetch(`api${sent.path}`, {
        method: sent.method,
        ...(sent.body && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(sent.body),
        }),
      });
      return (await reply.json()).result;
    },
    { method, path, body },
  );

async function addBeer(name: string, brewery: string): Promise<{ readonly id: string }> {
  await page.goto(`${daemon.url}/beers`);
  const { beverage_producer: maker } = await call('POST', '/beverage-producers', { name: brewery });
  return (await call('POST', '/beverages', { name, producer_id: maker.id })).beverage;
}

const openBeer = async (id: string) => {
  await page.goto(`${daemon.url}/beers/${id}`);
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
};

test('a beer is added with a new brewery, colour and style, and found by a part of its name', async () => {
  await page.goto(`${daemon.url}/beers`);
  await page.getByRole('link', { name: 'New beer' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Bière Brune');
  await field('Brewery').fill('Brasserie Étoile');
  await page.getByText('This brewery will be added.').waitFor();
  await field('Style').fill('dub');
  await page.getByRole('option', { name: 'Belgian Dubbel' }).click();
  expect(await field('Style').inputValue()).toBe('Belgian Dubbel');
  await page.getByLabel('Alcohol (%)').fill('7,5');
  await page.getByLabel('Bitterness (IBU)').fill('24');
  await page.getByLabel('EBC', { exact: true }).fill('39,4');
  expect(await page.getByLabel('SRM', { exact: true }).inputValue()).toBe('20');
  expect(await page.getByRole('button', { name: 'Brown', exact: true }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  expect(await axeOn(page, 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Bière Brune added.').waitFor();
  expect((await call('GET', '/beverages?search=brune')).beverages[0]).toMatchObject({
    abv: 7.5,
    ibu: 24,
  });

  await page.getByLabel('Name, brewery or style').fill('etoile biere');
  await expect.poll(() => list().getByRole('listitem').count()).toBe(1);
  await list().getByText('Brasserie Étoile · Belgian Dubbel').waitFor();
  await page.getByLabel('Show').selectOption('On tap');
  await page.getByText('Nothing found.').waitFor();
  expect(await axeOn(page, 'main')).toEqual([]);
  expect(browserErrors).toEqual([]);
});

test('a change is saved, and undo restores all values', async () => {
  const { id } = await addBeer('Keller', 'Brauerei Eins');
  await openBeer(id);
  await page.getByLabel('Name', { exact: true }).fill('Kellerbier');
  await page.getByLabel('Description').fill('Unfiltered.');
  await page.getByLabel('EBC', { exact: true }).fill('dark');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The colour is a number from 0 to 300 EBC.').waitFor();
  await page.getByLabel('EBC', { exact: true }).fill('12');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await list().getByText('Kellerbier').waitFor();
  expect((await call('GET', `/beverages/${id}`)).beverage).toMatchObject({
    description: 'Unfiltered.',
    srm: 6.09,
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await list().getByText('Keller', { exact: true }).waitFor();
  expect((await call('GET', `/beverages/${id}`)).beverage).toMatchObject({ description: '', srm: null });
});

test('type, vintage and gravities are under “More”, and a gravity that cannot be is refused with its range', async () => {
  const { id } = await addBeer('Reserve', 'Weingut');
  await openBeer(id);
  expect(await page.getByLabel('Original gravity').isVisible()).toBe(false);
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Type').selectOption('Wine');
  await page.getByLabel('Vintage').fill('2019');
  await page.getByLabel('Original gravity').fill('1,102');
  await page.getByLabel('Final gravity').fill('10,24');
  await page.getByText('More', { exact: true }).click();
  expect(await page.getByLabel('Final gravity').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('must be from 0.990 to 1.200').waitFor();
  expect(await axeOn(page, 'main')).toEqual([]);
  await page.getByLabel('Final gravity').fill('1.024');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  expect((await call('GET', `/beverages/${id}`)).beverage).toMatchObject({
    beverage_type: 'wine',
    vintage_year: '2019-01-01',
    original_gravity: 1.102,
    specific_gravity: 1.024,
  });
});

test('a change is undone later from the change log', async () => {
  const { id } = await addBeer('Export', 'Brauerei Zehn');
  await openBeer(id);
  await page.getByLabel('Name', { exact: true }).fill('Export Hell');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await list().getByText('Export Hell').waitFor();
  await page.goto(`${daemon.url}/audit`);
  await page.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(async () => (await call('GET', `/beverages/${id}`)).beverage.name).toBe('Export');
});

test('Cancel changes nothing', async () => {
  const { id } = await addBeer('Zwickel', 'Brauerei Zwei');
  await openBeer(id);
  await page.getByLabel('Name', { exact: true }).fill('Something else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await list().getByText('Zwickel').waitFor();
});

test('a label picture is cropped in the browser, uploaded on Save, and removed', async () => {
  const { id } = await addBeer('Labelled', 'Brauerei Drei');
  const wide = await sharp({ create: { width: 1600, height: 800, channels: 3, background: 'gold' } })
    .jpeg()
    .toBuffer();
  await openBeer(id);
  await page
    .getByLabel('Choose picture')
    .setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: wide });
  const dialog = page.getByRole('dialog', { name: 'Crop picture' });
  await dialog.getByRole('button', { name: '3:4' }).click();
  await dialog.getByLabel('Zoom').fill('2');
  await dialog.getByRole('img', { name: /^Cropped picture/ }).press('ArrowRight');
  expect(Number(await dialog.getByLabel('Left – right').inputValue())).toBeGreaterThan(0.5);
  expect(await axeOn(page, 'main')).toEqual([]);
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('img', { name: 'Label of Labelled' }).waitFor();
  expect((await call('GET', `/beverages/${id}`)).beverage.picture).toBeNull();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();

  const { picture } = (await call('GET', `/beverages/${id}`)).beverage;
  const stored = await page.request.get(`${daemon.url}${picture.resized_url}`);
  // Zoom 2 of a picture 800 pixels high.
  expect(await sharp(await stored.body()).metadata()).toMatchObject({ width: 300, height: 400 });
  const shown = list().getByRole('listitem').filter({ hasText: 'Labelled' }).locator('img');
  await expect.poll(() => shown.count()).toBe(1);

  await openBeer(id);
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByText('No picture', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The message of the first change may still be there.
  await expect.poll(async () => (await call('GET', `/beverages/${id}`)).beverage.picture).toBeNull();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await call('GET', `/beverages/${id}`)).beverage.picture).not.toBeNull();
  expect(browserErrors).toEqual([]);
});

test('a picture can be dropped, and a file that is no picture is refused in words', async () => {
  const { id } = await addBeer('Dropped', 'Brauerei Vier');
  await openBeer(id);
  await page
    .getByLabel('Choose picture')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('beer') });
  await page.getByText('This file is not a picture that can be read.').waitFor();
  const square = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const transfer = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'label.png', { type: 'image/png' }));
    return data;
  }, square.toString('base64'));
  await page.getByRole('group', { name: 'Label picture' }).dispatchEvent('drop', { dataTransfer: transfer });
  await page.getByRole('dialog', { name: 'Crop picture' }).waitFor();
  await page.keyboard.press('Escape');
});

test('on a phone a label is photographed with the rear camera; a desktop offers to drop a file instead', async () => {
  const { id } = await addBeer('Photographed', 'Brauerei Zwölf');
  await openBeer(id);
  const camera = (on: Page) => on.getByText('Take photo', { exact: true });
  expect(await camera(page).isVisible()).toBe(false);
  await page.getByText('Drop a picture here, or:').waitFor();

  const phone = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    storageState: await page.context().storageState(),
  });
  const onPhone = await phone.newPage();
  await onPhone.goto(`${daemon.url}/beers/${id}`);
  await camera(onPhone).waitFor();
  expect(await onPhone.getByText('Drop a picture here, or:').isVisible()).toBe(false);
  const input = onPhone.getByLabel('Take photo');
  expect(await input.getAttribute('capture')).toBe('environment');
  const portrait = await sharp({ create: { width: 600, height: 800, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  await input.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: portrait });
  await onPhone
    .getByRole('dialog', { name: 'Crop picture' })
    .getByRole('button', { name: 'Use picture' })
    .click();
  await onPhone.getByRole('img', { name: 'Label of Photographed' }).waitFor();
  await onPhone.getByRole('button', { name: 'Save', exact: true }).click();
  await onPhone.getByText('Saved.').waitFor();
  expect((await call('GET', `/beverages/${id}`)).beverage.picture).not.toBeNull();
  await phone.close();
});

test('a duplicate is merged, its keg moves, and undo separates the two again', async () => {
  const kept = await addBeer('Doppel Pils', 'Brauerei Fünf');
  const duplicate = await addBeer('Doppel-Pils', 'Brauerei Fuenf');
  const { keg } = await call('POST', '/kegs', { beverage_id: duplicate.id });
  await openBeer(kept.id);
  await page.getByRole('button', { name: 'Merge a duplicate …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge into Doppel Pils' });
  await dialog.getByRole('combobox', { name: 'Duplicate' }).fill('doppel');
  expect(await axeOn(page, 'main')).toEqual([]);
  await dialog.getByRole('option', { name: /Doppel-Pils/ }).click();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByText('Doppel-Pils merged into Doppel Pils.').waitFor();
  expect((await call('GET', `/kegs/${keg.id}`)).keg.type_id).toBe(kept.id);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await call('GET', `/kegs/${keg.id}`)).keg.type_id).toBe(duplicate.id);
});

test('a beer in a keg cannot be deleted, and the sentence names the keg; an unused one can, with undo', async () => {
  const used = await addBeer('In a keg', 'Brauerei Sechs');
  const { keg } = await call('POST', '/kegs', { beverage_id: used.id });
  await openBeer(used.id);
  await page.getByRole('button', { name: 'Delete beer' }).click();
  await page.getByText(`In a keg is in kegs (${keg.id}) and cannot be deleted`).waitFor();
  const { id } = await addBeer('Never poured', 'Brauerei Sieben');
  await openBeer(id);
  await page.getByRole('button', { name: 'Delete beer' }).click();
  await page.getByText('Never poured deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await list().getByText('Never poured').waitFor();
});

test('a brewery is edited, its country is not guessed, and one with beers is not deleted', async () => {
  await addBeer('Hauspils', 'Brauerei Acht');
  await page.getByRole('link', { name: 'Breweries' }).click();
  await page.getByLabel('Name or city').fill('acht');
  await page.getByRole('link', { name: 'Brauerei Acht' }).click();
  expect(await page.getByLabel('Country').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Delete brewery' }).click();
  await page.getByText('Brauerei Acht has these beers: Hauspils').waitFor();
  await page.getByLabel('Country').selectOption('Germany');
  await page.getByLabel('City', { exact: true }).fill('Bamberg');
  expect(await axeOn(page, 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Bamberg · Germany').waitFor();
  expect(await axeOn(page, 'main')).toEqual([]);
});

test('the keg form suggests known beers by keyboard, without case and accents, and makes a new one in place', async () => {
  const { id } = await addBeer('Märzen Pils', 'Brauerei Neun');
  await page.goto(`${daemon.url}/kegs`);
  await page.getByRole('button', { name: /keg that just came|New keg/ }).click();
  const dialog = page.getByRole('dialog');
  const beer = dialog.getByRole('combobox', { name: 'Beer', exact: true });
  await beer.fill('marzen');
  await dialog.getByRole('option', { name: /Märzen Pils.*Brauerei Neun/ }).waitFor();
  expect(await axeOn(page, 'main')).toEqual([]);
  await beer.press('ArrowDown');
  expect(await beer.getAttribute('aria-activedescendant')).toBe(
    await dialog.getByRole('listbox').getByRole('option', { selected: true }).getAttribute('id'),
  );
  await beer.press('Enter');
  expect(await beer.inputValue()).toBe('Märzen Pils');
  expect(await dialog.getByRole('combobox', { name: 'Brewery' }).count()).toBe(0);
  await dialog.getByLabel('Size').selectOption('euro-30-liter');
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(async () => (await call('GET', '/kegs?limit=1')).kegs[0].type_id).toBe(id);

  await page.getByRole('button', { name: /keg that just came|New keg/ }).click();
  await beer.fill('Märzen Export');
  await dialog.getByRole('option', { name: 'New beer “Märzen Export”' }).click();
  await dialog.getByRole('combobox', { name: 'Brewery' }).fill('brauerei neun');
  await dialog.getByRole('option', { name: 'Brauerei Neun' }).click();
  await dialog.getByLabel('Size').selectOption('euro-30-liter');
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  const { beverages } = await call('GET', '/beverages?search=marzen%20export');
  expect(beverages).toMatchObject([
    { name: 'Märzen Export', producer: { name: 'Brauerei Neun', country: '' } },
  ]);
});

test('the next beer of a tap is found by typing or made in place, and nothing moves when the stock is loaded', async () => {
  const { id } = await addBeer('Winter Märzen', 'Brauerei Elf');
  await call('POST', '/kegs', { beverage_id: id });
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/kegs?*state=available*', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`${daemon.url}/taps/1`);
  const picker = page.getByRole('group', { name: 'Next beer' });
  const beer = picker.getByRole('combobox', { name: 'Choose a beer' });
  await beer.waitFor();
  const distance = async () => (await beer.boundingBox())!.y - (await picker.boundingBox())!.y;
  const before = await distance();
  answer();
  await picker.getByRole('button', { name: /^Winter Märzen ·/ }).waitFor();
  expect(await distance()).toBe(before);
  await page.unroute('**/api/kegs?*state=available*');

  await beer.fill('winter marz');
  await picker.getByRole('option', { name: /Winter Märzen.*Brauerei Elf/ }).click();
  expect(await axeOn(page, 'main')).toEqual([]);
  await picker.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Next beer: Winter Märzen.').waitFor();
  await picker.getByRole('button', { name: 'Winter Märzen', exact: true, pressed: true }).waitFor();

  await beer.fill('Winterbock');
  await picker.getByRole('option', { name: 'New beer “Winterbock”' }).click();
  await picker.getByRole('combobox', { name: 'Brewery' }).fill('brauerei elf');
  await picker.getByRole('option', { name: 'Brauerei Elf' }).click();
  await picker.getByRole('button', { name: 'Save', exact: true }).click();
  await picker.getByRole('button', { name: 'Winterbock', exact: true, pressed: true }).waitFor();
  expect((await call('GET', '/beverages?search=winterbock')).beverages).toMatchObject([
    { name: 'Winterbock', producer: { name: 'Brauerei Elf' } },
  ]);
});

test('a known beer is not offered as a new one before the suggestions have arrived', async () => {
  await addBeer('Slow Porter', 'Brauerei Zehn');
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/beverages?*', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`${daemon.url}/kegs`);
  await page.getByRole('button', { name: /keg that just came|New keg/ }).click();
  const dialog = page.getByRole('dialog');
  const options = dialog.getByRole('listbox').getByRole('option');
  const searched = page.waitForRequest(/beverages\?.*search=Slow/);
  await dialog.getByRole('combobox', { name: 'Beer', exact: true }).fill('Slow Porter');
  await searched;
  expect(await options.count()).toBe(0);
  answer();
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual([expect.stringMatching(/^Slow Porter/), expect.stringMatching(/^New beer/)]);
  await page.unroute('**/api/beverages?*');
  await page.keyboard.press('Escape');
});

test('Escape closes the suggestions and not the dialog', async () => {
  await page.goto(`${daemon.url}/kegs`);
  await page.getByRole('button', { name: /keg that just came|New keg/ }).click();
  const dialog = page.getByRole('dialog');
  const beer = dialog.getByRole('combobox', { name: 'Beer', exact: true });
  await beer.fill('e');
  await dialog.getByRole('listbox').getByRole('option').first().waitFor();
  await beer.press('Escape');
  expect(await beer.getAttribute('aria-expanded')).toBe('false');
  expect(await dialog.count()).toBe(1);
  await beer.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a row that leads somewhere is touched anywhere on it', async () => {
  await page.goto(`${daemon.url}/beers`);
  const row = list().getByRole('listitem').first();
  await row.waitFor();
  const { x, y, width, height } = (await row.boundingBox())!;
  await page.mouse.click(x + width - 12, y + height / 2);
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/beers\/\d+$/);
});

test('two touches lead from the tap card to the editor of its beer, and guests find no beers page', async () => {
  await page.goto(daemon.url);
  await page.locator('.tap-manage').first().click();
  await page.getByRole('link', { name: 'Edit beer' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/beers\/\d+$/);
  await page.goto(`${daemon.url}/kegs/1`);
  await page.getByRole('link', { name: 'Edit beer' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();

  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await guest.goto(`${daemon.url}/beers`);
  await guest.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await guest.getByRole('list', { name: 'Beers', exact: true }).count()).toBe(0);
  await guest.context().close();
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { addDrink, addPicture, type PeopleBar, photo, startPeopleBar } from '../kit/people-bar.ts';
import { setPrivacy } from '../kit/staff.ts';

/** Yesterday at this time of day, UTC. */
const yesterday = (time: string) =>
  `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T${time}Z`;

let browser: Browser;
let bar: PeopleBar;
const pages: Page[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  bar = await startPeopleBar(browser);
  await bar.callApi('PATCH', 'site', { volume_display_units: 'metric', timezone: 'Europe/Berlin' });
  await addDrink(bar, { ml: 300, username: 'bert', time: yesterday('10:00:00') });
  await addDrink(bar, { ml: 400, username: 'bert', time: yesterday('10:30:00'), shout: 'Prost!' });
  await addDrink(bar, { tap: 2, ml: 250, username: 'carla', time: yesterday('11:00:00') });
  await addDrink(bar, { ml: 200, time: yesterday('11:10:00') });
  await addPicture(bar, 2);
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
});
afterAll(async () => {
  await browser.close();
  await bar.stop();
});

async function open(...args: Parameters<PeopleBar['open']>): Promise<Page> {
  const page = await bar.open(...args);
  pages.push(page);
  return page;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name });
/** The texts of a list's rows. */
const rows = async (page: Page, label: string) => {
  const list = page.getByRole('list', { name: label, exact: true });
  await list.waitFor();
  return (await list.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
};

test('a guest follows the links from a drink to its drinker, session and keg', async () => {
  const page = await open('/drinks');
  await page.locator('.drink', { hasText: '400 mL' }).locator('.drink-time a').click();
  await heading(page, /^400\smL /).waitFor();
  await page.getByText('Prost!').waitFor();
  await page.getByText('Volume entered by hand, not measured.').waitFor();
  await page.getByText('Never corrected.').waitFor();
  expect(await page.getByRole('button', { name: 'Correct' }).count()).toBe(0);
  expect(await page.getByLabel('Comment').count()).toBe(0);
  const picture = page.getByRole('img', { name: 'Picture of the drink' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60);

  await page.getByRole('link', { name: 'bert' }).click();
  await heading(page, 'bert').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Keg 1' }).click();
  await page.getByRole('heading', { name: 'Top drinkers' }).waitFor();
  expect(await rows(page, 'Top drinkers')).toEqual(['bert 700 mL', 'Guest 200 mL']);
  await page.getByRole('link', { name: /^Session of/ }).click();
  await page.getByRole('heading', { name: 'Who drank how much' }).waitFor();
});

test('a drinker adds a shout and a picture to an own drink, not to the drink of somebody else', async () => {
  const page = await open('/drinks/1', 'bert');
  await page.getByLabel('Comment').fill('First of the day');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('blockquote').getByText('First of the day').waitFor();
  await page
    .getByLabel('Add picture')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await page.getByRole('img', { name: 'Picture of the drink' }).waitFor();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByRole('img', { name: 'Picture of the drink' }).waitFor({ state: 'detached' });
  await page.goto(`${bar.daemon.url}/drinks/3`);
  await heading(page, /^250\smL/).waitFor();
  expect(await page.getByLabel('Comment').count()).toBe(0);
});

test('staff correct a drink from its page, and undo it there', async () => {
  const id = await addDrink(bar, { ml: 330, username: 'carla', time: yesterday('11:20:00') });
  const page = await open(`/drinks/${id}`, 'anna');
  await page.getByRole('button', { name: 'Correct', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '300 mL' }).click();
  await heading(page, /^300\smL/).waitFor();
  await page.getByText('Volume: 330 mL → 300 mL').waitFor();
  await page.getByText(/^anna · /).waitFor();
  await page.getByRole('button', { name: /^Undo.*Changed/i }).click();
  await heading(page, /^330\smL/).waitFor();
  await bar.callApi('DELETE', `drinks/${id}`);
  // The page of a deleted drink says so.
  await page.getByText('This drink does not exist or was deleted.').waitFor();
});

test('a measured pour shows how it flowed', async () => {
  await bar.callApi('POST', 'simulator/pulses', { meter: 'pi.flow0', ticks: 600, hz: 600 });
  const newest = async () =>
    (await bar.callApi<{ drinks: { id: number; source: string }[] }>('GET', 'drinks?limit=1')).drinks[0]!;
  await expect.poll(async () => (await newest()).source, { timeout: 10_000 }).toBe('pin');
  const page = await open(`/drinks/${(await newest()).id}`);
  await page.getByText('Counted by the meter: 600 ticks.').waitFor();
  await page.getByRole('img', { name: /^Flow during the pour/ }).waitFor();
  await page.getByText('As a table').click();
  await page.getByRole('cell', { name: /mL\/s/ }).first().waitFor();
});

test('a session shows who drank how much of which keg, its pictures, and whether it still runs', async () => {
  const page = await open('/sessions/1');
  await heading(page, /^Session of /).waitFor();
  await page.getByText(/Started .*Last drink .*Ended /).waitFor();
  expect(await rows(page, 'Who drank how much')).toEqual([
    'bert 2 drinks 700 mL',
    'carla 1 drink 250 mL',
    'Guest 1 drink 200 mL',
  ]);
  const kegs = await rows(page, 'Kegs');
  expect(kegs.map((row) => row.replace(/^.* (\d+ drinks?)/, '$1'))).toEqual([
    '3 drinks 900 mL',
    '1 drink 250 mL',
  ]);
  await page.getByRole('img', { name: /^Poured in the session over time/ }).waitFor();
  await page.getByRole('img', { name: 'Picture of the drink' }).click();
  await heading(page, /^400\smL/).waitFor();

  await addDrink(bar, { ml: 220, username: 'carla', time: new Date(Date.now() - 60_000).toISOString() });
  await page.goto(`${bar.daemon.url}/sessions`);
  await page
    .getByRole('link', { name: /^Session of/ })
    .first()
    .click();
  await page.getByText(/Still open: ends .* unless somebody pours/).waitFor();
});

test('a drinker’s page shows totals, favourites, sessions and the largest pour', async () => {
  const page = await open('/drinkers/BERT');
  await heading(page, 'bert').waitFor();
  const totals = await page.locator('.totals').innerText();
  expect(totals.replace(/\s+/g, ' ')).toMatch(/700\smL.*2 .*350\smL.*400\smL/);
  expect((await rows(page, 'Favourites')).map((row) => row.replace(/^.*?([\d.]+ m?L)$/, '$1'))).toEqual([
    '700 mL',
  ]);
  expect((await rows(page, 'Sessions'))[0]).toMatch(/700\smL of 1\.\d L/);
  await page.getByRole('img', { name: 'By weekday' }).waitFor();
  expect(await page.getByRole('list', { name: 'Latest drinks' }).getByRole('listitem').count()).toBe(2);
  await page.locator('.totals').getByRole('link', { name: '400 mL' }).click();
  await heading(page, /^400\smL/).waitFor();
  await page.goto(`${bar.daemon.url}/drinkers/anna`);
  await page.getByText('No drinks yet.').waitFor();
});

test('a site that hides who poured shows names to nobody, and people their own page', async () => {
  await bar.callApi('PATCH', 'site', { enable_users: false });
  try {
    const guest = await open('/drinkers/bert');
    await guest.getByText('This bar does not show who poured.').waitFor();
    for (const path of ['/drinks/2', '/sessions/1', '/kegs/1', '/activity', '/drinks']) {
      await guest.goto(bar.daemon.url + path);
      await guest
        .getByText(/400\smL|0\.9\sL/)
        .first()
        .waitFor();
      expect(await guest.getByText(/bert|carla/).count(), path).toBe(0);
      expect(await guest.getByText('Who drank how much').count()).toBe(0);
    }
    const own = await open('/drinkers/bert', 'bert');
    await own.getByRole('heading', { name: 'Favourites' }).waitFor();
    await own.goto(`${bar.daemon.url}/drinkers/carla`);
    await own.getByText('This bar does not show who poured.').waitFor();
  } finally {
    await bar.callApi('PATCH', 'site', { enable_users: true });
  }
});

test.each([
  ['members', 'carla', true],
  ['staff', 'carla', false],
  ['staff', 'anna', true],
])('with the visibility %s, guests see no drinker and %s sees: %s', async (privacy, user, isShown) => {
  await setPrivacy(bar.daemon.url, privacy);
  try {
    for (const path of ['/drinkers/bert', '/drinks/2', '/sessions/1', '/activity']) {
      const guest = await open(path);
      await guest.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await guest.getByText('400 mL').count(), path).toBe(0);
    }
    const page = await open('/drinkers/bert', user);
    if (isShown) await page.getByRole('heading', { name: 'Favourites' }).waitFor();
    else await page.locator('main').first().waitFor();
    expect(await page.getByText('Favourites').count()).toBe(isShown ? 1 : 0);
  } finally {
    await setPrivacy(bar.daemon.url, 'public');
  }
});

test('the level of a keg puts a pour that was recorded late at its own time', async () => {
  await addDrink(bar, { tap: 2, ml: 500, time: yesterday('10:15:00') });
  const page = await open('/kegs/2');
  await page.getByRole('img', { name: /^Level of the keg/ }).waitFor();
  await page.getByText('As a table').click();
  const times = await page.getByRole('rowheader').allInnerTexts();
  const late = times.findIndex((time) => /1[12]:15/.test(time));
  const first = times.findIndex((time) => /1[23]:00/.test(time));
  expect(late).toBeGreaterThan(0);
  expect(first).toBeGreaterThan(late);
});

test('the activity lists events with pictures by their time, filters them by kind, and pages', async () => {
  const page = await open('/activity');
  const list = page.getByRole('list', { name: 'Activity' });
  await list.getByRole('link', { name: /^400\smL/ }).waitFor();
  await list.getByRole('img', { name: 'Picture of the drink' }).waitFor();
  await list.getByText('Prost!').waitFor();
  const times = await list
    .locator('time')
    .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')!));
  expect(times).toEqual([...times].sort().reverse());
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Tapped kegs');
  await list
    .getByText(/^Keg tapped: /)
    .first()
    .waitFor();
  await list.getByRole('link', { name: /^400\smL/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('option', { name: 'Bookings by staff' }).count()).toBe(0);

  for (let added = 0; added < 52; added += 1)
    await addDrink(bar, { ml: 20, time: new Date(Date.now() - added * 10_000).toISOString() });
  await page.goto(`${bar.daemon.url}/activity?kind=drink_poured`);
  await list.getByRole('listitem').first().waitFor();
  await expect
    .poll(async () => {
      const more = page.getByRole('button', { name: 'Show more' });
      if ((await more.count()) > 0) await more.scrollIntoViewIfNeeded();
      return list.getByRole('listitem').count();
    })
    .toBeGreaterThan(55);
});

test('staff undo their bookings from the activity', async () => {
  const id = await addDrink(bar, { ml: 123, username: 'carla', time: new Date().toISOString() });
  await bar.callApi('PATCH', `drinks/${id}`, { volume_ml: 150 });
  const page = await open('/activity', 'anna');
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Bookings by staff');
  const list = page.getByRole('list', { name: 'Bookings by staff' });
  await list.getByRole('listitem').nth(1).waitFor();
  await list.getByRole('listitem').first().getByRole('button', { name: /^Undo/ }).click();
  await expect
    .poll(
      async () =>
        (await bar.callApi<{ drink: { volume_ml: number } }>('GET', `drinks/${id}`)).drink.volume_ml,
    )
    .toBe(123);
  // Adding the drink is taken back too.
  await list
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="/drinks/${id}"]`) })
    .last()
    .getByRole('button', { name: /^Undo/ })
    .click();
  await expect.poll(async () => (await fetch(`${bar.daemon.url}/api/drinks/${id}`)).status).toBe(404);
});

test.each([
  ['/drinks/9999', 'This drink does not exist or was deleted.', 'Show all drinks'],
  ['/drinks/soap', 'This drink does not exist or was deleted.', 'Show all drinks'],
  ['/sessions/9999', 'This session does not exist.', 'Show all sessions'],
  ['/kegs/9999', 'Keg not found.', 'Show all kegs'],
  ['/drinkers/nobody-here', 'There is no drinker “nobody-here”.', 'Show all drinks'],
])('%s says that there is no such thing, with one way on', async (path, sentence, action) => {
  const page = await open(path);
  await page.getByText(sentence).waitFor();
  expect(await page.locator('main a.button').count()).toBe(1);
  await page.getByRole('link', { name: action }).click();
  await page.getByText(sentence).waitFor({ state: 'detached' });
});

test.each([
  ['light', 390],
  ['dark', 390],
  ['light', 1440],
  ['dark', 1440],
] as const)('the pages are accessible and fit, %s at %i', async (colorScheme, width) => {
  const viewport = { width, height: 900 };
  const page = await open('/', 'anna', { viewport, colorScheme });
  for (const path of ['/drinks/2', '/drinks/9999', '/drinkers/bert', '/sessions/1', '/kegs/1', '/activity']) {
    await page.goto(bar.daemon.url + path);
    await page
      .getByText(/\d\smL|does not exist/)
      // The first volume may stand in a table that is closed.
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await axeOn(page), path).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
  }
});

import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';
import { axeOn } from './kit/axe.ts';
import { logIn, recordDrinks } from './kit/staff.ts';

const pin = '4719';
/** The left tap has a valve. */
const valveBar = {
  ...quickBar,
  toggles: [{ port: 'relay0', pin: 24 }],
  taps: [{ ...quickBar.taps[0], toggle: 'relay0' }, quickBar.taps[1]],
};

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
/** Page of Anna's own device. */
let annaPage: Page;
/** Page of the shared tablet. */
let tablet: Page;
const browserErrors: string[] = [];

async function newDevice(): Promise<Page> {
  const page = await (
    await browser.newContext({ locale: 'en-GB', viewport: { width: 1024, height: 768 }, hasTouch: true })
  ).newPage();
  page.setDefaultTimeout(8_000);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  return page;
}

const addStaff = (name: string) =>
  runCommand(['user', 'add', name, '--staff', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(valveBar);
  daemon = await startDaemon(bar);
  await addStaff('anna');
  await addStaff('carl');
  [annaPage, tablet] = [await newDevice(), await newDevice()];
  await logIn(annaPage, daemon.url);
  await recordDrinks(annaPage, 3);
});
afterAll(async () => {
  await browser.close();
  await daemon.kill();
  bar.remove();
});

async function setPin(page: Page, digits: string, again = digits) {
  await page.goto(`${daemon.url}/account`);
  const card = page.getByRole('region', { name: 'PIN for shared tablets' });
  await card.getByLabel('PIN, 4 to 8 digits').fill(digits);
  await card.getByLabel('Repeat PIN').fill(again);
  await card.getByLabel('Your password').fill('a good long password');
  await card.getByRole('button', { name: 'Save PIN' }).click();
  return card;
}

const enterPin = async (digits: string) => {
  for (const digit of digits) await tablet.getByRole('button', { name: digit, exact: true }).click();
  await tablet.getByRole('button', { name: 'OK' }).click();
};
const pinBanner = () => tablet.getByText(/Signed in as/);

/** Latest entries of the audit log: action, user, way and tablet. */
async function auditEntries(): Promise<readonly string[]> {
  const text = await annaPage.evaluate(async () => (await fetch('api/audit?limit=20')).text());
  const { entries } = JSON.parse(text).result as {
    entries: readonly { action: string; user_id: string; via: string; tablet: string | null }[];
  };
  return entries.map((entry) => `${entry.action} ${entry.user_id} ${entry.via} ${entry.tablet}`);
}

test('a PIN is set; a simple one and one that is repeated differently are rejected', async () => {
  let card = await setPin(annaPage, '1234');
  await card.getByText('must not be digits in a row').first().waitFor();
  card = await setPin(annaPage, pin, '4718');
  await card.getByText('does not match').first().waitFor();
  card = await setPin(annaPage, pin);
  await card.getByText('You have a PIN.').waitFor();
});

test('a device becomes a shared tablet, and its user is logged out', async () => {
  await logIn(tablet, daemon.url, 'carl');
  await tablet.goto(`${daemon.url}/account`);
  await tablet.getByLabel('Name of this device').fill('Bar left');
  await tablet.getByRole('button', { name: 'Use this device as a shared tablet' }).click();
  await tablet.getByText('This device is the shared tablet “Bar left”.').waitFor();
  await tablet.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await tablet.getByText('People', { exact: true }).count()).toBe(0);
});

test('a drink is corrected on the tablet with Anna’s PIN', async () => {
  await tablet.goto(daemon.url);
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('textbox', { name: 'PIN of anna' }).waitFor();
  await enterPin('0471');
  await tablet.getByText('Wrong name or PIN.').waitFor();
  await enterPin(pin);
  await pinBanner().waitFor();
  await tablet.getByText('One wrong PIN was entered before.').waitFor();
  expect((await auditEntries())[0]).toBe('drink.cancelled anna tablet Bar left');
});

test('the audit log shows user and tablet', async () => {
  await annaPage.goto(`${daemon.url}/audit`);
  await annaPage.getByText('anna · by PIN on “Bar left”').first().waitFor();
});

test('the PIN unlock also covers the next action', async () => {
  await tablet.locator('.tap-manage').first().click();
  await tablet.getByRole('button', { name: '300 mL', exact: true }).click();
  await tablet.getByText('Drink added.').waitFor();
  expect((await auditEntries())[0]).toMatch(/ anna tablet Bar left$/);
});

test('a valve is opened and closed; a tap without valve offers neither', async () => {
  const dialog = tablet.getByRole('dialog');
  const valve = dialog.getByRole('group', { name: 'Valve' });
  const right = tablet.waitForResponse(/\/api\/taps\/2$/);
  await tablet.locator('.tap-manage').nth(1).click();
  expect((await (await right).json()).result.tap.toggle_id).toBeNull();
  await dialog.getByRole('group', { name: 'Next beer' }).waitFor();
  expect(await valve.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await tablet.locator('.tap-manage').first().click();
  await valve.getByRole('button', { name: 'Open for 3 min' }).click();
  await tablet.getByText('Left open for 3 min.').waitFor();
  expect((await auditEntries())[0]).toBe('toggle.opened anna tablet Bar left');
  await tablet.locator('.tap-manage').first().click();
  await valve.getByText(/Opened by staff · closes in 1[678]\d s/).waitFor();
  await valve.getByRole('button', { name: 'Close valve' }).click();
  await tablet.getByText('Left closed.').waitFor();
  expect((await auditEntries())[0]).toBe('toggle.closed anna tablet Bar left');
});

const pinDialog = () => tablet.getByRole('dialog', { name: 'PIN of anna' });
const rejectedValveRequest = () =>
  tablet.waitForResponse((reply) => /valves$/.test(reply.url()) && !reply.ok());

test('a background request never prompts for a PIN, even when it is rejected', async () => {
  await tablet.locator('.tap-manage').first().click();
  const dialog = tablet.getByRole('dialog');
  await dialog.getByText('Valve', { exact: true }).waitFor();
  // Ends the PIN unlock, as another page of this tablet would.
  await tablet.evaluate(async () => void (await fetch('api/tablet/pin-unlock', { method: 'DELETE' })));
  for (let polls = 0; polls < 2; polls++) await rejectedValveRequest();
  expect(await pinDialog().count()).toBe(0);
  await pinBanner().waitFor();
  await dialog.getByRole('button', { name: 'Open for 1 min' }).click();
  await pinDialog().waitFor();
  await enterPin(pin);
  await tablet.getByText('Left open for 1 min.').waitFor();
  expect((await auditEntries())[0]).toBe('toggle.opened anna tablet Bar left');
  await tablet.locator('.tap-manage').first().click();
  await dialog.getByRole('button', { name: 'Close valve' }).click();
  await tablet.getByText('Left closed.').waitFor();
});

test('a late rejection does not end a newer PIN unlock', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  let releaseReply = () => {};
  const released = new Promise<void>((resolve) => {
    releaseReply = resolve;
  });
  const delayDelete = async (route: Route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  };
  const drinkUrl = /\/api\/drinks\/\d+/;
  await tablet.route(drinkUrl, delayDelete);
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await tablet.locator('.tap-manage').first().click();
  await tablet.getByRole('button', { name: '300 mL', exact: true }).click();
  await pinDialog().waitFor();
  await enterPin(pin);
  await tablet.getByText('Drink added.').waitFor();
  releaseReply();
  await expect.poll(async () => (await auditEntries())[0]).toBe('drink.cancelled anna tablet Bar left');
  expect(await pinDialog().count()).toBe(0);
  await pinBanner().waitFor();
  await tablet.unroute(drinkUrl, delayDelete);
});

test('after Done the tablet prompts again, and closing the prompt changes nothing', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  await pinBanner().waitFor({ state: 'detached' });
  const before = await auditEntries();
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('heading', { name: 'PIN of anna' }).waitFor();
  await tablet.getByRole('dialog', { name: 'PIN of anna' }).getByRole('button', { name: 'Close' }).click();
  await tablet.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  expect(await auditEntries()).toEqual(before);
});

test('the held pours prompt once, and not again when another pour is held', async () => {
  await tablet.goto(`${daemon.url}/held`);
  await pinDialog().getByRole('button', { name: 'Close' }).click();
  await tablet.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  // 200 mL/s is too fast, so the pour is held.
  await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow1', ticks: 1_000, hz: 1_000 }),
  });
  await tablet.getByRole('button', { name: '1 notice', exact: true }).waitFor();
  // Earlier requests of the page have been answered when this one is.
  await tablet.evaluate(async () => void (await fetch('api/held-pours')));
  expect(await pinDialog().count()).toBe(0);
  await tablet.goto(daemon.url);
});

test.each(['light', 'dark'] as const)('axe finds no violation in the PIN dialog, %s', async (colorScheme) => {
  const context = await browser.newContext({
    locale: 'en-GB',
    colorScheme,
    reducedMotion: 'reduce',
    storageState: await tablet.context().storageState(),
  });
  const page = await context.newPage();
  await page.goto(daemon.url);
  await page.locator('.drink-correct').first().click();
  await page.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await page.getByRole('textbox', { name: 'PIN of anna' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await context.close();
});

test('the next keg is announced by PIN, and a valve is not opened without one', async () => {
  await tablet.goto(daemon.url);
  await tablet.locator('.tap-manage').first().click();
  const dialog = tablet.getByRole('dialog').filter({ hasText: 'Next beer' });
  await dialog.getByRole('button', { name: 'Open for 1 min' }).click();
  await pinDialog().waitFor();
  const cancelled = (await pinDialog().elementHandle())!;
  await pinDialog().getByRole('button', { name: 'Close' }).click();
  await dialog.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  expect((await auditEntries())[0]).toBe('drink.cancelled anna tablet Bar left');
  await dialog.getByRole('combobox', { name: 'Choose a beer' }).click();
  await dialog.getByRole('option').first().click();
  const picker = dialog.getByRole('group', { name: 'Next beer' });
  await picker.getByRole('button', { name: 'Save', exact: true }).click();
  await pinDialog().waitFor();
  // The browser may report only now that the first dialog was closed.
  await cancelled.dispatchEvent('close');
  await enterPin(pin);
  await pinBanner().waitFor();
  await tablet.locator('.tap-next').first().waitFor();
  expect((await auditEntries())[0]).toBe('tap.next_set anna tablet Bar left');
  await dialog.getByRole('button', { name: 'None' }).click();
  await tablet.locator('.tap-next').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await tablet.getByRole('button', { name: 'Done' }).click();
});

test.each(['light', 'dark'] as const)('axe finds no violation in the tap dialog, %s', async (colorScheme) => {
  const context = await browser.newContext({
    locale: 'de-DE',
    colorScheme,
    reducedMotion: 'reduce',
    storageState: await tablet.context().storageState(),
  });
  const page = await context.newPage();
  await page.goto(daemon.url);
  await page.locator('.tap-manage').first().click();
  await page.getByRole('group', { name: 'Ventil' }).getByText('3 min öffnen').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await context.close();
});

test('with two users the tablet asks for the name first, and the PIN can be typed on a keyboard', async () => {
  const carlPage = await newDevice();
  await logIn(carlPage, daemon.url, 'carl');
  await setPin(carlPage, '8264');
  await carlPage.getByText('You have a PIN.').waitFor();
  await tablet.goto(daemon.url);
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Choose a person' }).click();
  await tablet.getByRole('button', { name: 'carl' }).click();
  await tablet.getByRole('textbox', { name: 'PIN of carl' }).fill('8264');
  await tablet.keyboard.press('Enter');
  await pinBanner().waitFor();
  await tablet.getByRole('button', { name: 'anna', exact: true }).click();
  await tablet.getByText('Assigned to anna.').waitFor();
  expect((await auditEntries())[0]).toBe('drink.reassigned carl tablet Bar left');
});

test('after five wrong PINs the tablet shows how long it is locked', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('button', { name: 'carl' }).click();
  for (let i = 0; i < 5; i++) {
    await enterPin('0471');
    await tablet.locator('.pin-form[aria-busy="false"]').waitFor();
  }
  await enterPin('8264');
  await tablet.getByText(/Too many wrong PINs. Try again in \d+ seconds./).waitFor();
});

test('a removed tablet has no staff functions', async () => {
  await annaPage.goto(`${daemon.url}/account`);
  await annaPage.getByRole('button', { name: 'Remove Bar left' }).click();
  await annaPage.getByText('Tablet removed.').waitFor();
  await tablet.goto(daemon.url);
  await tablet.locator('.drink').first().waitFor();
  expect(await tablet.locator('.drink-correct').count()).toBe(0);
  expect(browserErrors).toEqual([]);
});

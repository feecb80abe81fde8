import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { confirmPassword, logIn } from '../kit/staff.ts';
import { startTabletBar, type TabletBar, tabletPin } from '../kit/tablet-bar.ts';

let shared: TabletBar;
/** Page of Anna's own device. */
let annaPage: Page;
/** Page of the shared tablet. */
let tablet: Page;

beforeAll(async () => {
  shared = await startTabletBar();
  ({ annaPage, tablet } = shared);
});
afterAll(() => shared.close());

test('a PIN is set; a simple one and one that is repeated differently are rejected', async () => {
  let card = await shared.setPin(annaPage, '1234');
  await card.getByText('must not be digits in a row').first().waitFor();
  card = await shared.setPin(annaPage, tabletPin, '4718');
  await card.getByText('does not match').first().waitFor();
  card = await shared.setPin(annaPage, tabletPin);
  await card.getByText('You have a PIN.').waitFor();
});

test('a device becomes a shared tablet, and its user is logged out', async () => {
  await shared.shareTablet();
  await tablet.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await tablet.getByText('People', { exact: true }).count()).toBe(0);
});

test('a drink is corrected on the tablet with Anna’s PIN, and nothing moves while she is signed in', async () => {
  await tablet.goto(shared.url);
  const places = () =>
    tablet
      .locator('article, .drink')
      .evaluateAll((parts) => parts.slice(0, 2).map((part) => Math.round(part.getBoundingClientRect().top)));
  await tablet.locator('.drink-correct').first().waitFor();
  const before = await places();
  expect(before).toHaveLength(2);
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('textbox', { name: 'PIN of anna' }).waitFor();
  await shared.enterPin('0471');
  await tablet.getByText('Wrong name or PIN.').waitFor();
  await shared.enterPin(tabletPin);
  await shared.pinBanner().waitFor();
  await tablet.getByText('One wrong PIN was entered before.').waitFor();
  expect(await places()).toEqual(before);
  expect(await shared.newestEntry()).toBe('drink.spilled anna tablet Bar left');
});

test('the audit log shows user and tablet', async () => {
  await annaPage.goto(`${shared.url}/audit`);
  await annaPage.getByText('anna · by PIN on “Bar left”').first().waitFor();
});

test('the PIN unlock also covers the next action', async () => {
  await tablet.locator('.tap-manage').first().click();
  await tablet.getByRole('button', { name: '300 mL', exact: true }).click();
  await tablet.getByText('Drink added.').waitFor();
  expect(await shared.newestEntry()).toMatch(/ anna tablet Bar left$/);
});

test('a late rejection does not end a newer PIN unlock', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  // Without the message of the drink that was added before.
  await tablet.goto(shared.url);
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
  await shared.pinDialog().waitFor();
  await shared.enterPin(tabletPin);
  await tablet.getByText('Drink added.').waitFor();
  releaseReply();
  await expect.poll(shared.newestEntry).toBe('drink.spilled anna tablet Bar left');
  expect(await shared.pinDialog().count()).toBe(0);
  await shared.pinBanner().waitFor();
  await tablet.unroute(drinkUrl, delayDelete);
});

test('after Done the tablet prompts again, and closing the prompt changes nothing', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  await shared.pinBanner().waitFor({ state: 'detached' });
  const before = await shared.newestEntry();
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('heading', { name: 'PIN of anna' }).waitFor();
  await tablet.getByRole('dialog', { name: 'PIN of anna' }).getByRole('button', { name: 'Close' }).click();
  await tablet.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  expect(await shared.newestEntry()).toBe(before);
});

test('the held pours prompt once, and not again when another pour is held', async () => {
  await tablet.goto(`${shared.url}/held`);
  await shared.pinDialog().getByRole('button', { name: 'Close' }).click();
  await tablet.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  // 200 mL/s is too fast, so the pour is held.
  await fetch(`${shared.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow1', ticks: 1_000, hz: 1_000 }),
  });
  await tablet.getByRole('button', { name: '1 notice', exact: true }).waitFor();
  // Earlier requests of the page have been answered when this one is.
  await tablet.evaluate(async () => void (await fetch('api/held-pours')));
  expect(await shared.pinDialog().count()).toBe(0);
  await tablet.goto(shared.url);
});

test('an open alarm is acknowledged on the tablet with Anna’s PIN, and nothing else of alarms is shown there', async () => {
  await annaPage.evaluate(async () => void (await fetch('api/admin/alarm-test', { method: 'POST' })));
  await tablet.goto(`${shared.url}/alarms`);
  await shared.pinDialog().getByRole('button', { name: 'Close' }).click();
  expect(await tablet.getByRole('listitem').filter({ hasText: 'This is a test.' }).count()).toBe(0);
  await tablet.getByRole('button', { name: 'Show with PIN', exact: true }).click();
  await shared.enterPin(tabletPin);
  const alarm = tablet.getByRole('region', { name: 'Open alarms' }).getByRole('listitem');
  await alarm.getByText('This is a test.').waitFor();
  expect(await axeOn(tablet)).toEqual([]);
  await alarm.getByRole('button', { name: /^Acknowledge/ }).click();
  await alarm.getByText('acknowledged by anna').waitFor();
  expect(await shared.newestEntry()).toBe('alarm.acknowledged anna tablet Bar left');
  expect(await tablet.getByRole('region').allInnerTexts()).not.toContainEqual(
    expect.stringMatching(/^Channels/),
  );
  // Whoever comes next sees none of it.
  await tablet.getByRole('button', { name: 'Done', exact: true }).click();
  await tablet.getByRole('button', { name: 'Show with PIN', exact: true }).waitFor();
  expect(await tablet.getByText('This is a test.').count()).toBe(0);
  await annaPage.evaluate(async () => void (await fetch('api/alarms/1/resolve', { method: 'POST' })));
  await tablet.goto(shared.url);
});

test.each(['light', 'dark'] as const)('axe finds no violation in the PIN dialog, %s', async (colorScheme) => {
  const page = await shared.openAs({ colorScheme, locale: 'en-GB' });
  await page.locator('.drink-correct').first().click();
  await page.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await page.getByRole('textbox', { name: 'PIN of anna' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.context().close();
});

test('with two users the tablet asks for the name first, and the PIN can be typed on a keyboard', async () => {
  const carlPage = await shared.newDevice();
  await logIn(carlPage, shared.url, 'carl');
  await shared.setPin(carlPage, '8264');
  await carlPage.getByText('You have a PIN.').waitFor();
  await tablet.goto(shared.url);
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Choose a person' }).click();
  await tablet.getByRole('button', { name: 'carl' }).click();
  await tablet.getByRole('textbox', { name: 'PIN of carl' }).fill('8264');
  await tablet.keyboard.press('Enter');
  await shared.pinBanner().waitFor();
  await tablet.getByRole('button', { name: 'anna', exact: true }).click();
  await tablet.getByText('Assigned to anna.').waitFor();
  expect(await shared.newestEntry()).toBe('drink.reassigned carl tablet Bar left');
});

test('after five wrong PINs the tablet shows how long it is locked', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  await tablet.locator('.drink-correct').first().click();
  await tablet.getByRole('button', { name: 'Mark as spill', exact: true }).click();
  await tablet.getByRole('button', { name: 'carl' }).click();
  for (let i = 0; i < 5; i++) {
    await shared.enterPin('0471');
    await tablet.locator('.pin-form[aria-busy="false"]').waitFor();
  }
  await shared.enterPin('8264');
  await tablet.getByText(/Too many wrong PINs. Try again in \d+ seconds./).waitFor();
});

test('a removed tablet has no staff functions', async () => {
  await annaPage.goto(`${shared.url}/account`);
  await confirmPassword(annaPage);
  await annaPage.getByRole('button', { name: 'Remove Bar left' }).click();
  await annaPage.getByText('Tablet removed.').waitFor();
  await tablet.goto(shared.url);
  await tablet.locator('.drink').first().waitFor();
  expect(await tablet.locator('.drink-correct').count()).toBe(0);
  expect(shared.browserErrors).toEqual([]);
});

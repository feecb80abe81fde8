import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { startTabletBar, type TabletBar, tabletPin } from '../kit/tablet-bar.ts';

let shared: TabletBar;
/** Page of the shared tablet. */
let tablet: Page;

beforeAll(async () => {
  shared = await startTabletBar();
  tablet = shared.tablet;
  await shared.setPin(shared.annaPage, tabletPin);
  await shared.annaPage.getByText('You have a PIN.').waitFor();
  await shared.shareTablet();
  await tablet.goto(shared.url);
});
afterAll(() => shared.close());

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
  await shared.pinDialog().waitFor();
  await shared.enterPin(tabletPin);
  await tablet.getByText('Left open for 3 min.').waitFor();
  expect(await shared.newestEntry()).toBe('toggle.opened anna tablet Bar left');
  await tablet.locator('.tap-manage').first().click();
  await valve.getByText(/Opened by staff · closes in 1[678]\d s/).waitFor();
  await valve.getByRole('button', { name: 'Close valve' }).click();
  await tablet.getByText('Left closed.').waitFor();
  expect(await shared.newestEntry()).toBe('toggle.closed anna tablet Bar left');
});

const rejectedValveRequest = () =>
  tablet.waitForResponse((reply) => /valves$/.test(reply.url()) && !reply.ok());

test('a background request never prompts for a PIN, even when it is rejected', async () => {
  await tablet.locator('.tap-manage').first().click();
  const dialog = tablet.getByRole('dialog');
  await dialog.getByText('Valve', { exact: true }).waitFor();
  // Ends the PIN unlock, as another page of this tablet would.
  await tablet.evaluate(async () => void (await fetch('api/tablet/pin-unlock', { method: 'DELETE' })));
  for (let polls = 0; polls < 2; polls++) await rejectedValveRequest();
  expect(await shared.pinDialog().count()).toBe(0);
  await shared.pinBanner().waitFor();
  await dialog.getByRole('button', { name: 'Open for 1 min' }).click();
  await shared.pinDialog().waitFor();
  await shared.enterPin(tabletPin);
  await tablet.getByText('Left open for 1 min.').waitFor();
  expect(await shared.newestEntry()).toBe('toggle.opened anna tablet Bar left');
  await tablet.locator('.tap-manage').first().click();
  await dialog.getByRole('button', { name: 'Close valve' }).click();
  await tablet.getByText('Left closed.').waitFor();
});

test('the next keg is announced by PIN, and a valve is not opened without one', async () => {
  await tablet.getByRole('button', { name: 'Done' }).click();
  const before = await shared.newestEntry();
  await tablet.locator('.tap-manage').first().click();
  const dialog = tablet.getByRole('dialog').filter({ hasText: 'Next beer' });
  await dialog.getByRole('button', { name: 'Open for 1 min' }).click();
  await shared.pinDialog().waitFor();
  const cancelled = (await shared.pinDialog().elementHandle())!;
  await shared.pinDialog().getByRole('button', { name: 'Close' }).click();
  await dialog.getByText('This needs a PIN: choose your name and enter your PIN.').waitFor();
  expect(await shared.newestEntry()).toBe(before);
  await dialog.getByRole('combobox', { name: 'Choose a beer' }).click();
  await dialog.getByRole('option').first().click();
  const picker = dialog.getByRole('group', { name: 'Next beer' });
  await picker.getByRole('button', { name: 'Save', exact: true }).click();
  await shared.pinDialog().waitFor();
  // The browser may report only now that the first dialog was closed.
  await cancelled.dispatchEvent('close');
  await shared.enterPin(tabletPin);
  await shared.pinBanner().waitFor();
  await tablet.locator('.tap-next').first().waitFor();
  expect(await shared.newestEntry()).toBe('tap.next_set anna tablet Bar left');
  await dialog.getByRole('button', { name: 'None' }).click();
  await tablet.locator('.tap-next').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await tablet.getByRole('button', { name: 'Done' }).click();
});

test.each(['light', 'dark'] as const)('axe finds no violation in the tap dialog, %s', async (colorScheme) => {
  const page = await shared.openAs({ colorScheme, locale: 'de-DE' });
  await page.locator('.tap-manage').first().click();
  await page.getByRole('group', { name: 'Ventil' }).getByText('3 min öffnen').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.context().close();
});

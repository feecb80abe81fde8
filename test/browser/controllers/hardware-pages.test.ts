import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

const probe = '28-00000a1b2c01';
const password = 'a good long password';

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({
    role: 'superuser',
    timeoutMs: 20_000,
    settings: {
      taps: [
        { name: 'Left', meter: 'flow0', thermo: probe },
        { name: 'Right', meter: 'flow1' },
      ],
    },
    prepare({ path }) {
      mkdirSync(join(path, 'w1', probe), { recursive: true });
      writeFileSync(
        join(path, 'w1', probe, 'w1_slave'),
        '44 00 4b 46 7f ff 0c 10 d8 : crc=d8 YES\n44 00 4b 46 7f ff 0c 10 d8 t=4250\n',
      );
    },
  });
  page = bar.page;
});
afterAll(() => bar.close());

const open = async (path: string, title: string) => {
  await page.goto(`${bar.daemon.url}${path}`);
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
};
const dialog = () => page.getByRole('dialog');
const undoToast = () => page.getByRole('status').getByRole('button', { name: 'Undo' }).click();

/** Looks at the page at the width of a phone and of a desktop, in both themes. */
async function requireAccessible(name: string) {
  for (const [width, scheme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeOn(page), `${name} at ${width}`).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
    const folder = process.env.TAPSTER_SCREENSHOTS;
    if (folder !== undefined)
      await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
}

test('a thermometer gets a name, a place, taps and an offset, and undo takes them back', async () => {
  await open('/thermometers', 'Thermometers');
  await page.getByText('4.2 °C', { exact: false }).or(page.getByText('4.3 °C')).first().waitFor();
  await page.getByRole('button', { name: `Edit ${probe}` }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Left probe');
  await dialog().getByRole('checkbox', { name: 'Right' }).check();
  await dialog().getByLabel('Fridge or other place').fill('Keg fridge');
  await dialog()
    .getByLabel(/^Offset/)
    .fill('12');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('must be from -10 to 10').waitFor();
  await dialog()
    .getByLabel(/^Offset/)
    .fill('-0,5');
  await requireAccessible('thermometer-dialog');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Left probe' }).waitFor();
  await page.getByText('Left, Right, Keg fridge').waitFor();
  await page.getByText('offset -0.5 °C', { exact: false }).waitFor();
  await page.getByText('Last 24 hours').click();
  await requireAccessible('thermometers');
  await undoToast();
  await page.getByRole('heading', { name: probe }).waitFor();
});

test('a thermometer is edited only once its taps are known, so that saving never removes them', async () => {
  let sendTaps = () => {};
  const released = new Promise<void>((resolve) => {
    sendTaps = resolve;
  });
  await page.route('**/api/taps', async (route) => {
    await released;
    await route.continue();
  });
  const sensors = page.waitForResponse('**/api/thermo-sensors**');
  await open('/thermometers', 'Thermometers');
  await (await sensors).finished();
  expect(await page.getByRole('button', { name: `Edit ${probe}` }).count()).toBe(0);
  sendTaps();
  await page.getByRole('button', { name: `Edit ${probe}` }).click();
  expect(await dialog().getByRole('checkbox', { name: 'Left' }).isChecked()).toBe(true);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/api/taps');
});

test('the thermometer of a tap is chosen in its editor, and undo takes it back', async () => {
  const chosen = async () => (await tapTwo()).thermo_sensor_id;
  await open('/taps/2/edit', 'Right');
  const select = page.getByRole('combobox', { name: 'Thermometer', exact: true });
  const option = select.locator('option', { hasText: probe });
  await option.waitFor({ state: 'attached' });
  await select.selectOption((await option.getAttribute('value'))!);
  await page.getByText('Saved.').waitFor();
  expect(await chosen()).not.toBeNull();
  await undoToast();
  await expect.poll(chosen).toBeNull();
});

test('a deleted thermometer comes back with undo', async () => {
  await open('/thermometers', 'Thermometers');
  await page.getByRole('button', { name: `Delete ${probe}` }).click();
  await page.getByText('No thermometers found.').waitFor();
  await undoToast();
  await page.getByRole('heading', { name: probe }).waitFor();
  await page.getByText('Left', { exact: true }).waitFor();
});

test('a meter gets a name and notes, is removed from its tap and put back', async () => {
  await open('/meters', 'Meters and controllers');
  await page.getByRole('button', { name: 'Edit pi.flow0' }).click();
  await dialog().getByLabel(/^Name/).fill('Meter left');
  await dialog().getByLabel('Notes').fill('Behind the panel');
  await dialog().getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Meter left' });
  await row.getByText('Behind the panel').waitFor();
  await row.getByRole('link', { name: 'Calibrate Left' }).waitFor();
  await row.getByRole('button', { name: 'Remove from tap: Meter left' }).click();
  await row.getByText('Not assigned to a tap').waitFor();
  await undoToast();
  await row.getByText('Left', { exact: true }).waitFor();
  await requireAccessible('meters');
});

test('a meter of the settings file is fixed, and its ticks are counted live', async () => {
  await open('/hardware', 'Pins and relays');
  const row = page.getByRole('listitem').filter({ hasText: 'pi.flow0' });
  await row.getByText('Set in the settings file.').waitFor();
  await row.getByText('GPIO 17 · header pin 11').waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
  await bar.pour(8, 200);
  await row.getByText('40 ticks').waitFor();
});

test('a superuser adds a relay on a free pin, tests it, and undoes it', async () => {
  await open('/hardware', 'Pins and relays');
  await page.getByRole('button', { name: 'Add relay' }).click();
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  await dialog().getByText('Choose a pin.').first().waitFor();
  expect(
    await dialog()
      .getByRole('radio', { name: /GPIO 17/ })
      .count(),
  ).toBe(0);
  await dialog()
    .getByRole('radio', { name: /GPIO 23.*header pin 16/ })
    .check();
  await requireAccessible('pin-dialog');
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  await confirmPassword();
  const row = page.getByRole('listitem').filter({ hasText: 'pi.relay0' });
  await row.getByText('GPIO 23 · header pin 16').waitFor();
  await row.getByRole('button', { name: 'Test pi.relay0 for 2 s' }).click();
  await page.getByText('closes by itself after 2 s').waitFor();
  const isOpen = async () =>
    (await page.evaluate(async () => (await fetch('api/admin/valves')).json())).result.valves.length > 0;
  await expect.poll(isOpen, { timeout: 10_000 }).toBe(false);
  await requireAccessible('pins');

  // The valve of a tap is one of the relays.
  await open('/taps/2/edit', 'Right');
  const valve = page.getByRole('combobox', { name: 'Valve', exact: true });
  const option = valve.locator('option', { hasText: 'pi.relay0' });
  await option.waitFor({ state: 'attached' });
  await valve.selectOption((await option.getAttribute('value'))!);
  await page.getByText('Saved.').waitFor();
  expect((await tapTwo()).toggle_id).not.toBeNull();
  await undoToast();
  await expect.poll(async () => (await tapTwo()).toggle_id).toBeNull();
  await open('/hardware', 'Pins and relays');
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await row.waitFor({ state: 'detached' });
  expect(bar.browserErrors).toEqual([]);
});

test('a superuser adds a meter of a model on a free pin', async () => {
  await open('/hardware', 'Pins and relays');
  await page.getByRole('button', { name: 'Add meter' }).click();
  await dialog()
    .getByRole('radio', { name: /GPIO 24/ })
    .check();
  const model = dialog().getByLabel(/^Model/);
  await model.selectOption({ label: 'Digmesa FHKSC 932-9521-B' });
  await dialog().getByText('Too small for a beer tap.').waitFor();
  await model.selectOption({ label: 'YF-S201 and its many clones' });
  await dialog().getByText('Wires: red power, black ground, yellow signal').waitFor();
  await dialog().getByText('1 to 30 L/min · ±10% before calibration · Power 5 to 18 V').waitFor();
  expect(await dialog().getByText('Too small').count()).toBe(0);
  await requireAccessible('add-meter');
  await model.selectOption({ label: 'SwissFlow SF800' });
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  await confirmPassword();
  const row = page.getByRole('listitem').filter({ hasText: 'GPIO 24' });
  await row.getByRole('link', { name: 'Assign to tap' }).waitFor();
  await row.getByRole('button', { name: /^Delete pi\./ }).click();
  await row.waitFor({ state: 'detached' });
  expect(bar.browserErrors).toEqual([]);
});

test('a meter that was taken away comes back from Activity, and only the newest change is offered', async () => {
  await page.goto(`${bar.daemon.url}/audit`);
  const undos = page.getByRole('button', { name: /^Undo: Pin/ });
  await undos.waitFor();
  await undos.click();
  await page.getByText('Undone.', { exact: true }).waitFor();
  await undos.waitFor({ state: 'detached' });
  await open('/hardware', 'Pins and relays');
  await page.getByRole('listitem').filter({ hasText: 'GPIO 24' }).first().waitFor();
  expect(bar.browserErrors).toEqual([]);
});

const tapTwo = async () =>
  (
    await bar.callApi<{
      tap: { readonly toggle_id: number | null; readonly thermo_sensor_id: number | null };
    }>('GET', 'taps/2')
  ).tap;

/** Types the password if the page asks for it; it does so once in five minutes. */
async function confirmPassword() {
  const asked = page.getByRole('dialog', { name: 'Enter your password' });
  const done = page.getByText('Added.');
  await asked.or(done).first().waitFor();
  if ((await asked.count()) === 0) return;
  await asked
    .getByLabel(/password/i)
    .first()
    .fill(password);
  await asked
    .getByLabel(/password/i)
    .first()
    .press('Enter');
  await done.first().waitFor();
}

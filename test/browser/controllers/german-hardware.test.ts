import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

/** Nothing listens on the port 9 of this machine. */
const deadReceiver = 'http://127.0.0.1:9/hook';

let bar: StaffBar;
let page: Page;

beforeAll(async () => {
  bar = await openStaffBar({
    role: 'superuser',
    device: { locale: 'de-DE' },
    timeoutMs: 20_000,
    settings: {
      gpio: { driver: 'cdev', chip: '/dev/no-such-chip' },
      toggles: [{ port: 'relay0', pin: 22 }],
      readers: [{ type: 'serial', port: '/dev/no-such-reader', tap: 'Left' }],
      webhooks: { allow_local: true },
    },
  });
  page = bar.page;
});
afterAll(() => bar.close());

const open = async (path: string) => {
  await page.goto(`${bar.daemon.url}${path}`);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
};
const findEnglish = () => page.locator('main [lang=en]').allInnerTexts();

test('the wiring of lines that cannot be opened is described in German', async () => {
  await open('/wiring');
  const problem = /^\/dev\/no-such-chip \(.*Linux.*\) gibt es nicht: Prüfe gpio\.chip/;
  await expect.poll(() => page.locator('.wires-live').getByText(problem).count()).toBe(2);
  await page.getByRole('list', { name: 'Relais' }).getByText(problem).waitFor();
  await page.locator('main p.soft').getByText(problem).first().waitFor();
  await page
    .getByText(/^An \/dev\/no-such-reader .*Kartenleser/)
    .first()
    .waitFor();
  expect(await findEnglish()).toEqual([]);
});

test('meters and relays on pins have German problems, and pins German uses', async () => {
  await open('/hardware');
  await expect.poll(() => page.getByText('gibt es nicht: Prüfe gpio.chip').count()).toBe(3);
  expect(await findEnglish()).toEqual([]);
});

test('a receiver that is not reached has a German error', async () => {
  await open('/webhooks');
  await page.getByLabel('Webadresse, http oder https').fill(deadReceiver);
  await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Passwort eingeben' });
  await dialog.getByLabel('Passwort').fill('a good long password');
  await dialog.getByRole('button', { name: 'Bestätigen' }).click();
  await page.getByText('Empfänger hinzugefügt.').waitFor();
  await page.getByRole('button', { name: new RegExp(`Testen.*${deadReceiver}`) }).click();
  await page.getByText('127.0.0.1:9 ist nicht erreichbar (ECONNREFUSED).').waitFor();
  expect(await findEnglish()).toEqual([]);
});

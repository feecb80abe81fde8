import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { makeBar, quickBar, startDaemon } from '../../kit/daemon.ts';
import { layoutFaults } from '../kit/fit.ts';
import { answerPasswordDialog } from '../kit/staff.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The texts of a step of the list; a list of which more than half is done is one line, which opens. */
async function openSteps(page: Page, url: string) {
  await page.goto(url);
  await page.getByRole('article').first().waitFor();
  const list = page.getByRole('list', { name: 'First steps' });
  const line = page.locator('summary').filter({ hasText: 'First steps' });
  await line.waitFor();
  if (!(await list.isVisible())) await line.click();
  await list.waitFor();
  return list;
}

test('on a phone in the US a new bar is set up and led through its first day, to the last step', async () => {
  const folder = makeBar({
    ...quickBar,
    meters: [{ port: 'flow0', pin: 17 }],
    taps: [{ name: 'Main Tap', meter: 'flow0' }],
    demo: { kegs: false },
  });
  const daemon = await startDaemon(folder);
  // A name, since the code of the menu never leads to this machine itself.
  const url = daemon.url.replace('127.0.0.1', 'bar.localhost');
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript('window.print = () => { window.printed = true; }');
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);

  // Units, language and time zone are found from the browser.
  await page.goto(url);
  await page
    .getByText('US ounces and pints · °F · US Dollar (USD) · English (United States) · America/Chicago')
    .waitFor();
  await page.getByLabel('Set-up code').fill(daemon.output.match(/Set-up code (\S+)/)![1]!);
  await page.getByLabel('Bar name').fill('Lakeside');
  await page.getByLabel('User name', { exact: true }).fill('jo');
  await page.getByLabel('Password').fill('a good long password');
  await page.getByRole('button', { name: 'Set up Tapster' }).click();
  await page.getByText('0 of 6 done').waitFor();
  const { business } = await page.evaluate(
    async () => (await (await fetch('api/admin/business')).json()).result,
  );
  expect(business.currency).toBe('USD');

  await (await openSteps(page, url)).getByRole('link', { name: 'Name the taps' }).click();
  await page.getByRole('link', { name: /Main Tap/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Left');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByText('Saved.').waitFor();

  await (await openSteps(page, url)).getByRole('button', { name: 'Tap the first keg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New keg' }).click();
  // A half barrel is the usual keg there.
  await dialog.getByRole('button', { name: 'Full (124.0 pints)', exact: true }).waitFor();
  await dialog.getByLabel('Beer').fill('Lake Pils');
  await dialog.getByRole('option', { name: 'New beer “Lake Pils”' }).click();
  await dialog.getByLabel('Brewery').fill('Lakeside Brewing');
  await dialog.getByRole('option', { name: 'New brewery “Lakeside Brewing”' }).click();
  await dialog.getByRole('button', { name: 'Put on tap' }).click();
  await page.getByRole('heading', { name: 'Lake Pils' }).waitFor();

  await (await openSteps(page, url)).getByRole('link', { name: 'Check the wiring while pouring' }).click();
  await page.getByText('No ticks since the start.').waitFor();
  await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ meter: 'pi.flow0', ticks: 1_500, hz: 400 });
    await fetch('api/simulator/pulses', { method: 'POST', headers, body });
  });
  await page.getByText(/ticks since the start, none missed/).waitFor();

  await (await openSteps(page, url)).getByRole('link', { name: 'Calibrate the meters' }).click();
  await page.getByText(/^Pour at least 16\sfl\soz without foam/).waitFor();
  await page.getByText(/1,500 ticks, counted as 18\.6\sfl\soz/).waitFor();
  await page.getByLabel(/^Volume of the pour at .*\(fl oz\)$/).fill('18');
  await page.getByLabel('Record the measured pours as spill').uncheck();
  await page.getByRole('button', { name: /^Use 2\.8\d+ ticks\/mL$/ }).click();
  await page.getByText(/^Meter set to/).waitFor();

  await (await openSteps(page, url)).getByRole('link', { name: 'Invite staff' }).click();
  await page.getByRole('button', { name: 'Add person' }).click();
  await dialog.getByLabel('User name').fill('sam');
  await dialog.getByLabel('New password').fill('another good password');
  await dialog.getByLabel('Staff').check();
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await answerPasswordDialog(page);
  await page.getByRole('link', { name: /sam/ }).first().waitFor();

  await (await openSteps(page, url)).getByRole('link', { name: 'Print the QR code of the menu' }).click();
  await page.getByRole('img', { name: /^QR code of http:\/\/bar\.localhost:\d+\/menu$/ }).waitFor();
  const [saved] = await Promise.all([
    page.waitForResponse(
      (reply) => reply.url().endsWith('/api/site') && reply.request().method() === 'PATCH',
    ),
    page.getByRole('button', { name: 'Print', exact: true }).click(),
  ]);
  expect(saved.ok()).toBe(true);
  expect(await page.evaluate('window.printed')).toBe(true);

  await page.goto(url);
  await page.getByRole('heading', { name: 'Lake Pils' }).waitFor();
  await page
    .getByText(/18\.0\sfl\soz/)
    .first()
    .waitFor();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  expect(await layoutFaults(page)).toEqual([]);
  await context.close();
  await daemon.stop();
  folder.remove();
}, 120_000);

test.each([
  [
    'de-DE',
    'Tapster einrichten',
    'Milliliter und Liter · °C · Euro (EUR) · Deutsch (Deutschland) · Europe/Berlin',
  ],
  [
    'fr-FR',
    'Configurer Tapster',
    'Millilitres et litres · °C · euro (EUR) · français (France) · Europe/Berlin',
  ],
  [
    'es-MX',
    'Configurar Tapster',
    'Mililitros y litros · °C · peso mexicano (MXN) · español (México) · Europe/Berlin',
  ],
  [
    'nl-BE',
    'Tapster instellen',
    'Milliliter en liter · °C · Euro (EUR) · Nederlands (België) · Europe/Berlin',
  ],
])(
  'a browser in %s sets up a bar in its language',
  async (locale, title, defaults) => {
    const folder = makeBar({ ...quickBar, demo: { kegs: false } });
    const daemon = await startDaemon(folder);
    const context = await browser.newContext({
      locale,
      timezoneId: 'Europe/Berlin',
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(daemon.url);
    await page.getByRole('heading', { level: 2, name: title }).waitFor();
    await page.getByText(defaults).waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    const form = page.locator('form').filter({ has: page.locator('[name=code]') });
    await form.locator('[name=code]').fill(daemon.output.match(/Set-up code (\S+)/)![1]!);
    await form.locator('[name=title]').fill('Zur Post');
    await form.locator('[name=username]').fill('jo');
    await form.locator('[name=password]').fill('a good long password');
    await page.getByRole('button', { name: title, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Zur Post' }).waitFor();
    const me = (await (await fetch(`${daemon.url}/api/users/me`)).json()) as { result: { site: object } };
    expect(me.result.site).toMatchObject({
      locale,
      timezone: 'Europe/Berlin',
      volume_display_units: 'metric',
    });
    await context.close();
    await daemon.stop();
    folder.remove();
  },
  60_000,
);

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../kit/browser.ts';
import { type BarFolder, makeBar, quickBar, runCommand, startDaemon } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { logOut, waitForLogin } from '../kit/staff.ts';

const emptyBar = { ...quickBar, demo: { kegs: false } };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('a new site is set up with the code from the console, and is private afterwards', async () => {
  const bar = makeBar(emptyBar);
  const daemon = await startDaemon(bar);
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto(daemon.url);
  await page.getByRole('heading', { name: 'Set up Tapster' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  // Essentials first: what has a default is closed and names its values.
  expect(await page.getByLabel('Visibility').isVisible()).toBe(false);
  await page
    .getByText('UK pints · °C · British Pound (GBP) · English (United Kingdom) · Europe/London · Public')
    .waitFor();
  await page.getByLabel('Set-up code').fill('wrong');
  await page.getByLabel('Bar name').fill('The Bent Spile');
  await page.getByLabel('User name', { exact: true }).fill('anna');
  await page.getByLabel('Password').fill('a good long password');
  await page.getByLabel('E-mail (optional)').fill('anna@bent-spile.example');
  await page.getByText('Units, language, visibility').click();
  await page.getByLabel('Visibility').selectOption('members');
  expect(await page.getByLabel('Registration').inputValue()).toBe('staff-invite-only');
  await page.getByLabel('Registration').selectOption('member-invite-only');
  await page.getByLabel('Volumes').selectOption('us');
  expect(await page.getByLabel('Temperatures').inputValue()).toBe('f');
  await page.getByLabel('Volumes').selectOption('uk');
  expect(await page.getByLabel('Temperatures').inputValue()).toBe('c');
  await page.getByLabel('Time zone').selectOption('Europe/Dublin');
  expect(await page.getByLabel('Currency').inputValue()).toBe('GBP');
  await page.getByLabel('Language and country').selectOption({ label: 'English (Ireland)' });
  // The country decides it, until another is chosen.
  expect(await page.getByLabel('Currency').inputValue()).toBe('EUR');
  expect(await axeOn(page)).toEqual([]);
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Set up Tapster' }).click();
  await page.getByRole('alert').filter({ hasText: /code/i }).waitFor();
  await page.getByLabel('Set-up code').fill(daemon.output.match(/Set-up code (\S+)/)![1]!);
  await page.getByRole('button', { name: 'Set up Tapster' }).click();
  await page.getByRole('heading', { level: 1, name: 'The Bent Spile' }).waitFor();
  const account = await page.evaluate(async () => (await fetch('api/users/me')).json());
  expect(account.result.user.email).toBe('anna@bent-spile.example');
  await logOut(page, 'anna');
  await page.getByText('Only signed-in users can see this page.').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  const me = (await (await fetch(`${daemon.url}/api/users/me`)).json()) as { result: { site: object } };
  expect(me.result.site).toMatchObject({
    privacy: 'members',
    registration_mode: 'member-invite-only',
    volume_display_units: 'uk',
    temperature_display_units: 'c',
    timezone: 'Europe/Dublin',
    locale: 'en-IE',
  });
  expect(readFileSync(bar.configFile, 'utf8')).not.toContain('Spile');
  await context.close();
  await daemon.stop();
  bar.remove();
});

/** Creates a backup of a bar with a staff user; its daemon is stopped afterwards. */
async function createBackup(): Promise<{ readonly path: string; readonly bar: BarFolder }> {
  const bar = makeBar(quickBar);
  const daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  const created = await runCommand(['backup', '--config', bar.configFile]);
  await daemon.stop();
  return { path: created.out.trim(), bar };
}

async function searchBackups(page: Page, code: string) {
  await page.getByRole('button', { name: 'Restore backup' }).click();
  await page.getByLabel('Set-up code').fill(code);
  await page.getByRole('button', { name: 'Look for backups' }).click();
}

test('a backup file is restored during set-up, and its users can log in', async () => {
  const oldBackup = await createBackup();
  const bar = makeBar(emptyBar);
  const daemon = await startDaemon(bar);
  const code = daemon.output.match(/Set-up code (\S+)/)![1]!;
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(daemon.url);
  await searchBackups(page, 'wrong');
  await page.getByRole('alert').filter({ hasText: /code/i }).first().waitFor();
  await page.getByLabel('Set-up code').fill(code);
  await page.getByRole('button', { name: 'Look for backups' }).click();
  await page.getByText('No backup found.').waitFor();

  const restoreButton = page.getByRole('button', { name: 'Restore' });
  await restoreButton.click();
  await page.getByText('Choose a backup.').waitFor();
  const other = join(bar.path, 'menu.tar.gz');
  writeFileSync(other, 'Helles, Pils, Weizen');
  await page.getByLabel(/^Backup file/).setInputFiles(other);
  await restoreButton.click();
  await page.getByRole('alert').filter({ hasText: 'Tapster' }).waitFor();
  await page.getByLabel(/^Backup file/).setInputFiles(oldBackup.path);
  await restoreButton.click();
  await page.getByRole('status').filter({ hasText: 'was restored.' }).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill('a good long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitForLogin(page, 'anna');
  expect(readdirSync(bar.path).filter((name) => name.startsWith('set-aside-'))).toHaveLength(1);
  await page.context().close();
  await daemon.stop();
  bar.remove();
  oldBackup.bar.remove();
}, 180_000);

test('a backup on a USB stick is found and restored without an upload; the choice can be cancelled before', async () => {
  const oldBackup = await createBackup();
  const stick = join(oldBackup.bar.path, 'stick');
  mkdirSync(stick);
  copyFileSync(oldBackup.path, join(stick, basename(oldBackup.path)));
  const bar = makeBar({ ...emptyBar, backups: { copy_to: stick } });
  const daemon = await startDaemon(bar);
  const page = await (
    await browser.newContext({ locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 640 } })
  ).newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(daemon.url);
  await page.getByRole('button', { name: 'Sicherung wiederherstellen' }).click();
  await page.getByRole('button', { name: 'Stattdessen Tapster einrichten' }).click();
  await page.getByRole('heading', { name: 'Tapster einrichten' }).waitFor();
  await page.getByRole('button', { name: 'Sicherung wiederherstellen' }).click();
  await page.getByLabel('Einrichtungscode').fill(daemon.output.match(/Set-up code (\S+)/)![1]!);
  await page.getByRole('button', { name: 'Sicherungen suchen' }).click();
  expect(await page.getByRole('radio').first().isChecked()).toBe(true);
  expect(await axeOn(page)).toEqual([]);
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Wiederherstellen', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'wurde wiederhergestellt' }).waitFor();
  const drinks = await page.evaluate(async () => (await fetch('api/drinks')).status);
  expect(drinks).toBe(200);
  await page.context().close();
  await daemon.stop();
  bar.remove();
  oldBackup.bar.remove();
}, 180_000);

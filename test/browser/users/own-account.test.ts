import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { realScheduler } from '../../../src/daemon/scheduler.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { createServerWithMail, type ServerWithMail } from '../../http/current/server-with-mail.ts';
import { listen } from '../../http/live/streams.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { answerPasswordDialog, confirmPassword, logIn, waitForLogin } from '../kit/staff.ts';

const password = 'a good long password';

let browser: Browser;
let server: ServerWithMail;
let listener: Awaited<ReturnType<typeof listen>>;
const browserErrors: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  server = await createServerWithMail({
    webDirectory: join(import.meta.dirname, '../../../dist/web'),
    // The live stream needs real timers.
    services: { scheduler: realScheduler },
  });
  listener = await listen(server.app);
  for (const name of ['anna', 'bert']) {
    const hashed = await server.engine.users.passwords.hash(password);
    server.engine.users.accounts.setPassword(name, hashed, {
      actor: { userId: null, via: 'daemon' },
      now: server.now(),
    });
  }
});
afterAll(async () => {
  await browser.close();
  await listener.close(0);
  await server.close();
  expect(browserErrors).toEqual([]);
});

/** Opens a new browser profile and logs in; page errors fail the tests. */
async function openAs(name: string, userAgent?: string): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    ...omitUndefined({ userAgent }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => browserErrors.push(error.message));
  await logIn(page, listener.url, name, password);
  return page;
}

test('a new address takes effect when its link is opened', async () => {
  const page = await openAs('bert');
  await page.goto(`${listener.url}/account`);
  await page.getByText('E-mails go to bert@example.org.').waitFor();
  await page.getByLabel('New address').fill('bert at home');
  await page.getByRole('button', { name: 'Send link' }).click();
  await answerPasswordDialog(page);
  await page.locator('[name=email][aria-invalid=true]').fill('bert@new.example');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('A link is being sent to bert@new.example.').waitFor();
  const link = await server.linkTo('bert@new.example', 'Confirm your e-mail address');
  await page.goto(`${listener.url}${link.pathname}`);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('status').filter({ hasText: 'bert@new.example' }).waitFor();
  await page.goto(`${listener.url}/account`);
  await page.getByText('E-mails go to bert@new.example.').waitFor();
  await page.context().close();
});

test('a picture is uploaded when chosen, a file that is no picture is rejected, and it can be removed', async () => {
  const page = await openAs('bert');
  await page.goto(`${listener.url}/account`);
  const fileInput = page.getByLabel('Choose picture');
  await fileInput.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture at all'),
  });
  await page.getByRole('alert').filter({ hasText: 'picture' }).waitFor();
  const buffer = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#d8a23a' } })
    .png()
    .toBuffer();
  await fileInput.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  const picture = page.getByRole('img', { name: 'Your picture' });
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth))
    .toBeGreaterThan(0);
  expect(await axeOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByText('No picture.').waitFor();
  expect(server.engine.users.user('bert')!.mugshot).toBeNull();
  await page.context().close();
});

test('a phone is logged out from another browser', async () => {
  const phone = await openAs('bert', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0');
  const laptop = await openAs('bert');
  await laptop.goto(`${listener.url}/account`);
  await laptop.getByText(/ · this device$/).waitFor();
  await laptop.getByRole('button', { name: 'Sign out: Firefox on Android' }).click();
  await laptop.getByText('Signed out.').waitFor();
  await phone.goto(listener.url);
  await phone.getByRole('link', { name: 'Sign in' }).waitFor();
  await laptop.context().close();
  await phone.context().close();
});

test('staff add a user without a password and mail the activation link again', async () => {
  const page = await openAs('anna');
  await confirmPassword(page);
  await page.goto(`${listener.url}/users`);
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User name', { exact: true }).fill('emil');
  await dialog.getByLabel('E-mail').fill('emil@example.org');
  await dialog.getByLabel(/^Password; leave empty/).waitFor();
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await page.getByText('emil added. A link to choose a password is being sent').waitFor();
  await server.linkTo('emil@example.org', 'Choose your password');

  await page.getByRole('link', { name: 'emil', exact: true }).click();
  const resendButton = page.getByRole('button', { name: 'Send link for first password' });
  await resendButton.click();
  await page.getByRole('alert').filter({ hasText: 'A link was sent recently' }).waitFor();
  expect(await axeOn(page)).toEqual([]);
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + 300_000, wallMs: wallMs + 300_000 });
  await resendButton.click();
  await answerPasswordDialog(page);
  await page.getByText('The e-mail is being sent.').waitFor();
  const link = await server.linkTo('emil@example.org', 'Choose your password');
  await page.goBack();

  await page.getByRole('link', { name: 'bert', exact: true }).click();
  await page.getByText(/Last seen|Not signed in\./).waitFor();
  expect(await resendButton.count()).toBe(0);
  await page.context().close();

  const emil = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await emil.goto(`${listener.url}${link.pathname}`);
  await emil.getByLabel('Password').first().waitFor();
  await emil.context().close();
});

test('staff are told when a new user cannot log in yet, and why', async () => {
  const page = await openAs('anna');
  await confirmPassword(page);
  await page.goto(`${listener.url}/users`);
  const dialog = page.getByRole('dialog');
  const add = async (name: string, fields: Readonly<Record<string, string>>) => {
    await page.getByRole('button', { name: 'Add person' }).click();
    await dialog.getByLabel('User name', { exact: true }).fill(name);
    for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
    await dialog.getByRole('button', { name: 'Add person' }).click();
  };
  await add('gina', {});
  await page.getByText('gina added without a password').waitFor();
  // Behind a proxy the daemon does not know its own address, so it mails no link.
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '10.0.0.1' });
  await add('hugo', { 'E-mail': 'hugo@example.org' });
  await page.getByText('hugo added, but no link was sent.').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await add('ines', { 'E-mail': 'ines@example.org', 'Password; leave empty': 'hop-garden' });
  await page.getByText('ines added.', { exact: true }).waitFor();
  await server.newMails();
  await page.context().close();
});

test('staff invite by mail and by a link that is shown once, and revoke an invitation', async () => {
  const page = await openAs('anna');
  await confirmPassword(page);
  await page.goto(`${listener.url}/users`);
  await page.getByText('No open invitations.').waitFor();
  await page.getByLabel('E-mail address').fill('cleo@example.org');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('The invitation is being sent.').waitFor();
  const mailed = await server.linkTo('cleo@example.org', 'Invitation');
  expect(mailed.searchParams.get('invite_code')).toMatch(/^[\w-]{43}$/);

  await page.getByLabel('Send by e-mail').uncheck();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = new URL(await page.locator('.secret code').innerText());
  expect(await axeOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(link.searchParams.get('invite_code'));
  await page.getByRole('button', { name: 'Revoke: invitation for cleo@example.org' }).click();
  await page.getByText('Invitation revoked.').waitFor();

  server.engine.users.changeSite({ registrationMode: 'staff-invite-only' });
  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await guest.goto(link.href);
  await guest.getByLabel('User name', { exact: true }).fill('dora');
  await guest.getByLabel('E-mail address').fill('dora@example.org');
  await guest.getByLabel('Password').fill('hop-garden');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await waitForLogin(guest, 'dora');
  await guest.goto(`${listener.url}/account`);
  await guest.getByRole('heading', { name: 'Signed-in devices' }).waitFor();
  expect(await guest.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
  await guest.context().close();
  await page.reload();
  await page.getByText('No open invitations.').waitFor();
  await page.context().close();
});

test('without a mail server members create invitation links where the site allows it', async () => {
  server.engine.users.changeSite({ registrationMode: 'member-invite-only' });
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  const page = await openAs('bert');
  await confirmPassword(page);
  await page.goto(`${listener.url}/account`);
  await page.getByText('E-mail is not set up.').waitFor();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = new URL(await page.locator('.secret code').innerText());
  expect(link.origin).toBe(new URL(listener.url).origin);
  await page.getByText('Anyone with the link').waitFor();
  await page.context().close();
});

test('a member chooses the name shown to others and the language of mails', async () => {
  const page = await openAs('bert');
  await page.goto(`${listener.url}/account`);
  const details = page.getByRole('region', { name: 'Name and language' });
  await details.getByLabel('Display name').fill('Berti');
  await details.getByLabel('Language of e-mails').selectOption({ label: 'Deutsch' });
  await details.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Berti' }).waitFor();
  expect(server.engine.users.user('bert')).toMatchObject({
    displayName: 'Berti',
    notificationLanguage: 'de',
  });
  expect(await axeOn(page)).toEqual([]);
});

test('without drinkers the pages show no names, and offer neither claims nor users', async () => {
  server.engine.drinks.pours.reportInFull(
    { tap: 'pi.flow0', ticks: 300, username: 'anna', source: 'post' },
    server.now(),
  );
  const page = await openAs('anna');
  await page.goto(`${listener.url}/drinks`);
  await page.locator('.drink-who', { hasText: 'anna' }).first().waitFor();
  server.engine.users.changeSite({ enableUsers: false });
  await page.reload();
  await page.locator('.drink-who', { hasText: 'Left' }).first().waitFor();
  expect(await page.locator('.drink-who', { hasText: 'anna' }).count()).toBe(0);
  server.engine.users.changeSite({ enableUsers: true });
});

test('a superuser renames and erases a user, and a member erases the own account', async () => {
  const hash = await server.engine.users.passwords.hash(password);
  for (const [username, isSuperuser] of [
    ['root', true],
    ['otto', false],
    ['frida', false],
  ] as const) {
    server.engine.users.addUser({ username, isSuperuser, password: hash }, server.now());
  }
  const page = await openAs('root');
  await page.goto(`${listener.url}/users`);
  await page.getByRole('link', { name: 'otto', exact: true }).click();
  const names = page.getByRole('region', { name: 'Name', exact: true });
  await names.getByLabel('User name').fill('ottilie');
  await names.getByRole('button', { name: 'Save' }).click();
  await answerPasswordDialog(page, password);
  await page.getByRole('heading', { level: 2, name: 'ottilie' }).waitFor();
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete ottilie permanently?' });
  await dialog.getByText('cannot be undone').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await dialog.getByLabel('Type ottilie to confirm').fill('otto');
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Type ottilie to confirm').fill('ottilie');
  await confirm.click();
  await page.getByText('ottilie deleted.').waitFor();
  expect(server.engine.users.user('otto')).toBeNull();

  const fridas = await openAs('frida');
  await fridas.goto(`${listener.url}/account`);
  await fridas.getByText('Delete account').click();
  const section = fridas.locator('details', { hasText: 'Delete account' });
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Delete permanently' }).click();
  await fridas.getByText('Your account was deleted.').waitFor();
  expect(server.engine.users.user('frida')).toBeNull();
});

test('a new password is judged while it is typed, and the daemon refuses a common one', async () => {
  const page = await openAs('bert');
  await page.goto(`${listener.url}/account`);
  const section = page.getByRole('region', { name: 'Password', exact: true });
  const field = section.getByLabel('New password, at least 10 characters');
  await section.getByText('three or four words').waitFor();
  for (const [typed, said] of [
    ['short', 'needs 10 to 1,024 characters'],
    ['abcabcabcabc', 'must not repeat one character'],
    ['9876543210', 'must not be a row of keys'],
    ['Password123', 'three or four words'],
  ] as const) {
    await field.fill(typed);
    await section.getByText(said).waitFor();
  }
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button').click();
  await section.locator('.refusal', { hasText: 'one of the most common' }).first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.context().close();
});

test('people see the logins of their own account, superusers all in the change log', async () => {
  await server.call('post', '/auth/login', { body: { username: 'bert', password: 'x' } }).expect(400);
  const page = await openAs('bert');
  await page.goto(`${listener.url}/account`);
  const history = page.getByRole('region', { name: 'Sign-ins and failed attempts' });
  await history.getByText('Attempt failed').first().waitFor();
  await history.getByText('Signed in').first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.context().close();
  const roots = await openAs('root');
  await roots.goto(`${listener.url}/audit`);
  await roots.getByLabel('What').selectOption({ label: 'Sign-ins and failed attempts' });
  await roots.locator('li', { hasText: 'Attempt failed' }).filter({ hasText: 'bert' }).first().waitFor();
  expect(await axeOn(roots)).toEqual([]);
  await roots.getByLabel('What').selectOption({ label: 'Changes' });
  await roots.locator('li', { hasText: 'Attempt failed' }).first().waitFor({ state: 'detached' });
  await roots.context().close();
});

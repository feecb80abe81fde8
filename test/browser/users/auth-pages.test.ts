import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { createServerWithMail, type ServerWithMail } from '../../http/current/server-with-mail.ts';
import { listen } from '../../http/live/streams.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { answerPasswordDialog, waitForLogin } from '../kit/staff.ts';

let browser: Browser;
let server: ServerWithMail;
let listener: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  browser = await openBrowser();
  server = await createServerWithMail({ webDirectory: join(import.meta.dirname, '../../../dist/web') });
  listener = await listen(server.app);
});
afterAll(async () => {
  await browser.close();
  await listener.close(0);
  await server.close();
});

/** Opens a path in a new browser profile; page errors and requests to other hosts fail the test. */
async function withPage(path: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(listener.url)) browserErrors.push(`asked ${request.url()}`);
  });
  await page.goto(`${listener.url}${path}`);
  await use(page);
  await context.close();
  expect(browserErrors).toEqual([]);
}

/** Fails on accessibility violations found by axe. */
async function expectAccessible(page: Page) {
  expect(await axeOn(page)).toEqual([]);
}

test('a forgotten password is reset by a mailed link, which works once', async () => {
  await withPage('/log-in', async (page) => {
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('E-mail address').fill('bert@example.org');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('status').filter({ hasText: 'a link is being sent' }).waitFor();
  });
  const link = await server.linkTo('bert@example.org', 'Reset password');
  await withPage(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('a-new-hop-garden');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Password changed. Sign in with it.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('User name', { exact: true }).fill('bert');
    await page.getByLabel('Password').fill('a-new-hop-garden');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForLogin(page, 'bert');
  });
  await withPage(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('one-more-password');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('alert').filter({ hasText: 'used' }).waitFor();
  });
});

test('registration by invitation needs the mailed link', async () => {
  server.engine.users.changeSite({ registrationMode: 'member-invite-only', privacy: 'members' });
  await withPage('/accounts/register', async (page) => {
    await page.getByText('Registration is by invitation only.').waitFor();
  });
  const cookie = server.createConfirmedCookie('anna');
  await server.call('post', '/invitations', { cookie, body: { for_email: 'cleo@example.org' } }).expect(201);
  const link = await server.linkTo('cleo@example.org', 'Invitation');
  await withPage(`${link.pathname}${link.search}`, async (page) => {
    await page.getByLabel('User name', { exact: true }).fill('anna');
    await page.getByLabel('E-mail address').fill('cleo@example.org');
    await page.getByLabel('Password').fill('hop-garden');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('is already taken', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: /^User name/ }).fill('cleo');
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Create account' }).click();
    await waitForLogin(page, 'cleo');
    expect(new URL(page.url()).pathname).toBe('/');
  });
  await server.newMails();
});

test('an account created by staff is activated by its link, and a new address is confirmed by another', async () => {
  const cookie = server.createConfirmedCookie('anna');
  const body = { username: 'dora', email: 'dora@example.org' };
  await server.call('post', '/users', { cookie, body }).expect(201);
  const link = await server.linkTo('dora@example.org', 'Choose your password');
  await withPage(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Save password' }).click();
    await waitForLogin(page, 'dora');
  });
  const dora = server.createConfirmedCookie('dora');
  await server
    .call('post', '/account/email', { cookie: dora, body: { email: 'dora@new.example' } })
    .expect(200);
  const confirm = await server.linkTo('dora@new.example', 'Confirm your e-mail address');
  await withPage(confirm.pathname, async (page) => {
    await page.getByText('Sign in to confirm your address.').waitFor();
    await page.getByLabel('User name', { exact: true }).fill('dora');
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await answerPasswordDialog(page, 'hop-garden');
    await page.getByRole('status').filter({ hasText: 'dora@new.example' }).waitFor();
  });
  expect(server.engine.users.user('dora')!.email).toBe('dora@new.example');
});

test('without a mail server the log-in page offers no password reset', async () => {
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  await withPage('/log-in', async (page) => {
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Forgot password?' }).count()).toBe(0);
  });
});

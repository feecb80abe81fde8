import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerWithMail, type ServerWithMail } from '../http/editions/current/server-with-mail.ts';
import { listen } from '../http/live/streams.ts';
import { openBrowser } from '../kit/browser.ts';
import { axeOn } from './kit/axe.ts';

let browser: Browser;
let house: ServerWithMail;
let door: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  browser = await openBrowser();
  house = await createServerWithMail({ webDirectory: join(import.meta.dirname, '../../dist/web') });
  door = await listen(house.app);
});
afterAll(async () => {
  await browser.close();
  await door.close(0);
  await house.close();
});

/** A browser nobody has used, at an address of the house; whatever it complains of ends the test. */
async function come(path: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(door.url)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(`${door.url}${path}`);
  await use(page);
  await context.close();
  expect(complaints).toEqual([]);
}

/** What a reader who cannot see or use a mouse would stumble over. */
async function hasNoBarriers(page: Page) {
  expect(await axeOn(page)).toEqual([]);
}

test('a forgotten password is asked for on the log-in page, and chosen by the link in the mail', async () => {
  await come('/log-in', async (page) => {
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill('bert@example.org');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('status').filter({ hasText: 'a mail is on its way' }).waitFor();
  });
  const link = await house.linkTo('bert@example.org', 'A new password');
  await come(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('a-new-hop-garden');
    await hasNoBarriers(page);
    await page.getByRole('button', { name: 'Take this password' }).click();
    await page.getByText('The new password is yours.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Name', { exact: true }).fill('bert');
    await page.getByLabel('Password').fill('a-new-hop-garden');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Log out bert' }).waitFor();
  });
  await come(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('one-more-password');
    await page.getByRole('button', { name: 'Take this password' }).click();
    await page.getByRole('alert').filter({ hasText: 'used' }).waitFor();
  });
});

test('who is invited makes an account by the link, and who is not is told how it goes', async () => {
  house.engine.users.changeSite({ registrationMode: 'member-invite-only', privacy: 'members' });
  await come('/accounts/register', async (page) => {
    await page.getByText('Who gets an account here is invited.').waitFor();
  });
  const cookie = house.createLoginCookie('anna');
  await house.call('post', '/invitations', { cookie, body: { for_email: 'cleo@example.org' } }).expect(201);
  const link = await house.linkTo('cleo@example.org', 'You are invited');
  await come(`${link.pathname}${link.search}`, async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('anna');
    await page.getByLabel('E-mail address').fill('cleo@example.org');
    await page.getByLabel('Password').fill('hop-garden');
    await hasNoBarriers(page);
    await page.getByRole('button', { name: 'Make an account' }).click();
    await page.getByText('is taken', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: /^Name/ }).fill('cleo');
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Make an account' }).click();
    await page.getByRole('button', { name: 'Log out cleo' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
  await house.newMails();
});

test('an account that staff made is opened by its link, and takes a new address by another', async () => {
  const cookie = house.createLoginCookie('anna');
  const body = { username: 'dora', email: 'dora@example.org' };
  await house.call('post', '/users', { cookie, body }).expect(201);
  const link = await house.linkTo('dora@example.org', 'Your account waits for you');
  await come(link.pathname, async (page) => {
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Take this password' }).click();
    await page.getByRole('button', { name: 'Log out dora' }).waitFor();
  });
  const dora = house.createLoginCookie('dora');
  await house
    .call('post', '/account/email', { cookie: dora, body: { email: 'dora@new.example' } })
    .expect(200);
  const confirm = await house.linkTo('dora@new.example', 'Is this your address?');
  await come(confirm.pathname, async (page) => {
    await page.getByText('Log in to take your new address.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('dora');
    await page.getByLabel('Password').fill('hop-garden');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Yes, it is mine' }).click();
    await page.getByRole('status').filter({ hasText: 'dora@new.example' }).waitFor();
  });
  expect(house.engine.users.user('dora')!.email).toBe('dora@new.example');
});

test('a house that sends no mail offers none', async () => {
  await house
    .call('patch', '/admin/mail', { cookie: house.createLoginCookie('anna'), body: { host: '' } })
    .expect(200);
  await come('/log-in', async (page) => {
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
  });
});

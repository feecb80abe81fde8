import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allFeatures } from '../../kit/daemon.ts';
import { headersOf, openMailServer, openReceiver } from '../../outbox/test-outbox.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn, openMenu, recordDrinks } from '../kit/staff.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let page: Page;
let mailServer: Awaited<ReturnType<typeof openMailServer>>;

beforeAll(async () => {
  mailServer = await openMailServer({
    onRcptTo({ address }, _session, callback) {
      const isKnown = address !== 'nobody@example.org';
      callback(isKnown ? null : Object.assign(new Error('no such box'), { responseCode: 550 }));
    },
  });
  bar = await openStaffBar({
    role: 'superuser',
    colleagues: ['bert'],
    settings: { features: allFeatures, webhooks: { allow_local: true } },
  });
  page = bar.page;
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) bar.browserErrors.push(message.text());
  });
});
afterAll(async () => {
  await bar.close();
  await mailServer.close();
});

const goTo = async (path: string) => {
  await page.goto(`${bar.daemon.url}${path}`);
  await page.getByRole('heading', { level: 2 }).waitFor();
};
const alarmSettings = async () => (await bar.callApi<{ alarms: object }>('GET', 'admin/alarms')).alarms;
/** Adds a user with the login of the page, whose password was entered: a key may not. */
async function addUser(user: object) {
  const reply = await page.request.post(`${bar.daemon.url}/api/users`, { data: user });
  expect(reply.status(), await reply.text()).toBeLessThan(300);
}
const button = (name: string | RegExp) => page.getByRole('button', { name });
const region = (name: string) => page.getByRole('region', { name });

test('a mail server is set up and tested, and its password is never shown', async () => {
  await goTo('/mail');
  const server = region('Mail server');
  await region('Send test e-mail').getByLabel('To').fill('anna@example.org');
  await button('Send').click();
  await page.getByText('E-mail is not set up.').waitFor();

  await server.getByLabel(/^Mail server/).fill('127.0.0.1');
  await server.getByRole('textbox', { name: 'Port' }).fill(String(mailServer.port));
  await server.getByLabel('Encryption').selectOption('none');
  await server.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter your password' });
  await dialog.getByLabel('Password').fill('not my password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('The current password is wrong.').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await dialog.getByLabel('Password').fill('a good long password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
  const sender = server.locator('label', { hasText: 'Sender address' });
  await sender.getByText('is required', { exact: true }).waitFor();
  expect(await sender.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
  await server.getByLabel(/^Sender address/).fill('bar@example.org');
  await server.getByLabel(/^Password/).fill('a mail password');
  await server.getByRole('button', { name: 'Save' }).click();
  await server.getByLabel(/^New password/).waitFor();
  expect(await page.content()).not.toContain('a mail password');

  await region('Send test e-mail').getByLabel('To').fill('anna@example.org');
  await button('Send').click();
  await page.getByText('The mail server accepted the e-mail to anna@example.org.').waitFor();
  expect(mailServer.mails.splice(0).map((mail) => headersOf(mail).get('subject'))).toEqual([
    expect.stringContaining('Test e-mail'),
  ]);
  await region('Send test e-mail').getByLabel('To').fill('nobody@example.org');
  await button('Send').click();
  await page.getByText('does not accept mail for this address').waitFor();
  expect(await axeOn(page)).toEqual([]);
});

test('staff who are no superusers see neither mail server nor receivers to change', async () => {
  const berts = await bar.openPage({ locale: 'de-DE' }, 'bert');
  for (const path of ['/mail', '/webhooks']) {
    await berts.goto(`${bar.daemon.url}${path}`);
    await berts.getByText('Nur Administratoren können das ändern.').waitFor();
  }
  await berts.context().close();
});

test('a failed mail shows its reason, can be sent again and deleted', async () => {
  await addUser({
    username: 'nobody',
    email: 'nobody@example.org',
    password: 'a long password',
  });
  await goTo('/mail');
  const mails = region('Outgoing e-mails');
  await mails.getByText(/Failed · 1 attempt/).waitFor();
  await mails.getByText('does not accept mail for this address').waitFor();
  await mails.getByLabel('Status').selectOption('Failed');
  await button('Send again: Welcome to nobody').click();
  await page.getByText('Sending again.').waitFor();
  await button('Delete: Welcome to nobody').click();
  await page.getByText('Nothing here yet.').waitFor();
});

test('alarm thresholds are validated, saved and cleared', async () => {
  await goTo('/mail');
  const alarms = region('Alarms');
  await alarms.getByLabel(/tap is warmer/).fill('7.5');
  await alarms.getByLabel(/when a controller is offline/).fill('0');
  await alarms.getByRole('button', { name: 'Save' }).click();
  await alarms.locator('[aria-invalid=true]').fill('45');
  await alarms.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await expect.poll(() => alarms.getByLabel(/tap is warmer/).inputValue()).toBe('7.5');
  await alarms.getByLabel(/tap is warmer/).fill('');
  await alarms.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await alarmSettings()).toMatchObject({ too_warm_c: null, silent_minutes: 45 });
});

test('the alarm temperature is typed in the unit of the site', async () => {
  await bar.callApi('PATCH', 'site', { temperature_display_units: 'f' });
  await goTo('/mail');
  const alarms = region('Alarms');
  // Above the largest number of degrees Celsius.
  await alarms.getByLabel(/tap is warmer.*°F/).fill('140');
  await alarms.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await alarmSettings()).toMatchObject({ too_warm_c: 60 });
  await bar.callApi('PATCH', 'site', { temperature_display_units: 'c' });
});

test('a webhook receiver gets signed events, and can be disabled; the secret is shown once', async () => {
  const receiver = await openReceiver();
  await goTo('/webhooks');
  await page.getByText('No recipients.').waitFor();
  await page.getByLabel('Web address').fill('scoreboard');
  await button('Add').click();
  await page.getByText('must begin with http').first().waitFor();
  await page.getByLabel('Web address').fill(receiver.url);
  await button('Add').click();
  await page.getByText('Recipient added.').waitFor();

  await button('Create secret').click();
  const secret = await page.locator('.secret code').innerText();
  await button('Done').click();
  expect(await page.content()).not.toContain(secret);
  await button(`Test: ${receiver.url}`).click();
  await page.getByText('accepted the test.').waitFor();
  const [call] = receiver.received.splice(0);
  const signed = `${call!.headers['tapster-timestamp']}.${call!.body}`;
  expect(call!.headers['tapster-signature']).toBe(
    `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
  );
  expect(await axeOn(page)).toEqual([]);

  await recordDrinks(page, 1);
  await page.getByText('Drink poured').waitFor();
  await expect
    .poll(() => receiver.received.map(({ headers }) => headers['tapster-event']))
    .toContain('drink_poured');
  await button(`Turn off: ${receiver.url}`).click();
  await page.getByText('off', { exact: true }).waitFor();
  const deliveredCount = receiver.received.length;
  await recordDrinks(page, 1);
  await button(`Turn on: ${receiver.url}`).click();
  await page.getByText('Turned on.').waitFor();
  expect(receiver.received).toHaveLength(deliveredCount);
  await receiver.close();
});

test('a failing receiver shows its error, failed deliveries are sent again, and it can be changed and removed', async () => {
  let status = 404;
  const receiver = await openReceiver((_request, response) => void response.writeHead(status).end());
  await goTo('/webhooks');
  const oldUrl = await page.locator('.row-name').first().innerText();
  await button(`Edit: ${oldUrl}`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Web address').fill(receiver.url);
  await dialog.getByLabel('People joining').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await region('Recipients').getByText('Tapped kegs, Finished kegs').waitFor();
  await button(`Test: ${receiver.url}`).click();
  await region('Recipients').getByText('answers with 404').waitFor();

  await recordDrinks(page, 1);
  await page
    .getByText(/failed/)
    .first()
    .waitFor();
  const deliveries = region('Last deliveries');
  await deliveries.getByLabel('Status').selectOption('Failed');
  await deliveries.getByText('answers with 404').first().waitFor();
  status = 200;
  await deliveries
    .getByRole('button', { name: /^Send again: Drink poured/ })
    .first()
    .click();
  await page.getByText('Sending again.').waitFor();
  await button('Send all failed again').click();
  await deliveries.getByText('Nothing here yet.').waitFor();
  await deliveries.getByLabel('Status').selectOption('Sent');
  await deliveries.getByText('Drink poured').first().waitFor();

  const deliveredCount = receiver.received.length;
  await button(`Send again from…: ${receiver.url}`).click();
  const replay = page.getByRole('dialog', { name: 'Send again from…' });
  await replay.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText(/events are sent again/).waitFor();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(deliveredCount);

  await button(`Remove: ${receiver.url}`).click();
  await button(`Remove permanently: ${receiver.url}`).click();
  await page.getByText('No recipients.').waitFor();
  await receiver.close();
});

test('the audit log shows who changed what, with old and new values, and undoes a correction', async () => {
  await bar.callApi('DELETE', 'drinks/1');
  await goTo('/audit');
  await page.getByText('Drink 1: deleted').waitFor();
  await button('Undo: Drink 1: deleted').click();
  await page.getByText('Undone.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Drink 1: deleted' }).getByText('undone').waitFor();
  const alarms = page.getByRole('listitem').filter({ hasText: 'Alarms: changed' }).last();
  await alarms.getByText('Details').click();
  await alarms.getByText('too warm above: 12 → 7.5').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.getByRole('combobox', { name: /^Person/ }).selectOption('nobody');
  await page.getByText('No changes.').waitFor();
});

test('a bug report is created, shown and downloaded, and contains no user name', async () => {
  await goTo('/logs');
  await button('Create bug report').click();
  const text = await page.locator('.report-text').innerText();
  expect(text).toContain('Tapster');
  expect(text).not.toContain('anna');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(await file.failure()).toBeNull();
  expect(await axeOn(page)).toEqual([]);
  await button('Close').click();
  await page.getByRole('link', { name: 'Licences' }).click();
  await page.getByText('Permission is hereby granted').first().waitFor();
});

test('staff see whether a user can log in and when they were last seen', async () => {
  await addUser({ username: 'mila' });
  await goTo('/users');
  await page.getByRole('link', { name: 'mila', exact: true }).click();
  await page.getByText('No password yet').waitFor();
  await page.goBack();
  // The header has a link with that name too.
  const people = page.getByRole('list', { name: 'People', exact: true });
  await people.getByRole('link', { name: 'anna', exact: true }).click();
  await page.getByText(/Last seen about \d\d:\d\d\./).waitFor();
});

test('members see none of these pages', async () => {
  const guest = await bar.openPage();
  await logIn(guest, bar.daemon.url, 'nobody', 'a long password');
  for (const path of ['mail', 'webhooks', 'audit']) {
    await guest.goto(`${bar.daemon.url}/${path}`);
    await guest.getByText('Staff only.').waitFor();
    expect(await guest.locator('main').getByRole('button').count()).toBe(0);
  }
  await openMenu(guest);
  expect(await guest.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  await guest.context().close();
  expect(bar.browserErrors).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver } from '../../outbox/test-outbox.ts';
import { axeOn } from '../kit/axe.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';

let bar: StaffBar;
let service: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  service = await openReceiver();
  bar = await openStaffBar({ role: 'superuser', settings: { webhooks: { allow_local: true } } });
});
afterAll(async () => {
  await bar?.close();
  await service?.close();
});

const region = (name: string) => bar.page.getByRole('region', { name, exact: true });
const dialog = (name: string) => bar.page.getByRole('dialog', { name, exact: true });

const bodies = () =>
  service.received.map(({ body }) => JSON.parse(body) as { title: string; click?: string });
const titles = () => bodies().map(({ title }) => title);

async function confirmPassword() {
  const password = dialog('Enter your password');
  await password.getByLabel('Password').fill('a good long password');
  await password.getByRole('button', { name: 'Confirm' }).click();
  await password.waitFor({ state: 'detached' });
}

test('a channel is added, tested, deleted and restored; its secret is never shown', async () => {
  const { page, daemon } = bar;
  await page.goto(`${daemon.url}/alarms`);
  const channels = region('Channels');
  await channels.getByText('No channels.').waitFor();
  await channels.getByRole('button', { name: 'ntfy', exact: true }).click();
  const form = dialog('Add channel: ntfy');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Phone');
  await form.getByLabel('Server address').fill(`http://127.0.0.1:${service.port}`);
  await form.getByLabel('Topic', { exact: true }).fill('bar');
  await form.getByLabel('Access token or password').fill('tk_secret');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await confirmPassword();
  await form.waitFor({ state: 'detached' });
  const row = channels.getByRole('listitem').filter({ hasText: 'Phone' });
  await row.getByText('ntfy · At once').waitFor();
  await row.getByRole('button', { name: /^Test: / }).click();
  await page.getByText('Phone has accepted the test message.').waitFor();
  expect(JSON.parse(service.received.at(-1)!.body)).toMatchObject({ topic: 'bar', title: 'Test message' });

  await row.getByRole('button', { name: /^Edit: / }).click();
  const edit = dialog('Edit channel: ntfy');
  expect(await edit.getByLabel('New access token or password').inputValue()).toBe('');
  await edit.getByLabel('Only urgent alarms').check();
  await edit.getByText('More', { exact: true }).click();
  await edit.getByLabel('Time not set', { exact: true }).uncheck();
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  await row.getByText(/Only urgent alarms · .*Tap too warm/).waitFor();
  expect(await row.getByText('Time not set').count()).toBe(0);
  expect(await page.content()).not.toContain('tk_secret');

  await row.getByRole('button', { name: /^Delete: / }).click();
  await channels.getByText('No channels.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await row.waitFor();
  expect(await axeOn(page)).toEqual([]);
});

test('a channel of Pushover may ring until an alarm is acknowledged', async () => {
  const { page, daemon } = bar;
  await page.goto(`${daemon.url}/alarms`);
  const channels = region('Channels');
  await channels.getByRole('button', { name: 'Pushover', exact: true }).click();
  const form = dialog('Add channel: Pushover');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Owner');
  await form.getByLabel('User key').fill('u1');
  await form.getByLabel('Access token or password').fill('t1');
  await form.getByRole('combobox', { name: /^Urgent alarms/ }).selectOption('Ring until acknowledged');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const row = channels.getByRole('listitem').filter({ hasText: 'Owner' });
  await row.getByRole('button', { name: /^Edit: / }).click();
  const edit = dialog('Edit channel: Pushover');
  expect(await edit.getByRole('combobox', { name: /^Urgent alarms/ }).inputValue()).toBe('emergency');
  await edit.getByRole('button', { name: 'Cancel', exact: true }).click();
  await row.getByRole('button', { name: /^Delete: / }).click();
  await row.waitFor({ state: 'detached' });
});

test('the test alarm reaches the channel, is acknowledged and ended, and is in the history', async () => {
  const { page, daemon } = bar;
  await page.goto(`${daemon.url}/alarms`);
  await region('Rules')
    .getByLabel(/^Combine alarms/)
    .fill('0');
  await region('Rules').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  const sent = service.received.length;
  await page.getByRole('button', { name: 'Send test alarm', exact: true }).click();
  const open = region('Open alarms').getByRole('listitem');
  await open.getByText('This is a test.').waitFor();
  await page.getByRole('button', { name: /^1 notice$/ }).waitFor();
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(sent);
  expect(JSON.parse(service.received.at(-1)!.body)).toMatchObject({ title: 'Test alarm', priority: 5 });
  await open.getByText('sent to Phone').waitFor();
  await open.getByRole('button', { name: /^Acknowledge/ }).click();
  await open.getByText('acknowledged by').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await open.getByRole('button', { name: /^End test/ }).click();
  await region('Open alarms').getByText('No open alarms.').waitFor();
  await region('History').getByRole('listitem').getByText('acknowledged by').waitFor();
  await expect.poll(() => titles().at(-1), { timeout: 30_000 }).toBe('Resolved: Test alarm');
});

test('the link in a message acknowledges without a login, only by its button', async () => {
  const { page, daemon } = bar;
  const call = (path: string, method: string, body: object) =>
    page.evaluate(
      async ([address, verb, text]) => {
        const reply = await fetch(`api${address}`, {
          method: verb!,
          headers: { 'Content-Type': 'application/json' },
          body: text!,
        });
        if (!reply.ok) throw new Error(await reply.text());
      },
      [path, method, JSON.stringify(body)],
    );
  await page.goto(`${daemon.url}/alarms`);
  await call('/admin/mail', 'PATCH', { base_url: daemon.url });
  await call('/admin/alarm-test', 'POST', {});
  const findLink = () => bodies().find(({ click }) => click !== undefined)?.click;
  await expect.poll(findLink, { timeout: 30_000 }).toBeDefined();
  const click = findLink()!;
  const guest = await (await bar.page.context().browser()!.newContext({ locale: 'de-DE' })).newPage();
  await guest.goto(click);
  await guest.getByText('Testalarm').waitFor();
  expect(await axeOn(guest)).toEqual([]);
  await guest.getByRole('button', { name: 'Bestätigen', exact: true }).click();
  await guest.getByText('Bestätigt.').waitFor();
  await guest.goto(click);
  await guest.getByText('Dieser Link wurde benutzt').waitFor();
  await guest.context().close();
  await page.goto(`${daemon.url}/alarms`);
  await region('Open alarms').getByText('acknowledged by Phone').waitFor();
});

test.each([390, 1_440])('the page fits a screen of %i px', async (width) => {
  const { page, daemon } = bar;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${daemon.url}/alarms`);
  await region('Channels').getByRole('listitem').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
});

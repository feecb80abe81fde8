import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { logIn } from '../../../browser/kit/staff.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { runCommand } from '../../../kit/daemon.ts';
import { hasMosquitto, readRetained, startMosquitto, type TestBroker } from '../kit/mosquitto.ts';

let bar: StaffBar;
let broker: TestBroker;

beforeAll(async () => {
  if (!hasMosquitto) return;
  broker = await startMosquitto();
  bar = await openStaffBar({ role: 'superuser', settings: { mqtt: { topic_prefix: 'my-bar' } } });
});
afterAll(async () => {
  await bar?.close();
  await broker?.remove();
});

const button = (name: string) => bar.page.getByRole('button', { name, exact: true });

test.skipIf(!hasMosquitto)(
  'a superuser sets up the broker, which is tested, and sees what the file fixes',
  async () => {
    const { page, daemon } = bar;
    await page.goto(`${daemon.url}/features`);
    const feature = page.getByRole('listitem').filter({ has: page.getByText('MQTT', { exact: true }) });
    await feature.getByRole('button', { name: /^Switch on: / }).click();
    await feature.getByRole('button', { name: /^Switch off: / }).waitFor();
    await page.goto(`${daemon.url}/mqtt`);
    const settings = page.getByRole('region', { name: 'Broker and topics' });
    const fixed = page.getByRole('region', { name: 'Set in the settings file' });
    await fixed.getByText('my-bar').waitFor();
    expect(await settings.locator('[name=topic_prefix]').count()).toBe(0);
    await page.getByText('Off. No events are waiting.').waitFor();
    await button('Test connection').click();
    await page.getByText('no broker is set').waitFor();

    // Nobody listens there.
    await settings.getByLabel(/^Broker: name or address/).fill('127.0.0.1');
    await settings.getByRole('textbox', { name: /^Port/ }).fill('1');
    await button('Save').click();
    const dialog = page.getByRole('dialog', { name: 'Enter your password' });
    await dialog.getByLabel('Password').fill('a good long password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Saved.').waitFor();
    await button('Test connection').click();
    await page.getByText('127.0.0.1 refuses the connection on port 1').waitFor();

    await settings.getByRole('textbox', { name: /^Port/ }).fill(String(broker.port));
    await settings.getByLabel('Connect to the broker').check();
    await button('Save').click();
    await page.getByText('Connected. No events are waiting.').waitFor();
    await button('Test connection').click();
    await page.getByText('The broker accepted the test message.').waitFor();
    expect(await axeOn(page)).toEqual([]);
  },
);

test.skipIf(!hasMosquitto)('staff who are no superusers see the connection, and no settings', async () => {
  const { browser, daemon, bar: folder } = bar;
  const account = ['user', 'add', 'bert', '--staff', '--password-stdin', '--config', folder.configFile];
  await runCommand(account, { input: 'a good long password\n' });
  const berts = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await logIn(berts, daemon.url, 'bert');
  await berts.goto(`${daemon.url}/mqtt`);
  await berts.getByText('Only superusers can change this.').waitFor();
  await berts.getByText('No events are waiting.').waitFor();
  await berts.context().close();
});

test.skipIf(!hasMosquitto)('after the feature is switched off the broker keeps nothing', async () => {
  const { page, daemon } = bar;
  const retained = async () => (await readRetained(broker.port, 'my-bar/#')).size;
  await expect.poll(retained, { timeout: 10_000 }).toBeGreaterThan(0);
  await page.goto(`${daemon.url}/features`);
  const feature = page.getByRole('listitem').filter({ has: page.getByText('MQTT', { exact: true }) });
  await feature.getByRole('button', { name: /^Switch off: / }).click();
  await feature.getByRole('button', { name: /^Switch on: / }).waitFor();
  await expect.poll(retained, { timeout: 10_000 }).toBe(0);
  const answer = await fetch(`${daemon.url}/api/admin/mqtt`, { headers: { 'X-Kegbot-Api-Key': bar.key } });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { reason: { name: 'feature_off', feature: 'mqtt' } } });
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';
import { hasMosquitto, startMosquitto, type TestBroker } from '../kit/mosquitto.ts';
import { axeOn } from './kit/axe.ts';
import { logIn } from './kit/staff.ts';

let browser: Browser;
let bar: BarFolder;
let daemon: RunningDaemon;
let broker: TestBroker;
let page: Page;

beforeAll(async () => {
  if (!hasMosquitto) return;
  broker = await startMosquitto();
  browser = await openBrowser();
  bar = makeBar({ ...quickBar, mqtt: { topic_prefix: 'my-bar' } });
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--superuser', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(15_000);
  await logIn(page, daemon.url);
});
afterAll(async () => {
  await browser?.close();
  await daemon?.kill();
  bar?.remove();
  await broker?.remove();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test.skipIf(!hasMosquitto)(
  'a superuser sets up the broker, which is tested, and sees what the file fixes',
  async () => {
    await page.goto(`${daemon.url}/mqtt`);
    const settings = page.getByRole('region', { name: 'Broker and topics' });
    const fixed = page.getByRole('region', { name: 'Set in the configuration file' });
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

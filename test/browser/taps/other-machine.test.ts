import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { type Daemon, startDaemon } from '../../../src/daemon/start-daemon.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { createMachineIdentity } from '../../../src/system/machine-identity.ts';
import { addAccounts } from '../../kit/accounts.ts';
import { openBrowser } from '../../kit/browser.ts';
import { type BarFolder, makeBar, quickBar } from '../../kit/daemon.ts';
import { axeOn } from '../kit/axe.ts';
import { logIn, openNotices } from '../kit/staff.ts';

const password = 'a good long password';
const title = 'This is another machine: the relays were wired to that one';

let browser: Browser;
let bar: BarFolder;
let daemon: Daemon;
let url: string;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  bar = makeBar(quickBar);
  await start('1');
  await addAccounts(bar, { anna: 'superuser' });
  page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(20_000);
  await logIn(page, url);
  // Each start forgets that the password was confirmed; confirmed here, no dialog asks for it.
  await send('auth/confirm-password', { current_password: password });
  await send('hardware/relays', { pin: 23 });
  await send('hardware/relays', { pin: 24 });
});
afterAll(async () => {
  await browser.close();
  await daemon.close();
  bar.remove();
});

/** Starts the daemon on the bar's files as on the machine whose id has that digit. */
async function start(digit: string): Promise<void> {
  const { config } = loadConfig({ path: bar.configFile, env: {}, cwd: bar.path });
  const { log } = createLog({ level: 'fatal', write: () => {} });
  daemon = await startDaemon({
    config,
    log,
    settingsFile: bar.configFile,
    identity: createMachineIdentity(digit.repeat(32)),
  });
  url = `http://127.0.0.1:${daemon.port()}`;
}

/** Sends a request with the login of the page. */
async function send(path: string, body: object): Promise<void> {
  const status = await page.evaluate(
    async ([address, text]) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`api/${address}`, { method: 'POST', headers, body: text })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
  expect(status).toBeLessThan(300);
}

async function moveTo(digit: string): Promise<void> {
  await daemon.close();
  await start(digit);
  await page.goto(`${url}/hardware`);
  await send('auth/confirm-password', { current_password: password });
}

const relay = (name: string) =>
  page.getByRole('list', { name: 'Relays' }).getByRole('listitem').filter({ hasText: name });
const notice = () => page.getByRole('region', { name: title });

test('on another machine a notice leads to the question whether the relays are used here, and they are not tested', async () => {
  await moveTo('2');
  await notice().getByText('pi.relay0 · GPIO 23').waitFor();
  await relay('pi.relay0').getByText('Wired to another machine', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Test pi\.relay/ }).count()).toBe(0);
  expect(await axeOn(page)).toEqual([]);
  await page.goto(url);
  await openNotices(page, '1 notice');
  await page.getByRole('link', { name: /these relays were wired to that one/ }).click();
  await notice().waitFor();
});

test('“Use these pins here” drives them', async () => {
  await page.getByRole('button', { name: 'Use these pins here' }).click();
  await page.getByText('The relays are used on this machine.').waitFor();
  await page.getByRole('button', { name: 'Test pi.relay0 for 2 s' }).waitFor();
  await notice().waitFor({ state: 'detached' });
  await page.goto(`${url}/audit`);
  await page.getByText(/pi\.relay0.*confirmed for this machine/).waitFor();
});

test('“Remove these relays” removes them', async () => {
  await moveTo('3');
  await page.getByRole('button', { name: 'Remove these relays' }).click();
  await page.getByText('Relays removed.').waitFor();
  await page.getByText('No relays yet.').waitFor();
  await notice().waitFor({ state: 'detached' });
});

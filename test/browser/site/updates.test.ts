import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  emptyState,
  type RunningUpdate,
  type UpdateResult,
  type UpdaterState,
} from '../../../src/core/updates/update-state.ts';
import { noUpdateCheck, type UpdateCheckView } from '../../../src/core/updates/updates-view.ts';
import type { UpdatesAdmin } from '../../../src/http/updates-ports.ts';
import { createUpdates, type UpdateCheck } from '../../../src/services/updates/updates.ts';
import { createTestServer, openingMs, type TestServer } from '../../http/test-server.ts';
import { openBrowser } from '../../kit/browser.ts';
import { axeOn } from '../kit/axe.ts';
import { layoutFaults } from '../kit/fit.ts';

let browser: Browser;
let home: string;
let server: TestServer;
let http: Server;
let updates: UpdatesAdmin;
let found: UpdateCheckView;
let asked: string[];

const releases = () => join(home, 'releases');
const requestFile = () => join(home, 'update-request.json');
const url = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
const update: RunningUpdate = {
  kind: 'rollback',
  from: '0.2.0',
  to: '0.1.0',
  phase: 'checking',
  since: { bootId: 'a', ms: 0 },
  wasHealthy: true,
  http: null,
  backup: null,
  trial: null,
  reason: null,
};
const last: UpdateResult = {
  kind: 'rollback',
  from: '0.2.0',
  to: '0.1.0',
  outcome: 'done',
  reason: null,
  detail: '',
  backup: null,
  wallMs: openingMs,
};
const available = {
  version: '0.3.0',
  releasedMs: openingMs,
  sizeBytes: 31_457_280,
  notes: { en: 'Kegs can be ordered by their age.' },
};

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tapster-updates-'));
  for (const version of ['0.1.0', '0.2.0']) {
    mkdirSync(join(releases(), version, 'dist'), { recursive: true });
    writeFileSync(join(releases(), version, 'dist', 'main.js'), '');
  }
  found = noUpdateCheck;
  asked = [];
  updates = createVersion('0.2.0');
  server = createTestServer({
    services: { updates: new Proxy(updates, { get: (_target, name) => Reflect.get(updates, name) }) },
    setup: { text: 'K7QM-2RXA', check() {} },
    webDirectory: join(import.meta.dirname, '../../../dist/web'),
  });
  server.engine.users.changeSite({ isSetUp: true });
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  await listen(0);
});
afterEach(async () => {
  await stop();
  server.store.close();
  rmSync(home, { recursive: true, force: true });
});

/** What a daemon of that version serves; null: a checkout. */
function createVersion(running: string, folder: string | null = releases()): UpdatesAdmin {
  const check: UpdateCheck = {
    view: () => found,
    async checkNow() {
      found = { ...found, available, lastCheckedMs: openingMs };
    },
    install(when) {
      asked.push(when);
      if (when === 'quiet_hour') found = { ...found, planned: available.version };
    },
    cancelPlan() {
      asked.push('cancel');
      found = { ...found, planned: null };
    },
  };
  return createUpdates({ stateDirectory: home, folder, running, check });
}

async function listen(port: number): Promise<void> {
  http = createServer(server.app);
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
}

async function stop(): Promise<void> {
  const closed = new Promise((resolve) => http.close(resolve));
  http.closeAllConnections();
  await closed;
}

const writeState = (state: Partial<UpdaterState>) =>
  writeFileSync(join(releases(), 'state.json'), JSON.stringify({ ...emptyState, ...state }));

/** The updater takes the request. */
const takeRequest = () => rmSync(requestFile(), { force: true });

async function open(username = 'root', width = 1280): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width, height: 800 },
  });
  const [name, value] = server.createLoginCookie(username).split('=') as [string, string];
  await context.addCookies([{ name, value, url: url() }]);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${url()}updates`);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a superuser goes back to the version before, and the page shows the result after the restart', async () => {
  const page = await open();
  await page.getByRole('heading', { name: 'Version 0.2.0 is running' }).waitFor();
  // By keyboard: the dialog is opened, closed and opened again.
  await button(page, 'Go back to version 0.1.0').focus();
  await page.keyboard.press('Enter');
  await page.getByText('No drink is lost: everything that was recorded stays.').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button(page, 'Go back to version 0.1.0').click();
  await button(page, 'Change version').click();
  await page.getByText('Waiting for the updater.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(JSON.parse(readFileSync(requestFile(), 'utf8'))).toEqual({ action: 'switch', version: '0.1.0' });

  writeState({ update });
  takeRequest();
  await page.getByText('Checking whether it works').waitFor();
  expect(await button(page, 'Go back to version 0.1.0').isDisabled()).toBe(true);
  expect(await axeOn(page)).toEqual([]);
  writeState({ update: { ...update, phase: 'switching' } });
  await page.getByText('Switching. Tapster restarts.').waitFor();
  expect(await button(page, 'Cancel').count()).toBe(0);

  const { port } = http.address() as AddressInfo;
  await stop();
  await page.getByText('Tapster restarts. This page waits for it.').waitFor();
  updates = createVersion('0.1.0');
  writeState({ update: { ...update, phase: 'trial' } });
  await listen(port);
  await page.getByText('Version 0.1.0 is running on trial').waitFor();
  await page.getByText('This page still belongs to the version before.').waitFor();
  await button(page, 'Go back to version 0.2.0').first().waitFor();

  writeState({ previous: '0.2.0', last });
  await page.getByText('Version 0.1.0 was chosen again. No drink is lost.').waitFor();
  await page.getByRole('heading', { name: 'Version 0.1.0 is running' }).waitFor();
  await button(page, 'Switch to version 0.2.0').waitFor();
  await button(page, 'Reload').click();
  await page.getByRole('heading', { name: 'Version 0.1.0 is running' }).waitFor();
  await page.getByText('This page still belongs to the version before.').waitFor({ state: 'detached' });
  await page.context().close();
});

test('what is under way is cancelled before the switch', async () => {
  writeState({ update: { ...update, to: '0.3.0', phase: 'waiting' } });
  const page = await open();
  await page.getByText('Waiting until no tap is pouring, at most 15 minutes.').waitFor();
  await button(page, 'Cancel').click();
  await page.getByText('Ending. Version 0.2.0 stays.').waitFor();
  expect(JSON.parse(readFileSync(requestFile(), 'utf8'))).toEqual({ action: 'switch', version: '0.2.0' });
  writeState({ last: { ...last, to: '0.3.0', outcome: 'cancelled', reason: 'asked' } });
  takeRequest();
  await page.getByText('The change to version 0.3.0 was cancelled.').waitFor();
  await page.context().close();
});

test('an update that was taken back says why', async () => {
  const detail = 'SyntaxError: Unexpected token';
  writeState({ last: { ...last, to: '0.3.0', outcome: 'reverted', reason: 'restarts', detail } });
  const page = await open();
  await page.getByText('taken back, because it kept restarting').waitFor();
  await page.getByText('Details', { exact: true }).click();
  await page.getByText(detail).waitFor();
  await page.context().close();
});

test.each([320, 1280])('a new version is looked for and installed, at %i px', async (width) => {
  found = { ...noUpdateCheck, hasAddress: true };
  const page = await open('root', width);
  await page.getByText('No new version is known.').waitFor();
  await button(page, 'Check now').click();
  await page.getByText('Version 0.3.0 is available (31 MB').waitFor();
  await page.getByText('Kegs can be ordered by their age.').waitFor();
  await page.getByLabel('Look for new versions once a day').waitFor();
  expect(await axeOn(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await button(page, 'Install at 04:00').click();
  await page.getByText('Version 0.3.0 will be installed at 04:00.').waitFor();
  await button(page, 'Cancel installation').click();
  await page.getByText('Version 0.3.0 will be installed at 04:00.').waitFor({ state: 'detached' });
  await button(page, 'Install now').click();
  await expect.poll(() => asked).toEqual(['quiet_hour', 'cancel', 'now']);
  await page.context().close();
});

test('a checkout says how it is upgraded, and offers nothing else', async () => {
  updates = createVersion('0.2.0', null);
  const page = await open('root', 320);
  await page.getByText('Tapster runs from a checkout here').waitFor();
  expect(await page.getByText('New versions').count()).toBe(0);
  expect(await layoutFaults(page)).toEqual([]);
  await page.context().close();
});

test('staff who are no superusers do not see the page in the menu, and are told so on it', async () => {
  const page = await open('anna');
  await page.getByText('Only superusers can change the version.').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Backups', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Updates', exact: true }).count()).toBe(0);
  await page.context().close();
});

test.each([true, false])(
  'the set-up asks for the check where there is an address: %s',
  async (hasAddress) => {
    server.engine.users.changeSite({ isSetUp: false });
    found = { ...noUpdateCheck, hasAddress };
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 320, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const status = page.waitForResponse((response) => response.url().endsWith('/api/setup/status'));
    await page.goto(url());
    await status;
    await page.getByLabel('Set-up code').fill('K7QM-2RXA');
    await page.getByLabel('Bar name').fill('The Bent Spile');
    await page.getByLabel('User name', { exact: true }).fill('rosa');
    await page.getByLabel('Password').fill('a good long password');
    const check = page.getByLabel('Look for new versions once a day');
    if (hasAddress) {
      expect(await check.isChecked()).toBe(false);
      expect(await axeOn(page)).toEqual([]);
      expect(await layoutFaults(page)).toEqual([]);
      await check.check();
    } else expect(await check.count()).toBe(0);
    await page.getByRole('button', { name: 'Set up Tapster' }).click();
    await page.getByRole('heading', { level: 1, name: 'The Bent Spile' }).waitFor();
    expect(server.engine.users.site()).toMatchObject({ isSetUp: true, updatesCheck: hasAddress });
    await context.close();
  },
);

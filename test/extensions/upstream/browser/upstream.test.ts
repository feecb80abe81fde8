import type { Browser } from 'playwright-core';
import { afterAll, test as anyTest, beforeAll } from 'vitest';
import { answerPasswordDialog, logIn } from '../../../browser/kit/staff.ts';
import { openBrowser } from '../../../kit/browser.ts';
import { makeBar, quickBar, runCommand, startDaemon } from '../../../kit/daemon.ts';
import { servesDeviceEvents } from '../../../kit/device-events.ts';

const test = anyTest.runIf(servesDeviceEvents);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Starts a daemon with a staff user and opens a page logged in as that user. */
async function openBar(config: object) {
  const bar = makeBar(config);
  const daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await logIn(page, daemon.url);
  return {
    page,
    url: daemon.url,
    async close() {
      await page.context().close();
      await daemon.kill();
      bar.remove();
    },
  };
}

test('a branch waits until its upstream allows it, and then shows that it is connected', async () => {
  const main = await openBar(quickBar);
  const upstream = {
    url: `${main.url}/api/device-event`,
    device: 'branch',
    heartbeat_s: 10,
    allow_plain_http: true,
  };
  const branch = await openBar({ ...quickBar, upstream });
  await branch.page.goto(`${branch.url}/upstream`);
  await branch.page.getByRole('heading', { level: 2, name: 'Other server' }).waitFor();
  await branch.page
    .getByRole('region', { name: `Reports to ${new URL(main.url).host}` })
    .getByText('Pending.')
    .waitFor();

  // The main bar reports to nobody.
  await main.page.goto(`${main.url}/upstream`);
  await main.page.getByText('This feature is switched off.').waitFor();
  await main.page.goto(`${main.url}/meters`);
  await main.page.getByRole('button', { name: 'Approve: branch' }).click();
  await answerPasswordDialog(main.page);
  await branch.page.getByText('Connected. No reports waiting.').waitFor({ timeout: 45_000 });
  await branch.close();
  await main.close();
});

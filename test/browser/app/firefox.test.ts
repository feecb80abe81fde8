import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccounts } from '../../kit/accounts.ts';
import { type BarFolder, makeBar, type RunningDaemon, startDaemon } from '../../kit/daemon.ts';
import { type FirefoxPage, firefoxButton, hasFirefox, openFirefox } from '../kit/firefox.ts';
import { text } from '../kit/texts.ts';

const screen = { width: 1280, height: 900 };

/** The page’s main ways in Firefox; skipped where Debian’s `firefox-esr` is not installed. */
describe.skipIf(!hasFirefox)('in Firefox', () => {
  let bar: BarFolder;
  let daemon: RunningDaemon;
  let page: FirefoxPage;

  beforeAll(async () => {
    bar = makeBar();
    daemon = await startDaemon(bar);
    await addAccounts(bar, { anna: 'staff' });
    page = await openFirefox(screen);
  });
  afterAll(async () => {
    await page.close();
    await daemon.kill();
    bar.remove();
  });

  const overflow = () => page.run<number>('return document.documentElement.scrollWidth - innerWidth');

  test('the home page shows the taps with their kegs, live', async () => {
    await page.goto(daemon.url);
    await page.find('//article//*[contains(., "Harbour Light")]');
    await page.find(`//*[contains(@class, "is-live")]`);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });

  test('staff sign in, change a keg, and undo it', async () => {
    await page.goto(`${daemon.url}/log-in`);
    await page.type('//input[@name="username"]', 'anna');
    await page.type('//input[@name="password"]', 'a good long password');
    await page.click(`//main${firefoxButton(text('auth.logIn'))}`);
    await page.find('//*[contains(@class, "header-user")]');

    await page.goto(daemon.url);
    await page.click(firefoxButton(text('taps.manageTap', { tap: 'Left' })));
    await page.click(`//dialog${firefoxButton(text('kegs.endKeg'))}`);
    await page.find(`//dialog${firefoxButton(text('kegs.newKeg'))}`);
    await page.click(`//dialog${firefoxButton(text('common.undo'))}`);
    await page.find(`//dialog${firefoxButton(text('kegs.endKeg'))}`);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});

import type { Page } from 'playwright-core';
import { addAccounts } from '../../kit/accounts.ts';
import { openBrowser } from '../../kit/browser.ts';
import { makeBar, quickBar, startDaemon } from '../../kit/daemon.ts';
import { confirmPassword, logIn, recordDrinks } from './staff.ts';

export const tabletPin = '4719';

/** The left tap has a valve. */
const valveBar = {
  ...quickBar,
  toggles: [{ port: 'relay0', pin: 24 }],
  taps: [{ ...quickBar.taps[0], toggle: 'relay0' }, quickBar.taps[1]],
};

/** A bar with three drinks, Anna's own device, and a device that becomes the shared tablet. */
export async function startTabletBar() {
  const browser = await openBrowser();
  const bar = makeBar(valveBar);
  const daemon = await startDaemon(bar);
  const browserErrors: string[] = [];

  async function newDevice(): Promise<Page> {
    const page = await (
      await browser.newContext({ locale: 'en-GB', viewport: { width: 1024, height: 768 }, hasTouch: true })
    ).newPage();
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => browserErrors.push(error.message));
    return page;
  }
  await addAccounts(bar, { anna: 'staff', carl: 'staff' });
  const [annaPage, tablet] = [await newDevice(), await newDevice()];
  await logIn(annaPage, daemon.url);
  await recordDrinks(annaPage, 3);

  return {
    browser,
    url: daemon.url,
    annaPage,
    tablet,
    browserErrors,
    newDevice,

    /** Types a PIN twice on the user's own device; returns the card of the page. */
    async setPin(page: Page, digits: string, again = digits) {
      await page.goto(`${daemon.url}/account`);
      const card = page.getByRole('region', { name: 'PIN for shared tablets' });
      await card.getByLabel('PIN, 4 to 8 digits').fill(digits);
      await card.getByLabel('Repeat PIN').fill(again);
      await card.getByLabel('Your password').fill('a good long password');
      await card.getByRole('button', { name: 'Save PIN' }).click();
      return card;
    },

    /** Makes the tablet a shared one, by Carl. */
    async shareTablet() {
      await logIn(tablet, daemon.url, 'carl');
      await confirmPassword(tablet);
      await tablet.goto(`${daemon.url}/account`);
      await tablet.getByLabel('Name of this device').fill('Bar left');
      await tablet.getByRole('button', { name: 'Use this device as a shared tablet' }).click();
      await tablet.getByText('This device is the shared tablet “Bar left”.').waitFor();
    },

    async enterPin(digits: string) {
      for (const digit of digits) await tablet.getByRole('button', { name: digit, exact: true }).click();
      await tablet.getByRole('button', { name: 'OK' }).click();
    },

    pinBanner: () => tablet.getByText(/Signed in as/),
    pinDialog: () => tablet.getByRole('dialog', { name: 'PIN of anna' }),

    /** The newest entry of the audit log: action, user, way and tablet. */
    async newestEntry(): Promise<string | undefined> {
      const text = await annaPage.evaluate(async () => (await fetch('api/audit?limit=1')).text());
      const { entries } = JSON.parse(text).result as {
        entries: readonly { action: string; user_id: string; via: string; tablet: string | null }[];
      };
      return entries.map((entry) => `${entry.action} ${entry.user_id} ${entry.via} ${entry.tablet}`)[0];
    },

    /** A page of the shared tablet in a theme. */
    async openAs(options: { readonly colorScheme: 'light' | 'dark'; readonly locale: string }) {
      const context = await browser.newContext({
        ...options,
        reducedMotion: 'reduce',
        storageState: await tablet.context().storageState(),
      });
      const page = await context.newPage();
      await page.goto(daemon.url);
      return page;
    },

    async close() {
      await browser.close();
      await daemon.kill();
      bar.remove();
    },
  };
}

export type TabletBar = Awaited<ReturnType<typeof startTabletBar>>;

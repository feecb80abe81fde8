import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../../kit/daemon.ts';
import { logIn } from './staff.ts';

/** A running daemon with two simulated taps, and a browser in which Anna, who is staff, is logged in. */
export interface StaffBar {
  readonly browser: Browser;
  readonly bar: BarFolder;
  readonly daemon: RunningDaemon;
  readonly page: Page;
  /** An API key of Anna. */
  readonly key: string;
  close(): Promise<void>;
}

/** Starts the bar and logs Anna in. The page waits up to 15 s for what a test looks for. */
export async function openStaffBar(): Promise<StaffBar> {
  const browser = await openBrowser();
  const bar = makeBar(quickBar);
  const daemon = await startDaemon(bar);
  const key = await createStaffKey(bar, 'anna');
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(15_000);
  await logIn(page, daemon.url);
  return {
    browser,
    bar,
    daemon,
    page,
    key,
    async close() {
      await browser.close();
      await daemon.kill();
      bar.remove();
    },
  };
}

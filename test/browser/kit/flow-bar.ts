import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../kit/daemon.ts';
import { logIn } from './staff.ts';
import { text } from './texts.ts';

/** A running bar with the staff member anna and the member bert, and a page on which anna is logged in. */
export interface FlowBar {
  readonly browser: Browser;
  readonly bar: BarFolder;
  readonly daemon: RunningDaemon;
  readonly page: Page;
  /** Sends a request as anna and returns its result. */
  send<R>(method: string, path: string, body?: object): Promise<R>;
  /** Opens the dialog of the tap with that name on the home page. */
  openTap(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a bar whose two taps have a keg each. */
export async function startFlowBar(): Promise<FlowBar> {
  const browser = await openBrowser();
  const bar = makeBar(quickBar);
  const daemon = await startDaemon(bar);
  for (const [name, ...flags] of [['anna', '--staff'], ['bert']] as const) {
    await runCommand(['user', 'add', name, ...flags, '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  }
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  await logIn(page, daemon.url);
  return {
    browser,
    bar,
    daemon,
    page,
    async send<R>(method: string, path: string, body?: object): Promise<R> {
      const reply = await context.request.fetch(`${daemon.url}/api/${path}`, {
        method,
        ...(body && { data: body }),
      });
      if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
      return ((await reply.json()) as { result: R }).result;
    },
    async openTap(name) {
      await page.goto(daemon.url);
      await page.getByRole('button', { name: text('taps.manageTap', { tap: name }) }).click();
      await page.getByRole('dialog').waitFor();
    },
    async close() {
      await browser.close();
      await daemon.kill();
      bar.remove();
    },
  };
}

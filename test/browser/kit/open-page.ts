import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { type FakeDaemon, startFakeDaemon } from './fake-daemon.ts';

/** A guest before the page, and everything the browser had to complain about. */
export interface PageSession {
  readonly daemon: FakeDaemon;
  readonly page: Page;
  /** Errors in the console (refused styles and scripts among them), thrown errors, and requests to strangers. */
  readonly browserErrors: readonly string[];
  close(): Promise<void>;
}

/** Open the built page in a fresh profile on a house of the test's own. */
export async function openPage(
  browser: Browser,
  snapshot: SnapshotMessage,
  options: BrowserContextOptions = {},
): Promise<PageSession> {
  const daemon = await startFakeDaemon(snapshot);
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(daemon.url)) browserErrors.push(`asked ${request.url()}`);
  });
  await page.goto(daemon.url);
  await page.getByRole('heading', { level: 1, name: snapshot.title, exact: true }).waitFor();
  return {
    daemon,
    page,
    browserErrors,
    async close() {
      await context.close();
      await daemon.stop();
    },
  };
}

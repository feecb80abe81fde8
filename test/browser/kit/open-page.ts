import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { type FakeDaemon, startFakeDaemon } from './fake-daemon.ts';

/** A page of a fake daemon and its browser errors. */
export interface PageSession {
  readonly daemon: FakeDaemon;
  readonly page: Page;
  /** Console errors and warnings (including rejected styles and scripts), thrown errors, and requests to other hosts. */
  readonly browserErrors: readonly string[];
  close(): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether a staff member is logged in. */
  readonly isStaff?: boolean;
}

/** Opens the built page in a new browser profile, served by a fake daemon. */
export async function openPage(
  browser: Browser,
  snapshot: SnapshotMessage,
  { isStaff = false, ...options }: PageOptions = {},
): Promise<PageSession> {
  const daemon = await startFakeDaemon(snapshot, { isStaff });
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

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { addAccounts, addKey } from '../../kit/accounts.ts';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
  tapKegsAMonthAgo,
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
  /** Errors thrown in the pages so far. */
  readonly browserErrors: string[];
  /** Opens a page in a new browser profile, logged in as that user if one is given. */
  openPage(device?: BrowserContextOptions, user?: string): Promise<Page>;
  /** Sends a request with that key and returns its result; throws the answer of a refusal. */
  callApi<R = never>(method: string, path: string, body?: object): Promise<R>;
  /** Generates a pour at the left tap. */
  pour(ml: number, hz?: number): Promise<void>;
  close(): Promise<void>;
}

interface StaffBarOptions {
  /** Usernames of further accounts, which have Anna's password. */
  readonly members?: readonly string[];
  /** As `members`, who are staff. */
  readonly colleagues?: readonly string[];
  /** The browser of the page. */
  readonly device?: BrowserContextOptions;
  /** The role of Anna; staff unless told. */
  readonly role?: 'staff' | 'superuser';
  /** False leaves the page empty, for tests of guests. */
  readonly logsIn?: boolean;
  /** Settings of the configuration file besides those of `quickBar`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Makes the files that the daemon finds at its start. */
  readonly prepare?: (bar: BarFolder) => void;
  /** How long a page waits for what a test looks for; 15 s unless told. */
  readonly timeoutMs?: number;
}

/** Starts the bar and logs Anna in. */
export async function openStaffBar({
  members = [],
  colleagues = [],
  device,
  role = 'staff',
  logsIn = true,
  settings,
  prepare,
  timeoutMs = 15_000,
}: StaffBarOptions = {}): Promise<StaffBar> {
  const browser = await openBrowser();
  const bar = makeBar({ ...quickBar, ...settings });
  prepare?.(bar);
  const daemon = await startDaemon(bar);
  tapKegsAMonthAgo(bar);
  await addAccounts(bar, {
    anna: role,
    ...Object.fromEntries(members.map((name) => [name, 'member' as const])),
    ...Object.fromEntries(colleagues.map((name) => [name, 'staff' as const])),
  });
  const key = addKey(bar, 'anna');
  const browserErrors: string[] = [];
  async function openPage(options: BrowserContextOptions = {}, user?: string) {
    const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
    page.setDefaultTimeout(timeoutMs);
    page.on('pageerror', (error) => browserErrors.push(error.message));
    if (user !== undefined) await logIn(page, daemon.url, user);
    return page;
  }
  const page = await openPage(device, logsIn ? 'anna' : undefined);
  return {
    browser,
    bar,
    daemon,
    page,
    key,
    browserErrors,
    openPage,
    async callApi<R>(method: string, path: string, body?: object): Promise<R> {
      const isForm = body instanceof FormData;
      const reply = await fetch(`${daemon.url}/api/${path}`, {
        method,
        headers: { 'X-Kegbot-Api-Key': key, ...(!isForm && { 'Content-Type': 'application/json' }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
      return (JSON.parse(text) as { result: R }).result;
    },
    async pour(ml, hz = 400) {
      const reply = await fetch(`${daemon.url}/api/simulator/pulses`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        // 5 ticks per millilitre, as in `quickBar`.
        body: JSON.stringify({ meter: 'pi.flow0', ticks: ml * 5, hz }),
      });
      if (!reply.ok) throw new Error(await reply.text());
    },
    async close() {
      await browser.close();
      await daemon.kill();
      bar.remove();
    },
  };
}

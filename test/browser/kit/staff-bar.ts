import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../kit/browser.ts';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
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
  /** Sends a request with that key and returns its result; throws the answer of a refusal. */
  callApi<R = never>(method: string, path: string, body?: object): Promise<R>;
  close(): Promise<void>;
}

interface StaffBarOptions {
  /** Usernames of further accounts, which have Anna's password. */
  readonly members?: readonly string[];
  /** The browser of the page. */
  readonly device?: BrowserContextOptions;
  /** The role of Anna; staff unless told. */
  readonly role?: 'staff' | 'superuser';
  /** Settings of the configuration file besides those of `quickBar`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Makes the files that the daemon finds at its start. */
  readonly prepare?: (bar: BarFolder) => void;
  /** How long the page waits for what a test looks for; 15 s unless told. */
  readonly timeoutMs?: number;
}

/** Starts the bar and logs Anna in. */
export async function openStaffBar({
  members = [],
  device,
  role,
  settings,
  prepare,
  timeoutMs = 15_000,
}: StaffBarOptions = {}): Promise<StaffBar> {
  const browser = await openBrowser();
  const bar = makeBar({ ...quickBar, ...settings });
  prepare?.(bar);
  const daemon = await startDaemon(bar);
  tapKegsAMonthAgo(bar);
  const key = await createStaffKey(bar, 'anna', role);
  for (const name of members) {
    await runCommand(['user', 'add', name, '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  }
  const page = await (await browser.newContext({ locale: 'en-GB', ...device })).newPage();
  page.setDefaultTimeout(timeoutMs);
  await logIn(page, daemon.url);
  return {
    browser,
    bar,
    daemon,
    page,
    key,
    async callApi<R>(method: string, path: string, body?: object): Promise<R> {
      const reply = await fetch(`${daemon.url}/api/${path}`, {
        method,
        headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
      return (JSON.parse(text) as { result: R }).result;
    },
    async close() {
      await browser.close();
      await daemon.kill();
      bar.remove();
    },
  };
}

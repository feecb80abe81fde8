import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { addAccounts, addKey } from '../../kit/accounts.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
  tapKegsAMonthAgo,
} from '../../kit/daemon.ts';
import { logIn } from './staff.ts';

/** A bar with drinks of Anna, who is staff, and of the members Bert and Carla. */
export interface PeopleBar {
  readonly bar: BarFolder;
  readonly daemon: RunningDaemon;
  /** Sends an API request with Anna's key; throws unless it succeeds. */
  callApi<R = Record<string, never>>(method: string, path: string, body?: object): Promise<R>;
  /** Opens a page in a new browser profile, logged in as this user if one is given. */
  open(path: string, user?: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

/** Starts the bar: keg 1 is on the left tap, keg 2 on the right one; drinks are added by the tests. */
export async function startPeopleBar(browser: Browser): Promise<PeopleBar> {
  const bar = makeBar(quickBar);
  const daemon = await startDaemon(bar);
  tapKegsAMonthAgo(bar);
  await addAccounts(bar, { anna: 'staff', bert: 'member', carla: 'member' });
  const key = addKey(bar, 'anna');

  async function callApi<R>(method: string, path: string, body?: object): Promise<R> {
    const isForm = body instanceof FormData;
    const reply = await fetch(`${daemon.url}/api/${path}`, {
      method,
      headers: {
        'X-Kegbot-Api-Key': key,
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text).result;
  }

  async function open(path: string, user?: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: 390, height: 844 },
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    if (user !== undefined) await logIn(page, daemon.url, user);
    await page.goto(`${daemon.url}${path}`);
    return page;
  }

  return {
    bar,
    daemon,
    callApi,
    open,
    async stop() {
      await daemon.kill();
      bar.remove();
    },
  };
}

/** A drink added by staff. */
interface AddedDrink {
  readonly tap?: number;
  readonly ml: number;
  readonly username?: string;
  readonly time: string;
  readonly shout?: string;
}

/** Adds a drink; returns its id. */
export async function addDrink({ callApi }: PeopleBar, { tap = 1, ml, time, ...fields }: AddedDrink) {
  const { drink } = await callApi<{ drink: { id: number } }>('POST', `taps/${tap}/record-drink`, {
    volume_ml: ml,
    pour_time: time,
    ...fields,
  });
  return drink.id;
}

/** A small JPEG picture. */
export const photo = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'gold' } })
    .jpeg()
    .toBuffer();

/** Gives a drink a picture. */
export async function addPicture({ callApi }: PeopleBar, drinkId: number) {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await photo())], { type: 'image/jpeg' }), 'glass.jpg');
  await callApi('POST', `drinks/${drinkId}/picture`, form);
}

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccounts } from '../../kit/accounts.ts';
import { openBrowser } from '../../kit/browser.ts';
import { addDrink, type PeopleBar, startPeopleBar } from '../kit/people-bar.ts';

/** Lists and objects of the legacy API that have addresses of pages. */
const legacyPaths = [
  'drinks',
  'drinks/1',
  'sessions',
  'sessions/1',
  'users',
  'users/bert',
  'events',
  'kegs/1/drinks',
];

/** Short addresses and those without a trailing slash, which links in old mails and posts have. */
const shortAddresses = ['/d/1', '/s/1', '/sessions/1', '/drinks/1', '/drinkers/bert', '/kegs/1', '/taps/1'];

/** A username with letters that an address encodes. */
const rareName = 'Zoë+1@bar.example';

let browser: Browser;
let bar: PeopleBar;

beforeAll(async () => {
  browser = await openBrowser();
  bar = await startPeopleBar(browser);
  await addAccounts(bar.bar, { [rareName]: 'member' });
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await addDrink(bar, { ml: 400, username: 'bert', time: hourAgo });
  await addDrink(bar, { ml: 300, username: rareName, time: hourAgo });
});
afterAll(async () => {
  await browser.close();
  await bar.stop();
});

/** All addresses of pages in an answer, at any depth. */
function findAddresses(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'url' && typeof member === 'string' && member.startsWith('/') ? [member] : findAddresses(member),
  );
}

/** The addresses in the answers to controllers and apps, without those of pictures. */
async function readLegacyAddresses(): Promise<readonly string[]> {
  const addresses = new Set<string>();
  for (const path of legacyPaths) {
    const reply = await fetch(`${bar.daemon.url}/api/v1/${path}?format=kegbot`);
    for (const address of findAddresses(await reply.json())) addresses.add(address);
  }
  return [...addresses].filter((address) => !address.startsWith('/api/'));
}

test('each address in the answers for existing clients opens the page of its thing', async () => {
  const addresses = await readLegacyAddresses();
  for (const kind of [
    /^\/drinks\/1\/$/,
    /^\/drinkers\/bert\/$/,
    /^\/drinkers\/Zo%/,
    /^\/sessions\/\d+\/\d+\/\d+\/1\/$/,
  ])
    expect(
      addresses.some((address) => kind.test(address)),
      `${kind} in ${addresses}`,
    ).toBe(true);

  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  for (const address of [...addresses, ...shortAddresses]) {
    const reply = await page.goto(bar.daemon.url + address);
    expect(reply!.status(), address).toBe(200);
    await page.getByText(titleOf(address)).first().waitFor();
    await page
      .getByText(/400\smL|300\smL|700\smL/)
      .first()
      .waitFor();
    expect(await page.locator('.empty-state').count(), address).toBe(0);
  }
  expect(faults).toEqual([]);
});

/** What the title of the page at an address contains. */
function titleOf(address: string): string | RegExp {
  const parts = address.split('/').filter(Boolean);
  if (parts[0] === 'drinkers') return decodeURIComponent(parts[1]!);
  if (parts[0] === 's' || parts[0] === 'sessions') return /^Session of /;
  if (parts[0] === 'taps') return 'Left';
  if (parts[0] === 'kegs') return 'Top drinkers';
  return parts[1] === '1' ? /^400\smL / : /^300\smL /;
}

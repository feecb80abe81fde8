import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDrinks, shapes } from '../../bench/data/many-drinks.mjs';
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
import { isSlowRun } from '../../kit/slow.ts';
import { logIn } from '../kit/staff.ts';

/** Some are older than the 30 days of the charts, which have more than 8 000. */
const drinkCount = isSlowRun ? 200_000 : 12_000;
const maxRequests = 2;
const maxBytes = 50_000;
/** A page has loaded, or loaded again, when it has asked for nothing for so long. */
const quietMs = 1_500;

let browser: Browser;
let context: BrowserContext;
let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;
/** The exported drinks, by column. */
let rows: readonly Readonly<Record<string, string>>[];

beforeAll(async () => {
  bar = makeBar({ ...quickBar, http: { ...quickBar.http, rate_limits: false } });
  daemon = await startDaemon(bar);
  tapKegsAMonthAgo(bar);
  key = await createStaffKey(bar, 'anna');
  for (const name of ['ben', 'cleo', 'dora'])
    await runCommand(['user', 'add', name, '--password-stdin', '--config', bar.configFile], {
      input: 'a good long password\n',
    });
  await daemon.stop();
  addDrinks(bar.database, drinkCount, {
    ...shapes.bar,
    untilMs: Date.now() - 3_600_000,
    volumeMl: '200 + n.i * 7919 % 301',
  });
  daemon = await startDaemon(bar);
  browser = await openBrowser();
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  await logIn(await context.newPage(), daemon.url);
  rows = await readExport();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await daemon?.kill();
  bar?.remove();
});

const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
  const reply = await fetch(`${daemon.url}/api/${path}`, {
    ...init,
    headers: { 'X-Kegbot-Api-Key': key, ...init.headers },
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.text();
};
const read = async (path: string) => JSON.parse(await ask(path)).result;

async function readExport() {
  const [head, ...lines] = (await ask('admin/export/drinks.csv')).trim().split(/\r?\n/);
  const columns = head!.replace('\ufeff', '').split(',');
  // No text of these drinks has a comma.
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [columns[i]!, cell])));
}

/** Millilitres of the exported drinks by a key. */
function sums(keyOf: (row: Readonly<Record<string, string>>) => string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const row of rows) found[keyOf(row)] = (found[keyOf(row)] ?? 0) + Number(row.volume_ml);
  return found;
}

test('each figure of the statistics equals a recomputation from the export', async () => {
  const byDay = sums(({ pour_time: time }) => time!.slice(0, 10));
  const { stats, days, volume_by_hour: hours } = await read('stats/system');
  expect(rows).toHaveLength(drinkCount);
  expect(stats.total_pours).toBe(drinkCount);
  expect(stats.total_volume_ml).toBe(rows.reduce((sum, { volume_ml: ml }) => sum + Number(ml), 0));
  expect(stats.volume_by_drinker).toEqual(sums(({ user_id: user }) => user || 'guest'));
  const dates: string[] = days.map(({ date }: { date: string }) => date);
  expect(dates).toHaveLength(30);
  // The zone of a new bar is UTC, its day ends at midnight or later.
  const { business } = await read('admin/business');
  const [endHour, endMinute] = business.day_ends.split(':').map(Number);
  const endMs = (endHour * 60 + endMinute) * 60_000;
  const dayOf = (time: string) => new Date(Date.parse(time) - endMs).toISOString().slice(0, 10);
  const byBusinessDay = sums(({ pour_time: time }) => dayOf(time!));
  expect(days.map(({ volume_ml: ml }: { volume_ml: number }) => ml)).toEqual(
    dates.map((date) => byBusinessDay[date] ?? 0),
  );
  expect(days.filter(({ pours }: { pours: number }) => pours > 0).length).toBeGreaterThan(25);
  expect(Object.keys(byDay).length).toBeGreaterThan(30);
  const shown = new Set(dates);
  const byHour = sums(({ pour_time: time }) =>
    shown.has(dayOf(time!)) ? String(Number(time!.slice(11, 13))) : 'older',
  );
  expect(hours).toEqual(Array.from({ length: 24 }, (_, i) => byHour[String(i)] ?? 0));

  const session = rows.at(-1)!.session_id!;
  const ofSession = await read(`sessions/${session}/stats`);
  const own = (column: string, other: string) =>
    sums((row) => (row.session_id === session ? row[column] || other : 'else'));
  const { else: _others, ...people } = own('user_id', 'guest');
  expect(
    Object.fromEntries(
      ofSession.users.map((one: { user_id: string | null; volume_ml: number }) => [
        one.user_id ?? 'guest',
        one.volume_ml,
      ]),
    ),
  ).toEqual(people);
  const { else: _more, ...kegs } = own('keg_id', 'none');
  expect(
    Object.fromEntries(
      ofSession.kegs.map((one: { keg_id: number; volume_ml: number }) => [one.keg_id, one.volume_ml]),
    ),
  ).toEqual(kegs);
  expect(ofSession.course.at(-1).volume_ml).toBe(ofSession.session.volume_ml);
  for (const keg of Object.keys(kegs)) {
    const ofKeg = await read(`kegs/${keg}/stats`);
    expect(ofKeg.course.at(-1).volume_ml).toBe(sums(({ keg_id: id }) => id!)[keg]);
  }
  const beers = sums(({ user_id: user, beverage }) => `${user} ${beverage}`);
  const ofBen = await read('users/ben/stats');
  for (const { beverage_name: name, volume_ml: ml } of ofBen.beverages) expect(ml).toBe(beers[`ben ${name}`]);
  expect(ofBen.beverages.length).toBeGreaterThan(0);

  // The page shows the same days, in litres.
  const page = await context.newPage();
  await page.goto(`${daemon.url}/statistics`);
  const table = page.locator('figure.chart').first();
  await table.getByText('As a table').click();
  const cells = await table.locator('tbody td').allTextContents();
  expect(cells.map((text) => Number.parseFloat(text))).toEqual(
    dates.map((date) => expect.closeTo((byBusinessDay[date] ?? 0) / 1000, 0)),
  );
  await page.close();
}, 60_000);

/** A page that notes what it loads. */
interface Watched {
  readonly address: string;
  readonly page: Page;
  loaded: { readonly path: string; readonly bytes: number }[];
  lastMs: number;
}

async function open(address: string): Promise<Watched> {
  const page = await context.newPage();
  const watched: Watched = { address, page, loaded: [], lastMs: Date.now() };
  page.on('request', () => {
    watched.lastMs = Date.now();
  });
  page.on('response', async (reply) => {
    if (reply.request().resourceType() === 'eventsource') return;
    const bytes = await reply.body().then(
      (body) => body.length,
      () => 0,
    );
    watched.loaded.push({ path: new URL(reply.url()).pathname, bytes });
    watched.lastMs = Date.now();
  });
  await page.goto(`${daemon.url}${address}`);
  return watched;
}

const untilQuiet = (pages: readonly Watched[]) =>
  expect
    .poll(() => pages.every(({ lastMs }) => Date.now() - lastMs > quietMs), {
      timeout: 30_000,
      interval: 100,
    })
    .toBe(true);

test('a pour costs an open page at most 2 requests and 50 KB', async () => {
  const { keg_id: keg, session_id: session, id } = rows.at(-1)!;
  const { taps } = await read('taps');
  const tapped = taps[0].keg.id;
  const addresses = [
    '/',
    '/drinks',
    `/drinks?session=${session}`,
    `/drinks/${id}`,
    '/sessions',
    `/sessions/${session}`,
    '/kegs',
    `/kegs/${keg}`,
    `/kegs/${tapped}`,
    '/drinkers/ben',
    '/statistics',
    '/activity',
    '/reports',
    '/menu',
    '/taps/1',
    '/kiosk',
  ];
  const costs: string[] = [];
  for (let first = 0; first < addresses.length; first += 4) {
    const pages = await Promise.all(addresses.slice(first, first + 4).map(open));
    await untilQuiet(pages);
    for (const one of pages) Object.assign(one, { loaded: [], lastMs: Date.now() });
    await ask(`v1/taps/${taps[0].tap.meter_name}`, {
      method: 'POST',
      body: new URLSearchParams({ ticks: '1500', username: 'ben' }),
    });
    await untilQuiet(pages);
    for (const { address, loaded, page } of pages) {
      const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0);
      const paths = loaded.map(({ path, bytes: size }) => `${path} ${size}`).join(', ');
      costs.push(`${address}: ${loaded.length} requests, ${bytes} bytes (${paths})`);
      expect.soft(loaded.length, costs.at(-1)).toBeLessThanOrEqual(maxRequests);
      expect.soft(bytes, costs.at(-1)).toBeLessThanOrEqual(maxBytes);
      await page.close();
    }
  }
  console.log(costs.join('\n'));
}, 180_000);

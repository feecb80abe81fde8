import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PourMessage, SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { openBrowser } from '../../kit/browser.ts';
import { createDrink, createSnapshot, createTap } from '../kit/live-messages.ts';
import { openPage, type PageOptions, type PageSession } from '../kit/open-page.ts';

let browser: Browser;
let session: PageSession;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => session.close());

async function open(snapshot: SnapshotMessage, options?: PageOptions) {
  session = await openPage(browser, snapshot, options);
  return session;
}

function createPourMessage(changes: Partial<PourMessage> = {}): PourMessage {
  return { tap_id: '1', pour_id: 'p1', state: 'flowing', ticks: 27, volume_ml: 5, ...changes };
}

test('a running pour counts up on the odometer, lowers the keg level, and appears in the drink list', async () => {
  const { daemon, page, browserErrors } = await open(createSnapshot());
  const odometer = page.locator('.odometer-text');
  expect(await page.locator('.meter-caption').innerText()).toMatch(/^Last pour /);
  expect(await odometer.innerText()).toBe('412 mL');

  daemon.sendPour(createPourMessage({ state: 'started', ticks: 1, volume_ml: 0.2 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  expect(await odometer.innerText()).toBe('0 mL');
  for (const ml of [60, 180, 330]) {
    daemon.sendPour(createPourMessage({ ticks: Math.round(ml * 5.4), volume_ml: ml }));
    await page.getByText(`${ml} mL`, { exact: true }).waitFor({ state: 'attached' });
  }
  expect(await page.locator('.fact-left').innerText()).toMatch(/19\.5\s*L/);

  daemon.sendPour(createPourMessage({ state: 'ended', ticks: 1782, volume_ml: 330 }));
  await page.getByText('Poured', { exact: true }).waitFor();
  const keg = { id: 7, percent_full: 0.649, volume_ml_remain: 19_470, full_volume_ml: 30_000 };
  daemon.sendSnapshot(
    createSnapshot({
      taps: [createTap({ keg, last_drink: { ...createTap().last_drink!, id: 2, volume_ml: 330 } })],
      drinks: [createDrink({ id: 2, volume_ml: 330, user_id: null }), createDrink()],
    }),
  );
  const rows = page.getByRole('region', { name: 'Last drinks' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.first().innerText()).toMatch(/330\s*mL\s+Amsel Helles\s+Guest · Window tap/);
  expect(await odometer.innerText()).toBe('330 mL');
  expect(await page.locator('[aria-live=polite]').allInnerTexts()).toContain(
    '330\u00a0mL of Amsel Helles poured at Window tap.',
  );
  expect(browserErrors).toEqual([]);
});

test('a page opened during a pour shows the running pour', async () => {
  const pouring = { pour_id: 'p9', ticks: 540, volume_ml: 100 };
  const { page } = await open(createSnapshot({ taps: [createTap({ pouring })] }));
  expect(await page.locator('.meter-caption').innerText()).toBe('Pouring');
  expect(await page.locator('.odometer-text').innerText()).toBe('100 mL');
});

test('the odometer drums show the digits of the volume', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ volume_ml: 1207.4 }));
  await page.getByText('1,207 mL', { exact: true }).waitFor({ state: 'attached' });
  const digits = await page
    .locator('.drum-strip')
    .evaluateAll((strips) => strips.map((strip) => strip.getAttribute('style')?.replace(/\D/g, '')));
  expect(digits.join('')).toBe('1207');
});

test('a drip ends without changing the last pour', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ state: 'started', ticks: 1, volume_ml: 0.2 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  daemon.sendPour(createPourMessage({ state: 'dripped', ticks: 1, volume_ml: 0.2 }));
  await page.getByText(/^Last pour/).waitFor();
  expect(await page.locator('.odometer-text').innerText()).toBe('412 mL');
});

test('the first message of a pour is shown without waiting for the next one', async () => {
  const { daemon, page } = await open(createSnapshot());
  for (let pour = 1; pour <= 7; pour += 1) {
    const ml = 600 + pour;
    daemon.sendPour(createPourMessage({ pour_id: `p${pour}`, volume_ml: ml }));
    // The delay is measured by `npm run bench -- page`.
    await page
      .locator('.odometer-text')
      .getByText(`${ml} mL`, { exact: true })
      .waitFor({ state: 'attached' });
  }
});

test('a lost connection is shown to staff two seconds after the daemon has gone, until it is back', async () => {
  const { daemon, page } = await open(createSnapshot(), { isStaff: true });
  const banner = page.getByText('No connection.');
  const stoppedMs = Date.now();
  await daemon.stop();
  await banner.waitFor();
  expect(Date.now() - stoppedMs).toBeGreaterThan(1_900);
  expect(await page.getByText('Not live').count()).toBe(1);
  expect(await page.locator('.fact-left').innerText()).toMatch(/19\.8/);

  const keg = { id: 7, percent_full: 0.5, volume_ml_remain: 15_000, full_volume_ml: 30_000 };
  daemon.sendSnapshot(createSnapshot({ taps: [createTap({ keg })] }));
  await daemon.restart();
  await banner.waitFor({ state: 'detached' });
  expect(await page.locator('.fact-left').innerText()).toMatch(/15\.0\s*L/);
});

test('a pour interrupted by a restart of the daemon does not stay on the odometer', async () => {
  const { daemon, page } = await open(createSnapshot());
  daemon.sendPour(createPourMessage({ volume_ml: 90 }));
  await page.getByText('Pouring', { exact: true }).waitFor();
  await daemon.stop();
  await daemon.restart();
  await page.getByText(/^Last pour/).waitFor();
});

test('a silent stream is opened again', async () => {
  const { daemon, page } = await open(createSnapshot());
  expect(daemon.connectionCount).toBe(1);
  await page.clock.install();
  // Silence is measured from the last message, so one must arrive under the fake clock.
  daemon.sendSnapshot(createSnapshot({ title: 'The Quiet Bar' }));
  await page.getByRole('heading', { name: 'The Quiet Bar' }).waitFor();
  await page.clock.runFor(46_000);
  await expect.poll(() => daemon.connectionCount).toBe(2);
});

test('the button of a simulated tap makes a pour, also by keyboard', async () => {
  const { daemon, page, browserErrors } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' })] }),
  );
  // Tabs past the navigation links.
  const button = page.getByRole('button', { name: 'Pour 300 mL at Window tap' });
  const isReached = () => button.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let step = 0; step < 20 && !(await isReached()); step += 1) await page.keyboard.press('Tab');
  expect(await isReached()).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => daemon.postedRequests.length).toBe(1);
  expect(daemon.postedRequests[0]).toEqual({
    path: '/api/simulator/pulses',
    contentType: 'application/json',
    body: { meter: 'pi.flow0', ticks: 1620, hz: 324 },
  });

  // During the pour the button keeps the focus but starts no second pour.
  await page.keyboard.press('Enter');
  daemon.sendPour(createPourMessage());
  await page.getByText('Pouring', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap', disabled: true }).waitFor();
  await page.keyboard.press('Enter');
  daemon.sendPour(createPourMessage({ state: 'ended' }));
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap', disabled: false }).waitFor();
  expect(daemon.postedRequests).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => daemon.postedRequests.length).toBe(2);
  expect(browserErrors).toEqual([]);
});

test('a real meter next to simulated ones has no button', async () => {
  const remote = createTap({
    id: '2',
    name: 'Far tap',
    meter_name: 'kegboard-1.flow0',
    meter_state: 'counting',
  });
  const { page } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' }), remote] }),
  );
  expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual([
    expect.stringContaining('Window tap'),
  ]);
});

test('a rejected pour shows its reason', async () => {
  const { daemon, page } = await open(
    createSnapshot({ simulated: true, taps: [createTap({ meter_state: 'simulated' })] }),
  );
  daemon.rejectPosts('Pulses can only be made from this machine.');
  await page.getByRole('button', { name: 'Pour 300 mL at Window tap' }).click();
  await page.getByText('Pulses can only be made from this machine.').waitFor();
});

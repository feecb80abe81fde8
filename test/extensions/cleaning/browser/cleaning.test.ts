import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { type FlowBar, startFlowBar } from '../../../browser/kit/flow-bar.ts';

let bar: FlowBar;

beforeAll(async () => {
  bar = await startFlowBar();
});
afterAll(() => bar.close());

interface Cleaning {
  readonly id: number;
  readonly step: string | null;
  readonly entries: readonly { readonly rinse_ph: number | null; readonly result: string }[];
}

const shoot = async (name: string) => {
  const folder = process.env.TAPSTER_CLEANING_SHOTS;
  if (folder) await bar.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])('on %s staff clean a line step by step; the timer goes on after a reload', async (_what, width) => {
  const { page } = bar;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${bar.daemon.url}/taps/1/cleaning`);
  await page.getByLabel('Volume of the line').fill('0,5');
  await shoot(`start-${width}`);
  await page.getByRole('button', { name: 'Start cleaning' }).click();
  await page.getByRole('heading', { name: 'Push out beer' }).waitFor();
  await page.getByRole('button', { name: 'Next: Cleaner in' }).click();
  await page.getByRole('button', { name: 'Next: Contact time' }).click();
  const timer = page.getByRole('timer');
  await timer.waitFor();
  const seconds = async () => {
    const [minutes = 0, rest = 0] = ((await timer.textContent()) ?? '').split(':').map(Number);
    return minutes * 60 + rest;
  };
  const before = await seconds();
  expect(before).toBeGreaterThan(19 * 60);
  await page.reload();
  await timer.waitFor();
  expect(await seconds()).toBeLessThanOrEqual(before);
  expect(await seconds()).toBeGreaterThan(19 * 60 - 120);
  expect(await axeOn(page)).toEqual([]);
  await shoot(`contact-${width}`);
  await page.goto(`${bar.daemon.url}/`);
  await page.getByText('Being cleaned').waitFor();
  await shoot(`card-${width}`);
  await page.goto(`${bar.daemon.url}/taps/1/cleaning`);
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await page.getByLabel('Cleaner', { exact: true }).fill('Line cleaner');
  await page.getByLabel('pH of the rinse water').fill('7,2');
  // Only a person says that it passed.
  expect(await page.getByLabel('Result').inputValue()).toBe('not_checked');
  await page.getByLabel('Result').selectOption({ label: 'Passed' });
  await shoot(`finish-${width}`);
  await page.getByRole('button', { name: 'Add to log' }).click();
  await page.getByRole('button', { name: 'Start cleaning' }).waitFor();
  const { cleanings } = await bar.callApi<{ cleanings: readonly Cleaning[] }>('GET', 'cleanings');
  expect(cleanings[0]?.entries).toMatchObject([{ rinse_ph: 7.2, result: 'passed' }]);

  await page.goto(`${bar.daemon.url}/cleaning/log`);
  await page.getByRole('button', { name: 'Correct' }).first().click();
  await page.getByLabel('pH of the rinse water').last().fill('9');
  await page.getByRole('button', { name: 'Add correction' }).click();
  await page.getByText('Corrected. Before:').first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  await shoot(`log-${width}`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Correct' }).first().isVisible()).toBe(false);
  await shoot(`print-${width}`);
  await page.emulateMedia({ media: 'screen' });
});

test.each([
  ['a phone', 390],
  ['a desktop', 1440],
])('on %s staff answer with one touch whether it was a cleaning, and undo it', async (_what, width) => {
  const { page } = bar;
  await page.setViewportSize({ width, height: 900 });
  const { drink } = await bar.callApi<{ drink: { id: number } }>('POST', 'taps/1/record-drink', {
    volume_ml: 9_000,
  });
  await page.goto(`${bar.daemon.url}/cleaning`);
  const question = page.getByRole('region', { name: 'Was this a cleaning?' });
  await question.waitFor();
  await shoot(`questions-${width}`);
  await question.getByRole('button', { name: 'Yes, cleaning' }).first().click();
  const isDrink = async () =>
    (await bar.callApi<{ drinks: readonly { id: number }[] }>('GET', 'drinks')).drinks.some(
      ({ id }) => id === drink.id,
    );
  await expect.poll(isDrink).toBe(false);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(isDrink).toBe(true);
  await question.getByRole('button', { name: 'No', exact: true }).first().click();
  await expect.poll(() => question.count()).toBe(0);
});

test('the bell says that a flow looks like a cleaning, and leads to the question', async () => {
  const { page } = bar;
  await page.setViewportSize({ width: 390, height: 900 });
  await bar.callApi('POST', 'taps/1/record-drink', { volume_ml: 9_500 });
  // The number of questions is up to ten minutes old after a pour, and new after a change.
  await bar.callApi('PATCH', 'site', { title: 'The Clean Bar' });
  await page.goto(bar.daemon.url);
  await page.locator('.header .notices .header-button').first().click();
  await page.getByRole('link', { name: /Was this a cleaning\?/ }).click();
  const question = page.getByRole('region', { name: 'Was this a cleaning?' });
  await question.getByRole('button', { name: 'No', exact: true }).first().click();
  await expect.poll(() => question.count()).toBe(0);
});

test('guests read on the menu how long ago a line was cleaned, once the site shows it', async () => {
  const { page } = bar;
  await bar.callApi('POST', 'cleanings', {
    tap: '1',
    kind: 'caustic',
    result: 'passed',
    started_time: '2026-01-02T10:00:00Z',
    ended_time: '2026-01-02T11:00:00Z',
  });
  const shown = page.getByText(/^Cleaned (today|yesterday|\d+ days ago)$/);
  await page.goto(`${bar.daemon.url}/menu`);
  await page.locator('.menu-price').first().waitFor();
  expect(await shown.count()).toBe(0);
  await bar.callApi('PATCH', 'site', { show_days_since_cleaning: true });
  await page.reload();
  await shown.first().waitFor();
});

test('a rule is applied to all taps, and the temperature sheet is there to print', async () => {
  const { page } = bar;
  await page.goto(`${bar.daemon.url}/cleaning`);
  await page.getByLabel('Rule').selectOption('United Kingdom: Cask Marque');
  await page.getByRole('button', { name: 'Apply to all taps' }).click();
  const plans = page.locator('.cleaning-plans').getByText('every 7 days');
  await plans.first().waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => plans.count()).toBe(0);
  await page.getByRole('button', { name: 'Apply to all taps' }).click();
  await plans.first().waitFor();
  expect(await axeOn(page)).toEqual([]);
  await shoot('plans-1440');
  await page.goto(`${bar.daemon.url}/temperature-sheet`);
  await page.getByLabel('Month').waitFor();
  expect(await axeOn(page)).toEqual([]);
  await shoot('sheet-1440');
});

test('a cleaning entered afterwards with an end that cannot be is refused at the field', async () => {
  const { page } = bar;
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(`${bar.daemon.url}/cleaning/log`);
  await page.getByText('Enter a cleaning afterwards').click();
  const ended = page.getByLabel('Ended');
  const add = page.getByRole('button', { name: 'Add to log' });
  await page.getByLabel('Started').fill('2026-01-02T10:00');
  await ended.fill('2026-01-04T10:00');
  await add.click();
  await page.getByText('must not be before the start or more than a day after it', { exact: true }).waitFor();
  expect(await ended.getAttribute('aria-invalid')).toBe('true');
  await shoot('manual-390');
  await ended.fill('2098-01-02T11:00');
  await add.click();
  await page.getByText('must not be in the future', { exact: true }).waitFor();
  await ended.fill('2026-01-02T11:00');
  await add.click();
  await expect.poll(() => ended.getAttribute('aria-invalid')).not.toBe('true');
});

test('a cleaning that ended by itself lists what flowed, and is dismissed after a question', async () => {
  const { page } = bar;
  const { cleaning } = await bar.callApi<{ cleaning: Cleaning & { pours: readonly object[] } }>(
    ...(['POST', 'taps/2/cleaning', { kind: 'caustic' }] as const),
  );
  const pour = {
    drink_id: 900,
    pour_time: '2026-05-01T18:05:00Z',
    ticks: 2_000,
    volume_ml: 400,
    user_id: null,
  };
  const ended = { ...cleaning, end_reason: 'expired', step: null, pours: [{ ...pour, guest: false }] };
  const address = '**/api/cleanings/running';
  await page.route(address, (route) =>
    route.fulfill({ json: { result: { cleanings: [], unfinished: [ended] } } }),
  );
  await page.goto(`${bar.daemon.url}/cleaning`);
  const card = page.getByRole('region', { name: /^Not ended/ });
  await card.getByText('What has flowed').click();
  const row = card.getByRole('listitem').filter({ hasText: 'It was a drink' });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/18:05 · 400\smL/);
  expect(await axeOn(page)).toEqual([]);
  await shoot('unfinished-390');
  const reason = async () =>
    (await bar.callApi<{ cleaning: { end_reason: string | null } }>('GET', `cleanings/${cleaning.id}`))
      .cleaning.end_reason;
  await card.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await card.getByText('The log gets no entry').waitFor();
  expect(await reason()).toBeNull();
  await card.getByRole('button', { name: 'Dismiss without an entry' }).click();
  await expect.poll(reason).toBe('cancelled');
  await page.unroute(address);
});

test('an entry that was withdrawn by mistake is entered again', async () => {
  const { page } = bar;
  const { cleaning } = await bar.callApi<{ cleaning: Cleaning }>('POST', 'cleanings', {
    tap: '2',
    kind: 'acid',
    started_time: '2026-01-02T10:00:00Z',
    ended_time: '2026-01-02T11:00:00Z',
    result: 'passed',
  });
  await page.goto(`${bar.daemon.url}/cleaning/log`);
  const entry = page.locator('.cleaning-entry').filter({ hasText: 'Acid' }).first();
  await entry.getByRole('button', { name: 'Withdraw' }).click();
  await entry.getByText('Withdrawn').first().waitFor();
  await entry.getByRole('button', { name: 'It was a cleaning' }).click();
  await entry.getByRole('button', { name: 'Withdraw' }).waitFor();
  const { cleaning: now } = await bar.callApi<{ cleaning: Cleaning }>('GET', `cleanings/${cleaning.id}`);
  expect(now.entries).toMatchObject([{ withdrawn: false }, { withdrawn: true }, { withdrawn: false }]);
});

test('a log that is longer than the page says so on screen and on paper', async () => {
  const { page } = bar;
  const address = '**/api/cleanings?*';
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.result.paging.total += 1;
    await route.fulfill({ response, json: body });
  });
  await page.goto(`${bar.daemon.url}/cleaning/log`);
  const hint = page.getByText(/^\d+ of \d+ cleanings are shown and printed/);
  await hint.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await hint.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await shoot('log-part-1440');
  await page.unroute(address);
  await page.reload();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await expect.poll(() => hint.count()).toBe(0);
});

// The last test: the clock stays wrong.
test('the timer of the contact time is right on a tablet whose clock is wrong', async () => {
  const { page } = bar;
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
  });
  const { cleaning } = await bar.callApi<{ cleaning: Cleaning }>('POST', 'taps/1/cleaning', {
    kind: 'caustic',
    step: 'contact',
  });
  await page.goto(`${bar.daemon.url}/taps/1/cleaning`);
  const timer = page.getByRole('timer');
  await timer.waitFor();
  expect(await timer.textContent()).toMatch(/^(?:20:00|19:\d\d)$/);
  const before = await timer.textContent();
  await expect.poll(() => timer.textContent(), { timeout: 5_000 }).not.toBe(before);
  await bar.callApi('POST', `cleanings/${cleaning.id}/cancel`, {});
});

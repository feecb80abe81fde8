import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOn } from '../kit/axe.ts';
import { layoutFaults } from '../kit/fit.ts';
import { openStaffBar, type StaffBar } from '../kit/staff-bar.ts';
import { text } from '../kit/texts.ts';

/** Pictures for people who look at the page; `TAPSTER_SCHEDULE_PICTURES` names their folder. */
const pictures = process.env.TAPSTER_SCHEDULE_PICTURES;

describe.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('prices at times on a screen of $width px', (viewport) => {
  let staff: StaffBar;
  let tap: { tap: { id: string }; beverage: { id: string; name: string } };
  const call = (method: string, path: string, body?: object) => staff.callApi(method, path, body);
  const shown = async () =>
    ((await call('GET', `taps/${tap.tap.id}`)) as { prices: { price_minor: number }[] }).prices[0]
      ?.price_minor;
  const picture = async (name: string) => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await staff.page.screenshot({ path: `${pictures}/${name}-${viewport.width}.png`, fullPage: true });
  };

  beforeAll(async () => {
    staff = await openStaffBar({ device: { viewport } });
    const { serving_sizes: sizes } = (await call('PUT', 'serving-sizes', {
      serving_sizes: [{ volume_ml: 500 }],
    })) as { serving_sizes: { id: number }[] };
    ({
      taps: [tap],
    } = (await call('GET', 'taps')) as { taps: [typeof tap] });
    await call('PUT', `beverages/${tap.beverage.id}/prices`, {
      prices: [{ serving_size_id: sizes[0]!.id, price_minor: 480 }],
    });
  });
  afterAll(() => staff.close());

  test('staff enter a happy hour with a price of its own, change it, delete it and undo that', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/reports`);
    const section = page.getByRole('region', { name: text('schedules.title') });
    await section.getByRole('button', { name: text('schedules.add') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(text('schedules.name')).fill('All day');
    await dialog.getByLabel(text('schedules.starts')).fill('00:00');
    await dialog.getByLabel(text('schedules.ends')).fill('00:00');
    await dialog.getByLabel(text('schedules.percentOff')).fill('50');
    await dialog.getByRole('button', { name: text('schedules.addPrice') }).click();
    await dialog
      .getByRole('combobox', { name: text('beers.beer') })
      .selectOption({ label: tap.beverage.name });
    await dialog.getByLabel(/^Price/).fill('3.90');
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await picture('schedule-form');
    await dialog.getByRole('button', { name: text('common.save') }).click();
    await page.getByText(text('schedules.saved')).waitFor();
    await section.getByText(text('schedules.active')).waitFor();
    expect(await shown()).toBe(390);
    await picture('schedules');
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);

    await section.getByRole('button', { name: /^Edit.*All day/ }).click();
    await dialog.getByRole('button', { name: text('schedules.removePrice') }).click();
    await dialog.getByRole('button', { name: text('common.save') }).click();
    await section.getByText(text('schedules.percentOf', { percent: 50 })).waitFor();
    await section.getByText(text('schedules.ownPrices', { count: 1 })).waitFor({ state: 'detached' });
    expect(await shown()).toBe(240);

    await section.getByRole('button', { name: /^Delete.*All day/ }).click();
    await page.getByText(text('schedules.deleted')).waitFor();
    expect(await shown()).toBe(480);
    await page.getByRole('button', { name: text('common.undo') }).click();
    await section.getByText(text('schedules.active')).waitFor();
    expect(await shown()).toBe(240);
  });

  test('staff move one before another, whose prices hold then, and undo it', async () => {
    const { page, daemon } = staff;
    await call('POST', 'price-schedules', {
      name: 'Festival',
      is_enabled: true,
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      starts: '00:00',
      ends: '00:00',
      first_on: null,
      last_on: null,
      percent_off: 25,
      prices: [],
    });
    await page.goto(`${daemon.url}/reports`);
    const section = page.getByRole('region', { name: text('schedules.title') });
    const names = () => section.locator('.row-name').allTextContents();
    await section.getByText('Festival').waitFor();
    expect(await shown()).toBe(240);
    const up = section.getByRole('button', { name: text('common.moveUp', { what: 'Festival' }) });
    await up.click();
    await page.getByText(text('schedules.moved')).waitFor();
    await expect.poll(names).toEqual(['Festival', 'All day']);
    expect(await shown()).toBe(360);
    expect(await up.getAttribute('aria-disabled')).toBe('true');
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await picture('schedules-moved');
    await page.getByRole('button', { name: text('common.undo') }).click();
    await expect.poll(names).toEqual(['All day', 'Festival']);
    expect(await shown()).toBe(240);
  });

  test('guests read on the menu which prices hold, and until when', async () => {
    const { page, daemon } = staff;
    await page.goto(`${daemon.url}/menu`);
    await page.getByText(/^All day until /).waitFor();
    expect(await axeOn(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });
});

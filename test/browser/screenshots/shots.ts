import type { Page } from 'playwright-core';
import { menuButton } from '../kit/staff.ts';
import { type Shot, type ShotOptions, shoot } from './shot.ts';

const none: ShotOptions = { taps: 0 };
const many: ShotOptions = { taps: 24, isLong: true };
const guest: ShotOptions = { user: null };

/** Opens the dialog of the first tap. */
export async function openTapDialog(page: Page): Promise<void> {
  await page.locator('.tap .tap-manage').first().click();
  await page.locator('dialog[open]').waitFor();
}

/** Opens the dialog that corrects the latest drink. */
async function correctFirstDrink(page: Page): Promise<void> {
  await page.locator('.drink-correct').first().click();
  await page.locator('dialog[open]').waitFor();
}

async function openFirstDialog(page: Page): Promise<void> {
  await page.locator('main > p > .button').first().click();
  await page.locator('dialog[open]').waitFor();
}

/** Every page of the base at least once, narrow and wide, light and dark, with no, four and many taps. */
export const shots: readonly Shot[] = [
  ...shoot('/', ['390 light', '768 dark', '1440 light', '1920 dark']),
  ...shoot('/', ['390 dark', '1920 dark'], none),
  ...shoot('/', ['390 light', '1024 dark', '1440 light', '1920 light'], many),
  ...shoot('/', ['390 light', '1440 dark'], { state: 'menu', act: (page) => menuButton(page).click() }),
  ...shoot('/', ['390 dark', '1024 light'], { state: 'tap', act: openTapDialog }),
  ...shoot('/', ['390 light'], { state: 'correct', act: correctFirstDrink }),
  ...shoot('/menu', ['390 light', '1440 dark'], guest),
  ...shoot('/menu', ['1440 light'], { ...guest, ...many }),
  ...shoot('/log-in', ['390 light'], guest),
  ...shoot('/drinks', ['390 dark', '1440 light']),
  ...shoot('/drinks', ['1440 dark'], none),
  ...shoot('/drinks/10', ['390 light']),
  ...shoot('/drinkers/bert', ['1440 dark']),
  ...shoot('/kegs', ['1440 dark', '390 light']),
  ...shoot('/kegs', ['390 light'], none),
  ...shoot('/kegs', ['1440 light'], { state: 'new', act: openFirstDialog }),
  ...shoot('/kegs/2', ['390 dark']),
  ...shoot('/beers', ['1440 light']),
  ...shoot('/beers', ['390 dark'], many),
  ...shoot('/beers/1', ['390 light', '1440 dark']),
  ...shoot('/breweries', ['768 light']),
  ...shoot('/taps', ['1440 light']),
  ...shoot('/taps/1', ['1440 light']),
  ...shoot('/taps/1/edit', ['390 light']),
  ...shoot('/taps/1/calibrate', ['768 dark']),
  ...shoot('/sessions', ['1440 light']),
  ...shoot('/sessions', ['390 dark'], none),
  ...shoot('/sessions/3', ['390 light']),
  ...shoot('/activity', ['1024 dark']),
  ...shoot('/statistics', ['390 dark']),
  ...shoot('/held', ['1440 light']),
  ...shoot('/held', ['390 light'], many),
  ...shoot('/reports', ['390 light'], many),
  ...shoot('/reports', ['1440 dark']),
  ...shoot('/export', ['390 dark']),
  ...shoot('/account', ['1440 light']),
  ...shoot('/users', ['390 light']),
  ...shoot('/users/bert', ['390 light', '1440 dark']),
  ...shoot('/cards', ['390 dark', '1440 light']),
  ...shoot('/audit', ['768 light']),
  ...shoot('/hardware', ['390 dark', '1440 light']),
  ...shoot('/meters', ['1440 light']),
  ...shoot('/wiring', ['768 dark']),
  ...shoot('/site', ['1440 light']),
  ...shoot('/mail', ['1440 dark']),
  ...shoot('/webhooks', ['390 light']),
  ...shoot('/alarms', ['390 light', '390 dark', '1440 light', '1440 dark']),
  ...shoot('/backups', ['1440 light']),
  ...shoot('/updates', ['390 dark', '1440 light']),
  ...shoot('/https', ['390 light', '1440 dark']),
  ...shoot('/thermometers', ['768 light']),
  ...shoot('/logs', ['768 light']),
];

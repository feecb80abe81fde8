import type { Page } from 'playwright-core';
import { menuButton } from '../kit/staff.ts';
import type { Language } from './sample-data.ts';

/** One picture of the page. */
export interface Shot {
  readonly path: string;
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly taps: 0 | 4 | 24;
  /** Whether everything has the longest names. */
  readonly isLong: boolean;
  /** Who is logged in. */
  readonly user: 'anna' | null;
  readonly language: Language;
  /** What is open, for the file name; empty for the page alone. */
  readonly state: string;
  /** Brings the page into that state. */
  readonly act?: (page: Page) => Promise<void>;
}

type Options = Partial<Pick<Shot, 'taps' | 'isLong' | 'user' | 'language' | 'state' | 'act'>>;

/** `'390 dark'` and the like. */
type View = `${390 | 768 | 1024 | 1440 | 1920} ${Shot['theme']}`;

/** One shot for each view. */
export function shoot(path: string, views: readonly View[], options: Options = {}): readonly Shot[] {
  return views.map((view) => ({
    ...{ path, taps: 4, isLong: false, user: 'anna', language: 'de', state: '', ...options },
    width: Number.parseInt(view, 10),
    theme: view.endsWith('dark') ? 'dark' : 'light',
  }));
}

const none: Options = { taps: 0 };
const many: Options = { taps: 24, isLong: true };
const guest: Options = { user: null };

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

/** Every page at least once, narrow and wide, light and dark, with no, four and many taps. */
export const shots: readonly Shot[] = [
  ...shoot('/', ['390 light', '768 dark', '1440 light', '1920 dark']),
  ...shoot('/', ['390 dark', '1920 dark'], none),
  ...shoot('/', ['390 light', '1024 dark', '1440 light', '1920 light'], many),
  ...shoot('/', ['390 light', '1440 dark'], { state: 'menu', act: (page) => menuButton(page).click() }),
  ...shoot('/', ['390 dark', '1024 light'], { state: 'tap', act: openTapDialog }),
  ...shoot('/', ['390 light'], { state: 'correct', act: correctFirstDrink }),
  ...shoot('/menu', ['390 light', '1440 dark'], guest),
  ...shoot('/menu', ['1440 light'], { ...guest, ...many }),
  ...shoot('/kiosk', ['1920 light'], guest),
  ...shoot('/kiosk', ['1920 dark'], { ...guest, ...many }),
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
  ...shoot('/mqtt', ['390 light', '390 dark', '1440 light', '1440 dark']),
  ...shoot('/alarms', ['390 light', '390 dark', '1440 light', '1440 dark']),
  ...shoot('/menu-publication', ['390 light', '1440 dark']),
  ...shoot('/backups', ['1440 light']),
  ...shoot('/updates', ['390 dark', '1440 light']),
  ...shoot('/https', ['390 light', '1440 dark']),
  ...shoot('/thermometers', ['768 light']),
  ...shoot('/logs', ['768 light']),
  ...shoot('/kiosk-options', ['1440 light']),
];

/** Name of a shot and of its file. */
export const shotName = ({ path, width, theme, taps, isLong, state }: Shot): string =>
  [
    path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'),
    state,
    taps !== 4 && `${taps}-taps`,
    isLong && 'long',
    width,
    theme,
  ]
    .filter(Boolean)
    .join('-');

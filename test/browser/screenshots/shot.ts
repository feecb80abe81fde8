import type { Page } from 'playwright-core';
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
  /** True for a page that fills the screen: what is below is no part of it. */
  readonly isFullScreen: boolean;
  /** What is open, for the file name; empty for the page alone. */
  readonly state: string;
  /** Brings the page into that state. */
  readonly act?: (page: Page) => Promise<void>;
}

export type ShotOptions = Partial<
  Pick<Shot, 'taps' | 'isLong' | 'user' | 'language' | 'isFullScreen' | 'state' | 'act'>
>;

/** `'390 dark'` and the like. */
type View = `${390 | 768 | 1024 | 1440 | 1920} ${Shot['theme']}`;

/** One shot for each view. */
export function shoot(path: string, views: readonly View[], options: ShotOptions = {}): readonly Shot[] {
  return views.map((view) => ({
    path,
    taps: 4,
    isLong: false,
    user: 'anna',
    language: 'de',
    isFullScreen: false,
    state: '',
    ...options,
    width: Number.parseInt(view, 10),
    theme: view.endsWith('dark') ? 'dark' : 'light',
  }));
}

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

import { locale } from '../../../locales/locale.ts';
import type { VolumeBar } from './volume-bars.tsx';

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });

/** Bars of volumes by weekday, Monday first; 0 is Sunday in `volumes`. */
export const weekdayBars = (volumes: Readonly<Record<string, number>> | undefined): readonly VolumeBar[] =>
  [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    // 1 January 2023 was a Sunday.
    name: weekdayFormat.format(Date.UTC(2023, 0, 1 + day)),
    ml: volumes?.[day] ?? 0,
  }));

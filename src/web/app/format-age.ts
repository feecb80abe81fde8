import { locale } from '../locales/locale.ts';

const minuteS = 60;
const hourS = 60 * minuteS;
const dayS = 24 * hourS;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Formats how long ago that time was, such as “3 minutes ago”. */
export function formatAge(iso: string, nowMs = Date.now()): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(iso)) / 1_000));
  if (seconds < minuteS) return relative.format(-seconds, 'second');
  if (seconds < hourS) return relative.format(-Math.floor(seconds / minuteS), 'minute');
  if (seconds < dayS) return relative.format(-Math.floor(seconds / hourS), 'hour');
  return relative.format(-Math.floor(seconds / dayS), 'day');
}

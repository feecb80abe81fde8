import type { LiveTap } from '../../../http/live/shapes.ts';
import type { Units } from '../../app/format.ts';
import { language, t } from '../../locales/locale.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A night counts to the day before: it ends about 6 h after midnight. */
const nightMs = 6 * hourMs;
/** Beyond this many days a date is clearer than a weekday. */
const maxWeekdayDays = 6;

/** Formats the estimated time at which a keg is empty: part of the day, weekday or date. */
export function formatRunOut(
  { time, part }: NonNullable<LiveTap['runs_out']>,
  { time_zone }: Pick<Units, 'time_zone'>,
  nowMs = Date.now(),
): string {
  const atMs = Date.parse(time) - (part === 'night' ? nightMs : 0);
  const date = dateFormatter(time_zone, { year: 'numeric', month: 'numeric', day: 'numeric' });
  const days = Array.from({ length: maxWeekdayDays + 2 }, (_, index) => index - 1).find(
    (ahead) => date.format(nowMs + ahead * dayMs) === date.format(atMs),
  );
  if (days === undefined) {
    return t('kegs.runOut.onDate', {
      date: dateFormatter(time_zone, { day: 'numeric', month: 'long' }).format(atMs),
    });
  }
  if (days <= 0) return t(`kegs.runOut.today.${part}`);
  if (days === 1) return t(`kegs.runOut.tomorrow.${part}`);
  return t('kegs.runOut.onDay', {
    weekday: dateFormatter(time_zone, { weekday: 'long' }).format(atMs),
    part,
  });
}

/** Creates a formatter in the page's language; in UTC when the browser does not know the time zone. */
function dateFormatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  }
}

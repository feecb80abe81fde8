import { addDays, type BusinessDay, businessDayAt, type DayRule } from '../../core/clock/business-days.ts';
import { offsetMs } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { slotMs } from '../../store/reports/statistics-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import { cachedResults } from './cached-results.ts';

/** Drinks of one business day. */
export interface DayVolume {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly pours: number;
  readonly volumeMl: number;
}

/** What was poured in the last business days. */
export interface RecentDays {
  /** Oldest first, the last one is today; also days without drinks. */
  readonly days: readonly DayVolume[];
  /** Millilitres by the hour of the bar's clock at the end of the pour, 0 to 23, of the same days. */
  readonly byHour: readonly number[];
}

const shownDays = 30;
const hourMs = 3_600_000;

/** Sums of the last 30 business days, by day and by hour. */
export function createRecentDays({ store }: EngineParts, rule: () => DayRule) {
  const cached = cachedResults<RecentDays>(store);
  let spans: { readonly key: string; readonly days: readonly BusinessDay[] } = { key: '', days: [] };

  /** Computed once a day: finding the offsets of a time zone costs more than summing up. */
  function spansUntil(today: BusinessDay, dayRule: DayRule): readonly BusinessDay[] {
    const key = `${today.date} ${today.sinceMs} ${today.untilMs} ${dayRule.timeZone}`;
    if (spans.key !== key) {
      const days = Array.from({ length: shownDays }, (_, i) => addDays(today, i - shownDays + 1, dayRule));
      spans = { key, days };
    }
    return spans.days;
  }

  function sumUp(days: readonly BusinessDay[], timeZone: string): RecentDays {
    const hours = new Array<number>(24).fill(0);
    const sums = days.map((day) => {
      const slots = store.reports.statistics.slots(day);
      const toHour = hourOfDay(day, timeZone);
      let [pours, volumeNl] = [0, 0];
      for (const one of slots) {
        pours += one.pours;
        volumeNl += one.volumeNl;
        hours[toHour(one.slot * slotMs)]! += one.volumeNl;
      }
      return { date: day.date, pours, volumeMl: volumeNl / 1e6 };
    });
    return { days: sums, byHour: hours.map((nl) => nl / 1e6) };
  }

  return (now: Moment): RecentDays => {
    const dayRule = rule();
    const days = spansUntil(businessDayAt(now.wallMs, dayRule), dayRule);
    return cached(days.at(-1)!.date, () => store.snapshot(() => sumUp(days, dayRule.timeZone)));
  };
}

/** Returns the hour that the clock shows at an instant of a day, 0 to 23. */
function hourOfDay({ sinceMs, untilMs }: BusinessDay, timeZone: string): (ms: number) => number {
  const [first, last] = [offsetMs(sinceMs, timeZone), offsetMs(untilMs - 1, timeZone)];
  // Only on a day on which the clocks change each instant has to be looked up.
  return (ms) => Math.floor((ms + (first === last ? first : offsetMs(ms, timeZone))) / hourMs) % 24;
}

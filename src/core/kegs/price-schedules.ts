import { localDay, localInstant } from '../clock/local-days.ts';

/** Prices that replace the ordinary ones at times: a happy hour, a weekday, an event. */
export interface PriceSchedule {
  readonly id: number;
  readonly name: string;
  readonly isEnabled: boolean;
  /** Days on which it starts, 1 is Monday. */
  readonly weekdays: readonly number[];
  /** Minutes after midnight at the bar. An end that is not after the start is on the next day. */
  readonly startsMinutes: number;
  readonly endsMinutes: number;
  /** First and last day on which it starts, `YYYY-MM-DD`; null: without limit. */
  readonly firstOn: string | null;
  readonly lastOn: string | null;
  /** Of all ordinary prices, 0 to 100; prices of its own come first. */
  readonly percentOff: number;
  readonly prices: readonly SchedulePrice[];
}

export interface SchedulePrice {
  readonly beverageId: number;
  readonly sizeId: number;
  readonly priceMinor: number;
}

export const maxSchedules = 20;
export const maxSchedulePrices = 500;
export const maxScheduleName = 64;
/** A daemon that was off for longer looks no further back for starts and ends. */
export const maxBackMs = 100 * 86_400_000;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The span that begins on a day, counted from 1970; null where it does not. */
function spanOn(
  { weekdays, startsMinutes, endsMinutes, firstOn, lastOn }: PriceSchedule,
  day: number,
  timeZone: string,
): { readonly sinceMs: number; readonly untilMs: number } | null {
  // 1 January 1970 was a Thursday.
  if (!weekdays.includes(((((day + 3) % 7) + 7) % 7) + 1)) return null;
  const date = new Date(day * dayMs).toISOString().slice(0, 10);
  if ((firstOn !== null && date < firstOn) || (lastOn !== null && date > lastOn)) return null;
  const endDay = endsMinutes <= startsMinutes ? day + 1 : day;
  return {
    sinceMs: localInstant(day * dayMs + startsMinutes * minuteMs, timeZone),
    untilMs: localInstant(endDay * dayMs + endsMinutes * minuteMs, timeZone),
  };
}

/** A schedule that holds, and until when if no other one begins before, Unix milliseconds. */
interface ActiveSchedule {
  readonly schedule: PriceSchedule;
  readonly untilMs: number;
}

/** The schedule that holds at an instant: the first enabled one of the list; null for the ordinary prices. */
export function findActive(
  schedules: readonly PriceSchedule[],
  ms: number,
  timeZone: string,
): ActiveSchedule | null {
  const day = localDay(ms, timeZone);
  for (const schedule of schedules) {
    if (!schedule.isEnabled) continue;
    for (const one of [day - 1, day]) {
      const span = spanOn(schedule, one, timeZone);
      if (span !== null && ms >= span.sinceMs && ms < span.untilMs)
        return { schedule, untilMs: span.untilMs };
    }
  }
  return null;
}

export const activeSchedule = (
  schedules: readonly PriceSchedule[],
  ms: number,
  timeZone: string,
): PriceSchedule | null => findActive(schedules, ms, timeZone)?.schedule ?? null;

/** The instants after `fromMs` and not after `toMs` at which one of them starts or ends, ascending. */
export function scheduleChanges(
  schedules: readonly PriceSchedule[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  timeZone: string,
): readonly number[] {
  const instants = new Set<number>();
  for (const schedule of schedules) {
    if (!schedule.isEnabled) continue;
    for (let day = localDay(fromMs, timeZone) - 1; day <= localDay(toMs, timeZone); day += 1) {
      const span = spanOn(schedule, day, timeZone);
      for (const ms of span === null ? [] : [span.sinceMs, span.untilMs])
        if (ms > fromMs && ms <= toMs) instants.add(ms);
    }
  }
  return [...instants].sort((one, other) => one - other);
}

interface Price {
  readonly sizeId: number;
  readonly volumeMl: number;
  readonly priceMinor: number;
}

/** The prices of a beverage while a schedule holds. `sizes` has the volumes of all serving sizes, in their order. */
export function scheduledPrices(
  ordinary: readonly Price[],
  schedule: PriceSchedule | null,
  beverageId: number,
  sizes: ReadonlyMap<number, number>,
): readonly Price[] {
  if (schedule === null) return ordinary;
  const own = new Map(
    schedule.prices
      .filter((price) => price.beverageId === beverageId)
      .map(({ sizeId, priceMinor }) => [sizeId, priceMinor]),
  );
  const usual = new Map(ordinary.map(({ sizeId, priceMinor }) => [sizeId, priceMinor]));
  const reduce = (minor: number | undefined) =>
    minor === undefined ? undefined : Math.round((minor * (100 - schedule.percentOff)) / 100);
  return [...sizes].flatMap(([sizeId, volumeMl]) => {
    const priceMinor = own.get(sizeId) ?? reduce(usual.get(sizeId));
    return priceMinor === undefined ? [] : [{ sizeId, volumeMl, priceMinor }];
  });
}

import { offsetMs } from '../clock/local-days.ts';
import type { ConditionState } from './alarm-rules.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

/** Earlier weeks that are compared with tonight: the same weekday and hours. */
const earlierWeeks = 6;
/** Longest time without a pour that is looked at, hours. */
const maxHours = 6;

/** A tap is used always when it poured this often within the hours, in all these weeks but one. */
const minPours = 4;
const minWeeks = earlierWeeks - 1;
/**
 * Pours that were to be expected by now. With fewer, chance alone explains that there was none: a beer that few order one evening
 * makes counts vary twice as much as by pure chance, and 12 then stay away about once in 500 evenings.
 */
const minExpected = 12;
/** Pours at the other taps in the same hours: without them the bar is closed, or nobody is there. */
const minOtherPours = 5;

/** Pours of one tap and beverage in one hour before now, of this week (0) or so many weeks ago. */
export interface HourlyPours {
  readonly tapId: number;
  readonly beverageId: number | null;
  readonly week: number;
  /** 0 is the last hour. */
  readonly hoursAgo: number;
  readonly pours: number;
}

/** The hours that are compared, tonight first: the same local time on the same weekday. */
export function comparedSpans(
  nowMs: number,
  timeZone: string,
): readonly { readonly sinceMs: number; readonly untilMs: number }[] {
  const offset = offsetMs(nowMs, timeZone);
  return Array.from({ length: earlierWeeks + 1 }, (_, week) => {
    const atMs = nowMs - week * weekMs;
    // The clock may have changed in between.
    const untilMs = atMs + offset - offsetMs(atMs, timeZone);
    return { sinceMs: untilMs - maxHours * hourMs, untilMs };
  });
}

interface TapOnDuty {
  readonly tapId: number;
  readonly beverageId: number;
  /** Hours for which the bar is open and the keg is on tap. */
  readonly hoursReady: number;
}

/** How long a tap has not poured, in hours, and whether that is unusual. */
interface TapUsage {
  readonly state: ConditionState;
  readonly silentHours: number;
}

/** Compares the tap with its earlier weeks and with the other taps tonight. */
export function judgeTapUsage(counts: readonly HourlyPours[], tap: TapOnDuty): TapUsage {
  const own = counts.filter(({ tapId }) => tapId === tap.tapId);
  const tonight = own.filter(({ week }) => week === 0);
  const silentHours = Math.min(maxHours, ...tonight.map(({ hoursAgo }) => hoursAgo));
  const hours = Math.min(silentHours, Math.floor(tap.hoursReady));
  if (silentHours === 0) return { state: 'good', silentHours };

  const within = (rows: readonly HourlyPours[], week: number) =>
    rows
      .filter((row) => row.week === week && row.hoursAgo < hours)
      .reduce((sum, { pours }) => sum + pours, 0);
  const weeks = Array.from({ length: earlierWeeks }, (_, index) => index + 1);
  // Another beer sells differently.
  const sameBeer = own.filter(({ beverageId }) => beverageId === tap.beverageId);
  const ownByWeek = weeks.map((week) => within(sameBeer, week));
  const others = counts.filter(({ tapId }) => tapId !== tap.tapId);
  const otherPours = within(others, 0);
  const usualOthers = mean(weeks.map((week) => within(others, week)));
  // On a quiet evening every tap pours less.
  const share = usualOthers === 0 ? 0 : Math.min(1, otherPours / usualOthers);
  const isUnused =
    hours > 0 &&
    ownByWeek.filter((pours) => pours >= minPours).length >= minWeeks &&
    otherPours >= minOtherPours &&
    mean(ownByWeek) * share >= minExpected;
  return { state: isUnused ? 'bad' : 'between', silentHours: hours };
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

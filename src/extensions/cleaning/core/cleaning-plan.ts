import { localDay } from '../../../core/clock/local-days.ts';

/** From so many days before it is due, a cleaning is shown as coming; on an interval of a week that is the day before. */
const soonShare = 0.15;

/** `overdue`: the day on which it was due is over. */
export type CleaningState = 'done' | 'soon' | 'due' | 'overdue';

/** When a line is to be cleaned next. */
export interface CleaningDue {
  /** Days since 1970 at the bar. */
  readonly dueDay: number;
  /** Negative once it is overdue. */
  readonly daysLeft: number;
  readonly state: CleaningState;
}

/**
 * The day on which a cleaning is due, by the calendar of the bar: the hour of the last one does not matter. A plan without any
 * cleaning yet counts from the day on which it was made.
 */
export function findCleaningDue(
  { intervalDays, lastMs, sinceMs }: { intervalDays: number; lastMs: number | null; sinceMs: number },
  now: { readonly wallMs: number; readonly timeZone: string },
): CleaningDue {
  const dueDay = localDay(lastMs ?? sinceMs, now.timeZone) + intervalDays;
  const daysLeft = dueDay - localDay(now.wallMs, now.timeZone);
  const soonDays = Math.max(1, Math.floor(intervalDays * soonShare));
  const state = daysLeft < 0 ? 'overdue' : daysLeft === 0 ? 'due' : daysLeft <= soonDays ? 'soon' : 'done';
  return { dueDay, daysLeft, state };
}

/** Whole days at the bar since a time; 0 today. */
export const daysSince = (ms: number, now: { readonly wallMs: number; readonly timeZone: string }): number =>
  Math.max(0, localDay(now.wallMs, now.timeZone) - localDay(ms, now.timeZone));

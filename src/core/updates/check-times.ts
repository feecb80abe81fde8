import { offsetMs } from '../clock/local-days.ts';
import type { UpdaterState } from './update-state.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Minutes of a day: each machine draws one, so that not all ask at once. */
export const minutesPerDay = 1_440;

/** First and longest delay after a failed check, milliseconds: the publisher's server is not pressed. */
const [firstRetryMs, longestRetryMs] = [15 * minuteMs, 6 * hourMs];

/** Delay after so many failed checks in a row. */
export const checkRetryMs = (failures: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10));

/** Whether the machine's minute of the day (UTC) has passed since the last check; also for one in the future, made with a wrong clock. */
export function isCheckDue(nowMs: number, minute: number, lastMs: number | null): boolean {
  if (lastMs === null || lastMs > nowMs) return true;
  const startMs = minute * minuteMs;
  return lastMs < Math.floor((nowMs - startMs) / dayMs) * dayMs + startMs;
}

/** Whether it is this hour of the day in a time zone. */
export const isHour = (nowMs: number, hour: number, timeZone: string): boolean =>
  Math.floor((nowMs + offsetMs(nowMs, timeZone)) / hourMs) % 24 === hour;

/** How often a version is asked for without a person. */
export const maxAutomaticTries = 3;

/**
 * Whether a version may be installed without a person: not one that was tried and left, by itself or by a person, which would be tried
 * every night.
 */
export function mayInstallAlone(version: string, { last, update, next, install }: UpdaterState): boolean {
  if (update !== null || next !== null || (install !== null && install.phase !== 'failed')) return false;
  const wasTried =
    last !== null && (last.from === version || (last.to === version && last.outcome !== 'done'));
  return !wasTried;
}

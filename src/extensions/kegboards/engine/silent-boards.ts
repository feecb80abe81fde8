import type { Moment } from '../../../core/clock/moment.ts';
import type { ReportingController } from '../../../engine/controller-hooks.ts';
import type { KegboardAlarmCondition } from '../core/alarm-kinds.ts';

const minuteMs = 60_000;

/** Boards that have not reported for the limit of the bar; those on serial ports are part of the machine's health. */
export const detectSilentBoards = (
  boards: readonly ReportingController[],
  silentMinutes: number,
  now: Moment,
): readonly KegboardAlarmCondition[] =>
  boards
    .filter(({ isPaired }) => isPaired)
    .map(({ device, lastSeenMs }) => {
      const silentMs = lastSeenMs === null ? null : now.wallMs - lastSeenMs;
      const isSilent = silentMs !== null && silentMs >= silentMinutes * minuteMs;
      return {
        kind: 'controller_silent',
        subject: device,
        // Before the clock is set, the age of the last report is unknown.
        state: !now.synced || silentMs === null ? 'unknown' : isSilent ? 'bad' : 'good',
        lastsMs: minuteMs,
        values: { device, minutes: Math.floor((silentMs ?? 0) / minuteMs) },
      };
    });

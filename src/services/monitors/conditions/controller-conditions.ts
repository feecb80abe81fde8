import { type Condition, type Detector, minuteMs } from './condition.ts';

/** Network kegboards; local meters and serial boards are covered by their health part. */
export const detectSilentKegboards: Detector = (engine, now) => {
  const { silentMinutes } = engine.alarms.settings();
  return engine.kegboards
    .list(now)
    .filter(({ board }) => board.state === 'paired')
    .map(({ board }): Condition => {
      const silentMs = board.lastSeenMs === null ? null : now.wallMs - board.lastSeenMs;
      const isSilent = silentMs !== null && silentMs >= silentMinutes * minuteMs;
      return {
        kind: 'controller_silent',
        subject: board.device,
        // Before the clock is set, the age of the last report is unknown.
        state: !now.synced || silentMs === null ? 'unknown' : isSilent ? 'bad' : 'good',
        lastsMs: minuteMs,
        values: { device: board.device, minutes: Math.floor((silentMs ?? 0) / minuteMs) },
      };
    });
};

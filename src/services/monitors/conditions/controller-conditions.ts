import { type Condition, type Detector, minuteMs } from './condition.ts';

/** Controllers that report by themselves; local meters and serial boards are covered by their health part. */
export const detectSilentControllers: Detector = (engine, now) => {
  const { silentMinutes } = engine.notifications.alarms.settings();
  return engine.hooks
    .reportingControllers(now)
    .filter(({ isPaired }) => isPaired)
    .map(({ device, lastSeenMs }): Condition => {
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
};

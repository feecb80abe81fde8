import { type ClockTimes, shown } from '../shared/clock-times.ts';

/** Alarms are told again after minutes or hours: at most one message more or less. */
const ofAlarm = { stays: 'the next round of messages comes early or late once' } as const;

export const notificationsTimes = {
  outbox: {
    created_time_ms: shown,
    not_before_ms: { stays: 'one that is further ahead than any retry counts as due' },
  },
  alarms: { raised_time_ms: ofAlarm, acknowledged_time_ms: shown, resolved_time_ms: shown },
  alarm_channels: { deleted_time_ms: { stays: 'a deleted one is kept for a while, longer or shorter' } },
  alarm_deliveries: { time_ms: ofAlarm, sent_time_ms: shown },
} as const satisfies ClockTimes;

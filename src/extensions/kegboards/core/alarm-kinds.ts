import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of the boards. */
export const kegboardAlarms = {
  controller_silent: {
    urgency: 'high',
    breaksQuietHours: false,
    // After a power cut the boards start later than the daemon.
    group: 'power',
    description: 'A controller has not reported for the configured time.',
    values: { device: 'text', minutes: 'number' },
  },
} as const satisfies AlarmDeclarations;

export type KegboardAlarmCondition = ConditionOf<typeof kegboardAlarms>;

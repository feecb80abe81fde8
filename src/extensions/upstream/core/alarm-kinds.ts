import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of the reports to the server. */
export const upstreamAlarms = {
  upstream_behind: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'upstream',
    description: 'Reports to the upstream server have waited for more than four hours.',
    values: { server: 'text', hours: 'number' },
  },
} as const satisfies AlarmDeclarations;

export type UpstreamAlarmCondition = ConditionOf<typeof upstreamAlarms>;

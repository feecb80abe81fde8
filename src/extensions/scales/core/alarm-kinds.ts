import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of scales. */
export const scaleAlarms = {
  scale_disagrees: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'taps',
    description:
      'A scale and the flow meter of a tap have disagreed for ten minutes: lost ticks, a moved keg, a leak, a wrong factor or keg size.',
    values: { tap: 'text', finding: 'text', scaleMl: 'volume', meterMl: 'volume' },
  },
} as const satisfies AlarmDeclarations;

export type ScaleAlarmCondition = ConditionOf<typeof scaleAlarms>;

import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of poured against sold. */
export const salesAlarms = {
  balance_differs: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'sales',
    description:
      'On three of the last seven business days more of a beer was poured than rung up, or less, by more than the ±.',
    // `direction` is `poured_not_rung` or `rung_not_poured`.
    values: { beer: 'text', direction: 'text', days: 'number', differenceMl: 'volume' },
  },
} as const satisfies AlarmDeclarations;

export type SalesAlarmCondition = ConditionOf<typeof salesAlarms>;

import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of the kegs in stock and on taps. */
export const stockAlarms = {
  keg_not_fresh: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'kegs',
    description:
      'A keg is past its best-before day, or has been on its tap for longer than the limit of the bar.',
    // `reason` is `past_best_before` or `long_on_tap`.
    values: { keg: 'text', beer: 'text', reason: 'text', days: 'number' },
  },
} as const satisfies AlarmDeclarations;

export type StockAlarmCondition = ConditionOf<typeof stockAlarms>;

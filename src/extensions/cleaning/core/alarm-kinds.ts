import type { AlarmDeclarations } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionOf } from '../../../core/alarms/condition.ts';

/** What staff are told of the cleaning of lines. */
export const cleaningAlarms = {
  cleaning_due: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'cleaning',
    description: 'The line of a tap is to be cleaned today, or should have been.',
    // `kind` is one of the kinds of cleaning; `days` since the day on which it was due.
    values: { tap: 'text', kind: 'text', days: 'number' },
  },
  cleaning_unfinished: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'cleaning',
    description: 'A line cleaning was not ended: it ended by itself and waits for its entry in the log.',
    values: { tap: 'text', pouredMl: 'volume' },
  },
} as const satisfies AlarmDeclarations;

export type CleaningAlarmCondition = ConditionOf<typeof cleaningAlarms>;

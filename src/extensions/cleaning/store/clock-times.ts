import { type ClockTimes, monotonic } from '../../../store/shared/clock-times.ts';

const ofCleaning = { follows: 'the cleaning; what a person entered stays' } as const;

export const cleaningTimes = {
  cleaning_plans: { since_ms: { moves: 'cleaning_plan' } },
  cleanings: {
    started_time_ms: { moves: 'cleaning_started' },
    start_mono_ms: monotonic,
    ended_time_ms: { moves: 'cleaning_ended' },
    end_mono_ms: monotonic,
  },
  cleaning_steps: { since_time_ms: { moves: 'cleaning_step' }, since_mono_ms: monotonic },
  cleaning_entries: {
    time_ms: { moves: 'cleaning_entry' },
    started_time_ms: ofCleaning,
    ended_time_ms: ofCleaning,
  },
} as const satisfies ClockTimes;

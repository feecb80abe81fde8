import { type ClockTimes, duration, monotonic } from '../shared/clock-times.ts';

const ofDrinks = { follows: 'its drinks' } as const;

export const drinksTimes = {
  // It has the columns that are needed in its own row.
  drinks: {
    pour_time_ms: { follows: 'its end on the monotonic clock, end_mono_ms' },
    end_mono_ms: monotonic,
    duration_ms: duration,
    flow_ms: duration,
    gas_onset_ms: duration,
  },
  sessions: { start_time_ms: ofDrinks, end_time_ms: ofDrinks },
  session_timeouts: {
    from_ms: { follows: 'the present: a changed time-out holds from now on at the latest' },
  },
  spills: { time_ms: { moves: 'spill' } },
  reported_pours: { duration_ms: duration, end_ms: { moves: 'reported_pour' }, end_mono_ms: monotonic },
  // Those of drinks and sessions follow these.
  events: { time_ms: { moves: 'event' } },
  provisional_times: { mono_ms: monotonic },
  picture_uploads: {
    time_ms: { stays: 'one from a wrong clock is outside of the last day, and is removed' },
  },
} as const satisfies ClockTimes;

import { type ClockTimes, onlySet } from '../shared/clock-times.ts';

export const kegsTimes = {
  kegs: {
    created_time_ms: { moves: 'keg_created' },
    started_time_ms: { moves: 'keg_started' },
    finished_time_ms: { moves: 'keg_finished' },
  },
  keg_weighings: { time_ms: { moves: 'keg_weighing' } },
  price_schedule_state: { applied_ms: onlySet },
  price_lists: { since_ms: onlySet },
  keg_former_beverages: {
    until_ms: { stays: 'is later than every drink of its time, whatever the clock says' },
  },
} as const satisfies ClockTimes;

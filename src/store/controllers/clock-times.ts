import { type ClockTimes, monotonic } from '../shared/clock-times.ts';

export const controllersTimes = {
  board_counters: {
    board_start_mono_ms: monotonic,
    mono_ms: monotonic,
    wall_ms: { stays: 'time_certain says that it is none to reckon with' },
  },
} as const satisfies ClockTimes;

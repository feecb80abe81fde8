import { type ClockTimes, duration, monotonic, renewed, shown } from '../shared/clock-times.ts';

export const controllersTimes = {
  kegboards: { first_seen_ms: shown, last_seen_ms: renewed, uptime_ms: duration },
  kegboard_commands: { mono_ms: monotonic },
  refused_pours: { time_ms: shown },
  board_counters: {
    board_start_mono_ms: monotonic,
    mono_ms: monotonic,
    wall_ms: { stays: 'time_certain says that it is none to reckon with' },
  },
} as const satisfies ClockTimes;

import type { ClockTimes } from '../shared/clock-times.ts';

export const reportsTimes = {
  audit_entries: { time_ms: { moves: 'audit' } },
} as const satisfies ClockTimes;

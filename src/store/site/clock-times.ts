import type { ClockTimes } from '../shared/clock-times.ts';

export const siteTimes = {
  site: { newest_synced_ms: { follows: 'the present, from which it begins again' } },
} as const satisfies ClockTimes;

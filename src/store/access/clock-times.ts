import { type ClockTimes, monotonic, onlySet, renewed } from '../shared/clock-times.ts';

export const accessTimes = {
  auth_tokens: {
    created_time_ms: { moves: 'token_created' },
    expire_time_ms: { stays: 'staff choose it' },
  },
  presented_tokens: { last_time_ms: renewed },
  grants: { granted_time_ms: onlySet, ended_time_ms: onlySet },
  grant_taps: { granted_mono_ms: monotonic, ended_mono_ms: monotonic },
} as const satisfies ClockTimes;

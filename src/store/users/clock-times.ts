import { type ClockTimes, duration, monotonic, renewed } from '../shared/clock-times.ts';

/** A login, and a mailed secret, is as old as the monotonic clock says until the clock is set. */
const aged = { follows: 'its use, once the clock is set' } as const;

export const usersTimes = {
  users: { joined_time_ms: { moves: 'user_joined' } },
  api_keys: { created_time_ms: { moves: 'key_created' }, last_used_time_ms: renewed },
  logins: { created_time_ms: aged, seen_time_ms: aged, expire_time_ms: aged, unset_mono_ms: monotonic },
  mailed_secrets: { created_time_ms: aged, life_ms: duration, unset_mono_ms: monotonic },
  tablets: { created_time_ms: { moves: 'tablet_enrolled' }, seen_time_ms: { moves: 'tablet_seen' } },
} as const satisfies ClockTimes;

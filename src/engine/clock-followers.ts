import type { ClockFollower } from './shared/clock-follower.ts';
import { moveReadings } from './temperatures/moved-readings.ts';

/** What follows when a wrong clock is corrected, in this order. */
export const clockFollowers: readonly ClockFollower[] = [moveReadings];

import { wallAt } from '../../../core/clock/clock-rules.ts';
import type { ClockFollower } from '../../../engine/shared/clock-follower.ts';
import { upstreamStore } from '../store/upstream-store.ts';

/** Gives the queued events of this boot their true times. */
export const moveQueuedEvents: ClockFollower = (store, now) => () =>
  store.tablesOf(upstreamStore).correct(now.bootId, wallAt(now, 0));

import { wallAt } from '../../../core/clock/clock-rules.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { type KeptCounter, toKeptCounter } from '../../../core/pours/counter-position.ts';
import type { EndedPour } from '../../../core/pours/pour.ts';

/** The board's total at the end of a pour, with the best time available; undefined for GPIO lines. */
export function toPourCounter(pour: EndedPour, now: Moment): KeptCounter | undefined {
  const { position, meter } = pour;
  if (position === undefined) return undefined;
  if (position.bootId === now.bootId) return toKeptCounter(meter, position, now);
  const { pourTimeMs, timeCertain } = toEndTime(pour, now);
  return { meter, position, atWallMs: pourTimeMs, isTimeCertain: timeCertain };
}

/** End time of a pour by the best clock available. */
export function toEndTime(pour: EndedPour, now: Moment) {
  const endMonoMs = pour.startedMonoMs + pour.durationMs;
  if (pour.bootId === now.bootId) {
    const pourTimeMs = Math.max(0, Math.round(wallAt(now, endMonoMs)));
    // Unobserved ticks are only known to have fallen before; with no boot, a clock correction leaves the time.
    if (pour.unobserved && now.synced) return { pourTimeMs, timeCertain: false, bootId: '', endMonoMs };
    return { pourTimeMs, timeCertain: now.synced, bootId: now.bootId, endMonoMs };
  }
  if (pour.endedWallMs !== undefined && pour.endedWallSynced === true) {
    const pourTimeMs = Math.max(0, Math.round(pour.endedWallMs));
    return { pourTimeMs, timeCertain: true, bootId: pour.bootId, endMonoMs };
  }
  // A pour from before a restart is only known to have ended before this boot; while the clock is not set,
  // the start of this boot is provisional too and will be corrected.
  const pourTimeMs = Math.max(0, Math.round(wallAt(now, 0)));
  return now.synced
    ? { pourTimeMs, timeCertain: false, bootId: pour.bootId, endMonoMs }
    : { pourTimeMs, timeCertain: false, bootId: now.bootId, endMonoMs: 0 };
}

/** For the question whether it flowed during a cleaning: by the clock of its own boot, which knows the order of both. */
export const toFlowEnd = (pour: EndedPour, { pourTimeMs }: { readonly pourTimeMs: number }) => ({
  pourTimeMs,
  bootId: pour.bootId,
  endMonoMs: pour.startedMonoMs + pour.durationMs,
  durationMs: pour.durationMs,
});

import { wallAt } from '../clock/clock-rules.ts';
import type { Moment } from '../clock/moment.ts';

/** One reading of a board's running total. */
export interface CounterReading {
  /** Unsigned 32-bit number. */
  readonly total: number;
  readonly serialNumber: string | null;
  /** When the board started, kernel-monotonic milliseconds; null when it does not report its uptime. */
  readonly boardStartMonoMs: number | null;
}

/** A board's running total at the last tick of a pour: every tick up to it is counted. */
export interface CounterPosition extends CounterReading {
  /** Boot in which the stamps were read. */
  readonly bootId: string;
  /** The last tick. */
  readonly atMonoMs: number;
}

/** The last position of one meter as stored, with the time by which another boot can compare it. */
export interface KeptCounter {
  /** Full meter name, `<controller>.<port>`. */
  readonly meter: string;
  readonly position: CounterPosition;
  readonly atWallMs: number;
  /** True when the clock was set at that time. */
  readonly isTimeCertain: boolean;
}

/** The last total of one meter, on the clock of the present boot. */
export interface KeptTotal {
  readonly total: number;
  readonly serialNumber: string | null;
  /** When it was counted; null when unknown, since the clock was not set. Negative for an earlier boot. */
  readonly atMonoMs: number | null;
  /** True for an earlier boot: the time since then is as good as the wall clock. */
  readonly isEstimated: boolean;
  /** The board's uptime at that time; null when it does not report it. */
  readonly uptimeMs: number | null;
}

/** A position with the wall time of its last tick, as far as `at`, a moment of the position's boot, tells it. */
export function toKeptCounter(meter: string, position: CounterPosition, at: Moment): KeptCounter {
  const isSameBoot = at.bootId === position.bootId;
  return {
    meter,
    position,
    atWallMs: Math.max(0, Math.round(isSameBoot ? wallAt(at, position.atMonoMs) : at.wallMs)),
    isTimeCertain: isSameBoot && at.synced,
  };
}

/** The last total on the clock of `now`. */
export function toKeptTotal({ position, atWallMs, isTimeCertain }: KeptCounter, now: Moment): KeptTotal {
  const { total, serialNumber, bootId, atMonoMs, boardStartMonoMs } = position;
  const uptimeMs = boardStartMonoMs === null ? null : Math.max(0, atMonoMs - boardStartMonoMs);
  const kept = { total, serialNumber, uptimeMs };
  if (bootId === now.bootId) return { ...kept, atMonoMs, isEstimated: false };
  const elapsedMs = isTimeCertain && now.synced ? now.wallMs - atWallMs : -1;
  // A negative time means that a clock was wrong.
  return { ...kept, atMonoMs: elapsedMs < 0 ? null : now.monoMs - elapsedMs, isEstimated: true };
}

/**
 * Whether position `a` is later than `b`. Positions of different boots are compared by wall time, unless one
 * of them is of the present boot `bootId`.
 */
export function isLaterCounter(a: KeptCounter, b: KeptCounter, bootId: string): boolean {
  const [bootOfA, bootOfB] = [a.position.bootId, b.position.bootId];
  if (bootOfA === bootOfB) return a.position.atMonoMs >= b.position.atMonoMs;
  if (bootOfA === bootId || bootOfB === bootId) return bootOfA === bootId;
  return a.atWallMs >= b.atWallMs;
}

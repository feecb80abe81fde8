/** What is known about the machine's wall clock at one instant. */
export interface WallReading {
  /**
   * systemd-timesyncd's flag file, which exists once a time server has answered; `unsupported` on systems
   * without it.
   */
  readonly flagFile: 'present' | 'absent' | 'unsupported';
  /** Wall clock, Unix milliseconds. */
  readonly wallMs: number;
  /** Year in which this program was built: any earlier date is wrong. */
  readonly buildYear: number;
}

/**
 * Whether the wall clock can be trusted. A time set by a person counts as well, which only the caller knows.
 */
export function isWallTrusted({ flagFile, wallMs, buildYear }: WallReading): boolean {
  if (flagFile === 'absent') return false;
  return wallMs >= Date.UTC(buildYear, 0, 1);
}

/**
 * Best estimate of the time while the clock is not set: never before the newest time taken from a set clock.
 */
export function provisionalWallMs(rawWallMs: number, newestSyncedMs: number | null): number {
  return newestSyncedMs === null ? rawWallMs : Math.max(rawWallMs, newestSyncedMs);
}

/**
 * The greatest age of a reported pour that is credible, milliseconds. No controller keeps pours for a year: its clock was
 * set between the pour and the report, so the age is wrong by years.
 */
export const maxCredibleAgeMs = 365 * 86_400_000;

/** A wall time tied to an instant of the monotonic clock, which continues it without steps. */
export interface WallAnchor {
  readonly monoMs: number;
  readonly wallMs: number;
}

/**
 * Wall time of a monotonic stamp, before or after the anchor, milliseconds. With the present moment of a set
 * clock as the anchor it corrects a stamp taken earlier; with a provisional anchor it continues the time from
 * there.
 */
export function wallAt(anchor: WallAnchor, monoMs: number): number {
  return anchor.wallMs - (anchor.monoMs - monoMs);
}

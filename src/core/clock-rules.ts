/** What can be known of the machine's wall clock at one instant. */
export interface WallReading {
  /** systemd-timesyncd's flag file, which appears when a time server has answered; `unsupported` where none is kept. */
  readonly flagFile: 'present' | 'absent' | 'unsupported';
  /** What the wall clock says, unix milliseconds. */
  readonly wallMs: number;
  /** Year this program was built in: any earlier date is certainly wrong. */
  readonly buildYear: number;
}

/** Whether a wall clock may be believed. A time some person has set counts as well, which only the caller knows. */
export function isWallTrusted({ flagFile, wallMs, buildYear }: WallReading): boolean {
  if (flagFile === 'absent') return false;
  return wallMs >= Date.UTC(buildYear, 0, 1);
}

/** The best guess at the time while nobody has set the clock: never below the newest stamp of a set one. */
export function provisionalWallMs(rawWallMs: number, newestSyncedMs: number | null): number {
  return newestSyncedMs === null ? rawWallMs : Math.max(rawWallMs, newestSyncedMs);
}

/** A wall time pinned to an instant of the monotonic clock, which then carries it on without ever stepping. */
export interface WallAnchor {
  readonly monoMs: number;
  readonly wallMs: number;
}

/**
 * The wall time of a monotonic stamp, earlier or later than the anchor, milliseconds. With the present moment of a set
 * clock as anchor it is the corrected time of a stamp taken before; with a provisional one the time goes on from there.
 */
export function wallAt(anchor: WallAnchor, monoMs: number): number {
  return anchor.wallMs - (anchor.monoMs - monoMs);
}

/**
 * One instant on two clocks. Two of them are compared by the monotonic clock where both are of the same boot, else by the wall
 * clock. An empty boot id: the monotonic time is unknown.
 */
export interface Instant {
  /** Unix milliseconds. */
  readonly wallMs: number;
  readonly bootId: string;
  /** Milliseconds since that boot; negative: before it. */
  readonly monoMs: number;
}

/** Milliseconds from `from` to `to`. */
export function msBetween(from: Instant, to: Instant): number {
  return from.bootId !== '' && from.bootId === to.bootId ? to.monoMs - from.monoMs : to.wallMs - from.wallMs;
}

/**
 * One instant on two clocks, and whether the wall clock is trusted. Durations use `monoMs`, times `wallMs`.
 */
export interface Moment {
  /** Milliseconds of the kernel's monotonic clock since boot; never steps, not comparable between boots. */
  readonly monoMs: number;
  /** Unix milliseconds: the true time when `synced`, else the best estimate. */
  readonly wallMs: number;
  /** False until the Pi's clock has been set. */
  readonly synced: boolean;
  /** The kernel's boot id: `monoMs` stamps are comparable only within one boot. */
  readonly bootId: string;
}

/** Source of time for the daemon; `core`, `store` and `engine` receive moments as arguments. */
export interface Clock {
  now(): Moment;
}

/** Source of unique ids for pours, grants and keys. Injected, so that tests can predict them. */
export interface IdSource {
  /** A new id: 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  next(): string;
}

/** The moment at `monoMs` in the boot of `now`. */
export function momentAt(now: Moment, monoMs: number): Moment {
  return { ...now, monoMs, wallMs: now.wallMs - (now.monoMs - monoMs) };
}

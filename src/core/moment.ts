/** Two readings of one instant, and how far the second may be trusted. Durations use `monoMs`, stamps `wallMs`. */
export interface Moment {
  /** Milliseconds of the kernel's monotonic clock since boot; never steps, means nothing in another boot. */
  readonly monoMs: number;
  /** Unix milliseconds: the true time when `synced`, else our best guess of it. */
  readonly wallMs: number;
  /** False while the Pi has not yet heard the time from anybody. */
  readonly synced: boolean;
  /** The kernel's boot id: stamps of `monoMs` can be compared only within one boot. */
  readonly bootId: string;
}

/** Where the daemon asks for the time; `core`, `store` and `engine` are given moments instead. */
export interface Clock {
  now(): Moment;
}

/** Where unique ids come from: pours, grants, keys. Injected, so that a test can count them. */
export interface IdSource {
  /** A new id: 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  next(): string;
}

/** The moment `monoMs` of the boot that `now` belongs to. */
export function momentAt(now: Moment, monoMs: number): Moment {
  return { ...now, monoMs, wallMs: now.wallMs - (now.monoMs - monoMs) };
}

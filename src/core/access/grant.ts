/** Permission to pour, given to the bearer of a token. It outlives the pour, whose report may arrive late. */
export interface Grant {
  readonly id: string;
  readonly device: string;
  /** Owner of the token when it was presented, whoever owns it now. */
  readonly username: string | null;
  readonly authDevice: string;
  readonly tokenValue: string;
  readonly endedReason: string | null;
  /** Boot in which it was given, for a grant at our own taps; null for a grant on a kegboard. */
  readonly bootId: string | null;
  /** Unix milliseconds; null while the clock was not set, and for grants on kegboards. */
  readonly grantedTimeMs: number | null;
  readonly endedTimeMs: number | null;
  /** Volume poured under it; null while it runs, and where it is unknown. */
  readonly volumeMl: number | null;
}

/** A token as last presented to a reader. */
export interface SeenToken {
  readonly authDevice: string;
  readonly tokenValue: string;
  /** What a reader of this machine sent, where it is more than the value in capitals; at most 64 characters. */
  readonly raw: string | null;
  /** The controller it was presented to. */
  readonly device: string;
  /** Number of times it was presented. */
  readonly times: number;
  readonly lastTimeMs: number;
}

/** Pairing state of a network kegboard: it has asked, is allowed, has fetched its token, or is denied. */
export type KegboardState = 'pending' | 'allowed' | 'paired' | 'denied';

/** A network kegboard that is known. */
export interface Kegboard {
  readonly id: number;
  /** The name it reports for itself. */
  readonly device: string;
  readonly state: KegboardState;
  /**
   * Controller that owns its meters and relays; null before it was allowed, and after its controller was
   * deleted.
   */
  readonly controllerId: number | null;
  /** SHA-256 of its token; null without one. */
  readonly tokenHash: Uint8Array | null;
  /** The token in clear until the kegboard has fetched it, once. */
  readonly stagedToken: string | null;
  readonly stagedTimeMs: number | null;
  /**
   * Address it asked from when it was allowed: the token can be fetched from there only. Null: the first one
   * to ask gets it.
   */
  readonly allowedAddress: string | null;
  readonly address: string | null;
  readonly firstSeenMs: number;
  /** Null for a name that was allowed before any kegboard has used it. */
  readonly lastSeenMs: number | null;
  /** Its latest boot. */
  readonly bootId: string | null;
  readonly fwVersion: string | null;
  readonly uptimeMs: number | null;
  readonly rssiDbm: number | null;
  /** Events it has dropped in total; growth means that data was lost. */
  readonly eventsDropped: number | null;
  /** Its settings as it reports them, JSON. */
  readonly config: string | null;
  /** Meters and relays it reported last; null before the first report. */
  readonly meterNumbers: readonly number[] | null;
  readonly relayNumbers: readonly number[] | null;
  /** The error in its last batch; null when there was none. */
  readonly lastError: string | null;
}

/** A command for a kegboard; it executes it once per id and confirms it. */
export interface KegboardCommand {
  readonly id: string;
  readonly type: 'authorize' | 'deny' | 'deauthorize';
  readonly data: Readonly<Record<string, unknown>>;
}

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

/** A token as last presented to a reader. */
export interface SeenToken {
  readonly authDevice: string;
  readonly tokenValue: string;
  /** The controller it was presented to. */
  readonly device: string;
  /** Number of times it was presented. */
  readonly times: number;
  readonly lastTimeMs: number;
}

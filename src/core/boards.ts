/** How far a board that reports events has come: it asks, is let in, has fetched its token, or is sent away. */
export type BoardState = 'pending' | 'allowed' | 'paired' | 'denied';

/** A board in the roster. */
export interface Board {
  readonly id: number;
  /** The name it gives itself. */
  readonly device: string;
  readonly state: BoardState;
  /** Owner of its meters and relays; null before it was allowed, and after its controller was deleted. */
  readonly controllerId: number | null;
  /** SHA-256 of its token; null without one. */
  readonly tokenHash: Uint8Array | null;
  /** The token itself, while it waits to be fetched once. */
  readonly stagedToken: string | null;
  readonly stagedTimeMs: number | null;
  /** Where it asked from when it was allowed: only from there the token is fetched. Null lets the first one have it. */
  readonly allowedAddress: string | null;
  readonly address: string | null;
  readonly firstSeenMs: number;
  /** Null while a name was allowed that nobody has asked under yet. */
  readonly lastSeenMs: number | null;
  /** Its newest boot. */
  readonly bootId: string | null;
  readonly fwVersion: string | null;
  readonly uptimeMs: number | null;
  readonly rssiDbm: number | null;
  /** Events it had to throw away, ever; growth means that data was lost. */
  readonly eventsDropped: number | null;
  /** Its settings as it reports them, JSON. */
  readonly config: string | null;
  /** Meters and relays it reported last; null before it has. */
  readonly meterNumbers: readonly number[] | null;
  readonly relayNumbers: readonly number[] | null;
  /** What was wrong with its last batch; null when nothing was. */
  readonly lastError: string | null;
}

/** Something a board is told to do; it does it once per id and says so. */
export interface BoardCommand {
  readonly id: string;
  readonly type: 'authorize' | 'deny' | 'deauthorize';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Leave to pour, given to the bearer of a token. It outlives the pour, whose report may come late. */
export interface Grant {
  readonly id: string;
  readonly device: string;
  /** Who presented the token then, whoever has it now. */
  readonly username: string | null;
  readonly authDevice: string;
  readonly tokenValue: string;
  readonly endedReason: string | null;
  /** The boot it was given in, of a grant at our own taps; null for one that lives on a board. */
  readonly bootId: string | null;
  /** Unix milliseconds; null where nobody had set the clock, and for grants of boards. */
  readonly grantedTimeMs: number | null;
  readonly endedTimeMs: number | null;
  /** What was drawn on it; null while it runs, and where it is not known. */
  readonly volumeMl: number | null;
}

/** A token as it was presented last at some reader. */
export interface SeenToken {
  readonly authDevice: string;
  readonly tokenValue: string;
  /** The board it was presented to. */
  readonly device: string;
  /** How often it came. */
  readonly times: number;
  readonly lastTimeMs: number;
}

/** What a grant allows; 0 is no limit. */
export interface GrantLimits {
  readonly maxVolumeMl: number;
  readonly maxDurationMs: number;
  /** Longest time without flow. */
  readonly maxIdleMs: number;
}

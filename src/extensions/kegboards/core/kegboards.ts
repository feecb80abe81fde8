import type { Problem } from '../../../core/rules/problems.ts';
/**
 * State of a network kegboard that staff decided on: allowed but its token was not used yet, paired since its token was
 * used, or denied under any address. Requests that wait for a decision are in `pairing-requests.ts`.
 */
export type KegboardState = 'allowed' | 'paired' | 'denied';

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
  /** Address of its last report, or from which it asked when it was allowed. */
  readonly address: string | null;
  readonly firstSeenMs: number;
  /** Null after its status was deleted. */
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
  /** What could not be used of its last batch. */
  readonly problems: readonly Problem[];
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
  /** What a reader of this machine sent, where it is more than the value in capitals; at most 64 characters. */
  readonly raw: string | null;
  /** The controller it was presented to. */
  readonly device: string;
  /** Number of times it was presented. */
  readonly times: number;
  readonly lastTimeMs: number;
}

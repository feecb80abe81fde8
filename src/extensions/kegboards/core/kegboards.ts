import type { Problem } from '../../../core/health/problems.ts';

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

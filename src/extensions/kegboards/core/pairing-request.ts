import type { Problem } from '../../../core/health/problems.ts';
/** Who asks for pairing: a name, an address and a boot. Each combination is a request of its own. */
export interface PairingSource {
  /** Unguessable and the same for the same source, as is the code. */
  readonly id: string;
  /** Six digits that the asking board shows and staff compare. */
  readonly code: string;
  /** The name the board reports for itself. */
  readonly device: string;
  readonly address: string;
  readonly bootId: string;
}

/** A request for pairing as staff see it. */
export interface PairingRequest {
  readonly id: string;
  readonly code: string;
  readonly device: string;
  readonly address: string;
  readonly state: 'pending' | 'allowed' | 'denied';
  /** Unix milliseconds, not negative. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Why its last batch could not be parsed; null when it could. */
  readonly problem: Problem | null;
}

/** Answer to a board that asks: `code` while it waits, `token` once it is allowed. */
export type PairingRequestAnswer =
  | { readonly state: 'pending'; readonly code: string }
  | { readonly state: 'allowed'; readonly token: string }
  | { readonly state: 'denied' };

import type { Blame, OutboxMessage } from '../engine/engine.ts';

/** What a carrier made of a message. */
export type TransportOutcome =
  | { readonly kind: 'sent' }
  /** Nobody is there to read it any more. */
  | { readonly kind: 'skipped'; readonly reason: string }
  | {
      readonly kind: 'failed';
      /** One sentence for staff; no secrets, no personal data. */
      readonly error: string;
      /** True when trying again would be in vain. */
      readonly isFinal: boolean;
      readonly blame: Blame;
      /** The receiver's own wish for a pause, milliseconds. */
      readonly retryAfterMs?: number;
    };

/** Takes messages of one kind out of the house. */
export interface Transport {
  /** The kind of messages it takes. */
  readonly kind: string;
  /** For so many receivers at once; one receiver gets one message after the other. */
  readonly maxConcurrent: number;
  /** Never rejects but for a bug. When `signal` is raised it lets go at once; what it answers then counts for nothing. */
  send(message: OutboxMessage, signal: AbortSignal): Promise<TransportOutcome>;
}

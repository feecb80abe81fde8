import type { Problem } from '../core/health/problems.ts';
import type { FailureScope, OutboxMessage } from '../engine/engine.ts';

/** Result of sending a message. */
export type TransportOutcome =
  | {
      readonly kind: 'sent';
      /** By which the service tells later whether somebody has acknowledged the message. */
      readonly receipt?: string;
      /**
       * The message is removed, since so many would push out the sent ones that staff look at. After a power cut it may be sent
       * again: its receiver recognises it by its id.
       */
      readonly isForgotten?: true;
    }
  /** There is no receiver any more. */
  | { readonly kind: 'skipped'; readonly problem: Problem }
  | {
      readonly kind: 'failed';
      /** For staff, without secrets and personal data. */
      readonly problem: Problem;
      /** True if a retry is useless. */
      readonly isFinal: boolean;
      readonly scope: FailureScope;
      /** Delay requested by the receiver, milliseconds. */
      readonly retryAfterMs?: number;
    };

/** Sends messages of one kind. */
export interface Transport {
  /** Kind of messages it sends. */
  readonly kind: string;
  /** Number of receivers served at once; each receiver gets one message at a time. */
  readonly maxConcurrent: number;
  /** Messages per transaction of outcomes; default 20. */
  readonly batchSize?: number;
  /** False while nothing can be sent: messages then wait without attempts. Default: always true. */
  isReady?(): boolean;
  /** Rejects only for a bug. Returns at once when `signal` aborts; only the outcome `sent` counts then. */
  send(message: OutboxMessage, signal: AbortSignal): Promise<TransportOutcome>;
}

/** A transport that the outbox uses until it is removed. */
export interface RunningTransport {
  /** Retries its waiting messages at once. */
  retryNow(): void;
  /** From now on nothing more is sent by it. */
  remove(): void;
}

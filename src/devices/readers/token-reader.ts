import type { Problem } from '../../core/health/problems.ts';

/** A change at one reader. */
export type ReaderStep =
  | {
      readonly kind: 'presented';
      readonly value: string;
      /** What the reader sent, where it is more than the value in capitals; at most 64 characters. */
      readonly raw?: string;
    }
  | { readonly kind: 'removed'; readonly value: string };

/** What a reader sent that is no card, since it was created. */
export interface Unreadable {
  readonly count: number;
  /** The latest text, at most 64 visible characters; null without one. */
  readonly text: string | null;
}

/** A token reader on this machine. Has no timer; `poll` neither blocks nor throws. */
export interface TokenReader {
  /** Its port, or `onewire` for all buses; unique on this machine. */
  readonly name: string;
  /** Auth device under which its tokens are stored: `core.onewire` or `core.rfid`. */
  readonly device: string;
  /** What is wrong and what to do; null when the reader works. */
  readonly problem: Problem | null;
  /** Lines and frames that were no card. */
  readonly unreadable: Unreadable;
  /** Called every 50 ms. */
  poll(nowMonoMs: number): readonly ReaderStep[];
  close(): Promise<void>;
}

import type { Problem } from '../../core/rules/problems.ts';
/** A change at one reader. */
export type ReaderStep =
  | { readonly kind: 'presented'; readonly value: string }
  | { readonly kind: 'removed'; readonly value: string };

/** A token reader on this machine. Has no timer; `poll` neither blocks nor throws. */
export interface TokenReader {
  /** Its port, or `onewire` for all buses; unique on this machine. */
  readonly name: string;
  /** Auth device under which its tokens are stored: `core.onewire` or `core.rfid`. */
  readonly device: string;
  /** What is wrong and what to do; null when the reader works. */
  readonly problem: Problem | null;
  /** Called every 50 ms. */
  poll(nowMonoMs: number): readonly ReaderStep[];
  close(): Promise<void>;
}

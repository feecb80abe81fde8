/** What became of a token at one reader. */
export type ReaderStep =
  | { readonly kind: 'presented'; readonly value: string }
  | { readonly kind: 'removed'; readonly value: string };

/** A reader on this machine. Owns no timer: it is beaten, and never blocks nor throws. */
export interface TokenReader {
  /** Its port, or `onewire` for all buses; parts it from the others of this machine. */
  readonly name: string;
  /** What its tokens are kept under, `core.onewire` or `core.rfid`. */
  readonly device: string;
  /** What is wrong and what to do; null when it reads. */
  readonly problem: string | null;
  /** Called every 50 ms. */
  poll(nowMonoMs: number): readonly ReaderStep[];
  close(): Promise<void>;
}

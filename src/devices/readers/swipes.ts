import type { ReaderStep } from './token-reader.ts';

/** A reader that tells the same card over and over need not be heard more often than this. */
const repeatMs = 500;

/** A card that lies on a reader is told again well within this; unheard of for longer, it was taken away. */
const removedMs = 1_500;

/** Makes presentments of the cards that a reader tells of. Owns no timer: it is stepped. */
export class Swipes {
  readonly #isCaptive: boolean;
  #value: string | null = null;
  #presentedMonoMs = Number.NEGATIVE_INFINITY;
  #readMonoMs = Number.NEGATIVE_INFINITY;

  /** `isCaptive`: the reader tells of a card again and again while it lies there, so silence means that it left. */
  constructor(isCaptive: boolean) {
    this.#isCaptive = isCaptive;
  }

  tokenRead(value: string, nowMonoMs: number): ReaderStep[] {
    this.#readMonoMs = nowMonoMs;
    if (value === this.#value && nowMonoMs - this.#presentedMonoMs < repeatMs) return [];
    const removed = value === this.#value ? [] : this.#remove();
    this.#value = value;
    this.#presentedMonoMs = nowMonoMs;
    return [...removed, { kind: 'presented', value }];
  }

  step(nowMonoMs: number): ReaderStep[] {
    return nowMonoMs - this.#readMonoMs > removedMs ? this.#remove() : [];
  }

  /** The reader is gone. */
  readerGone(): ReaderStep[] {
    return this.#remove();
  }

  #remove(): ReaderStep[] {
    const value = this.#value;
    this.#value = null;
    return value === null || !this.#isCaptive ? [] : [{ kind: 'removed', value }];
  }
}

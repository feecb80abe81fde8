import type { ReaderStep } from './token-reader.ts';

/** A repeated report of the same card is ignored for this long. */
const repeatMs = 500;

/**
 * A reader repeats a card that lies on it well within this time; after a longer silence the card was removed.
 */
const removedMs = 1_500;

/** Turns a reader's card reports into presentments. Has no timer: the caller steps it. */
export class CardPresentments {
  readonly #isCaptive: boolean;
  #value: string | null = null;
  #presentedMonoMs = Number.NEGATIVE_INFINITY;
  #readMonoMs = Number.NEGATIVE_INFINITY;

  /** `isCaptive`: the reader repeats a card while it lies there, so silence means that it was removed. */
  constructor(isCaptive: boolean) {
    this.#isCaptive = isCaptive;
  }

  /** `text`: what the reader sent. */
  tokenRead(value: string, nowMonoMs: number, text = value): ReaderStep[] {
    this.#readMonoMs = nowMonoMs;
    if (value === this.#value && nowMonoMs - this.#presentedMonoMs < repeatMs) return [];
    const removed = value === this.#value ? [] : this.#remove();
    this.#value = value;
    this.#presentedMonoMs = nowMonoMs;
    const raw = text.toLowerCase().startsWith(value) ? {} : { raw: text };
    return [...removed, { kind: 'presented', value, ...raw }];
  }

  step(nowMonoMs: number): ReaderStep[] {
    return nowMonoMs - this.#readMonoMs > removedMs ? this.#remove() : [];
  }

  /** The reader was unplugged. */
  readerGone(): ReaderStep[] {
    return this.#remove();
  }

  #remove(): ReaderStep[] {
    const value = this.#value;
    this.#value = null;
    return value === null || !this.#isCaptive ? [] : [{ kind: 'removed', value }];
  }
}

import type { ReaderStep } from './token-reader.ts';

/** A reader that tells the same card over and over need not be heard more often than this. */
const againMs = 500;

/** A card that lies on a reader is told again well within this; unheard of for longer, it was taken away. */
const takenAwayMs = 1_500;

/** Makes presentments of the cards that a reader tells of. Owns no timer: it is stepped. */
export class Swipes {
  readonly #isCaptive: boolean;
  #value: string | null = null;
  #toldMonoMs = Number.NEGATIVE_INFINITY;
  #heardMonoMs = Number.NEGATIVE_INFINITY;

  /** `isCaptive`: the reader tells of a card again and again while it lies there, so silence means that it left. */
  constructor(isCaptive: boolean) {
    this.#isCaptive = isCaptive;
  }

  heard(value: string, nowMonoMs: number): ReaderStep[] {
    this.#heardMonoMs = nowMonoMs;
    if (value === this.#value && nowMonoMs - this.#toldMonoMs < againMs) return [];
    const left = value === this.#value ? [] : this.#left();
    this.#value = value;
    this.#toldMonoMs = nowMonoMs;
    return [...left, { kind: 'presented', value }];
  }

  step(nowMonoMs: number): ReaderStep[] {
    return nowMonoMs - this.#heardMonoMs > takenAwayMs ? this.#left() : [];
  }

  /** The reader is gone. */
  gone(): ReaderStep[] {
    return this.#left();
  }

  #left(): ReaderStep[] {
    const value = this.#value;
    this.#value = null;
    return value === null || !this.#isCaptive ? [] : [{ kind: 'removed', value }];
  }
}

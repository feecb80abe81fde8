const minMs = 1_000;
const defaultMaxMs = 30_000;

/** Retry delay after failed opens: 1 s at first, doubled after each failure up to `maxMs`. */
export class BackOff {
  readonly #maxMs: number;
  #pauseMs = minMs;
  #untilMonoMs = Number.NEGATIVE_INFINITY;

  constructor({ maxMs = defaultMaxMs }: { readonly maxMs?: number } = {}) {
    this.#maxMs = maxMs;
  }

  isDue(nowMonoMs: number): boolean {
    return nowMonoMs >= this.#untilMonoMs;
  }

  failed(nowMonoMs: number): void {
    this.#untilMonoMs = nowMonoMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#maxMs);
  }

  succeeded(): void {
    this.#pauseMs = minMs;
  }
}

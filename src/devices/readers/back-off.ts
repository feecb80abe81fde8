const minMs = 1_000;
const maxMs = 30_000;

/** Retry delay after failed opens: 1 s at first, doubled after each failure up to 30 s. */
export class BackOff {
  #pauseMs = minMs;
  #untilMonoMs = Number.NEGATIVE_INFINITY;

  isDue(nowMonoMs: number): boolean {
    return nowMonoMs >= this.#untilMonoMs;
  }

  failed(nowMonoMs: number): void {
    this.#untilMonoMs = nowMonoMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxMs);
  }

  succeeded(): void {
    this.#pauseMs = minMs;
  }
}

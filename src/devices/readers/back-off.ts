const minMs = 1_000;
const maxMs = 30_000;

/** When to try again what did not open: soon at first, later and later. */
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

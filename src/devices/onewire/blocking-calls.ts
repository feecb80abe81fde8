/** What became of a piece of slow work. */
export type BlockingResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** It took longer than allowed and holds its thread still. */
  | { readonly kind: 'timeout' }
  /** Not begun: too much hangs already, or this very thing does. */
  | { readonly kind: 'not_started' };

/**
 * Does work that may hang in the kernel, and keeps count of what hangs.
 *
 * A 1-Wire read blocks one of the four threads that all files, passwords and name look-ups share, and nobody can take it
 * back. So two that hang are the most: the other two threads stay free for the rest of the house.
 */
export class BlockingCalls {
  readonly #limitMs: number;
  readonly #maxHanging: number;
  readonly #hanging = new Set<string>();

  constructor({ limitMs, maxHanging = 2 }: { readonly limitMs: number; readonly maxHanging?: number }) {
    this.#limitMs = limitMs;
    this.#maxHanging = maxHanging;
  }

  /** Runs `work` under a name; waits for it no longer than the limit. What `work` throws is thrown. */
  async run<T>(name: string, work: () => Promise<T>): Promise<BlockingResult<T>> {
    if (this.#hanging.size >= this.#maxHanging || this.#hanging.has(name)) return { kind: 'not_started' };
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<BlockingResult<T>>((resolve) => {
      timer = setTimeout(() => {
        this.#hanging.add(name);
        resolve({ kind: 'timeout' });
      }, this.#limitMs);
    });
    const done = work()
      .then((value): BlockingResult<T> => ({ kind: 'done', value }))
      .finally(() => {
        clearTimeout(timer);
        this.#hanging.delete(name);
      });
    return Promise.race([done, timeout]);
  }
}

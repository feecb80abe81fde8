/** What became of a piece of slow work. */
export type SlowResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** It took longer than allowed and holds its thread still. */
  | { readonly kind: 'late' }
  /** Not begun: too much hangs already, or this very thing does. */
  | { readonly kind: 'not begun' };

/**
 * Does work that may hang in the kernel, and keeps count of what hangs.
 *
 * A 1-Wire read blocks one of the four threads that all files, passwords and name look-ups share, and nobody can take it
 * back. So two that hang are the most: the other two threads stay free for the rest of the house.
 */
export class SlowWork {
  readonly #limitMs: number;
  readonly #mostHanging: number;
  readonly #hanging = new Set<string>();

  constructor({ limitMs, mostHanging = 2 }: { readonly limitMs: number; readonly mostHanging?: number }) {
    this.#limitMs = limitMs;
    this.#mostHanging = mostHanging;
  }

  /** Runs `work` under a name; waits for it no longer than the limit. What `work` throws is thrown. */
  async run<T>(name: string, work: () => Promise<T>): Promise<SlowResult<T>> {
    if (this.#hanging.size >= this.#mostHanging || this.#hanging.has(name)) return { kind: 'not begun' };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<SlowResult<T>>((resolve) => {
      timer = setTimeout(() => {
        this.#hanging.add(name);
        resolve({ kind: 'late' });
      }, this.#limitMs);
    });
    const done = work()
      .then((value): SlowResult<T> => ({ kind: 'done', value }))
      .finally(() => {
        clearTimeout(timer);
        this.#hanging.delete(name);
      });
    return Promise.race([done, late]);
  }
}

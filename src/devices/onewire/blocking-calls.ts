/** Result of a call that may block. */
type BlockingResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** It exceeded the limit and still occupies its thread. */
  | { readonly kind: 'timeout' }
  /** Not started: too many calls hang, or this one does. */
  | { readonly kind: 'not_started' };

/**
 * Runs calls that may hang in the kernel, and limits how many hang at a time.
 *
 * A 1-Wire read blocks one of the four threads that all file accesses, password hashes and name look-ups
 * share, and it cannot be cancelled. At most two may hang, so that two threads stay free for the rest of the
 * daemon.
 */
export class BlockingCalls {
  readonly #limitMs: number;
  readonly #maxHanging: number;
  readonly #hanging = new Set<string>();

  constructor({ limitMs, maxHanging = 2 }: { readonly limitMs: number; readonly maxHanging?: number }) {
    this.#limitMs = limitMs;
    this.#maxHanging = maxHanging;
  }

  /** Runs `work` under a name and waits at most the time limit. Rejects with the error of `work`. */
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

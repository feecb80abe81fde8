/** Runs asynchronous tasks one at a time, in the order of the calls. */
export function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /**
     * Runs `task` when all earlier ones have ended, and gives its result. If `signal` aborts while the task
     * waits, the task is never run and the signal's reason is thrown.
     */
    run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      return new Promise((done, fail) => {
        const giveUp = () => fail(signal!.reason);
        signal?.addEventListener('abort', giveUp, { once: true });
        const turn = last.then(() => {
          signal?.removeEventListener('abort', giveUp);
          signal?.throwIfAborted();
          return task();
        });
        last = turn.catch(() => {});
        turn.then(done, fail);
      });
    },
  };
}

/** First delay after a failure, milliseconds. */
const firstMs = 10_000;
/** Longest delay, milliseconds: a receiver that is reachable again is found within an hour. */
export const maxBackOffMs = 3_600_000;
/** Attempts after which a message is given up: about three days of an unreachable receiver. */
export const maxAttempts = 80;

/** Delay after this many failures in a row (from 1), milliseconds: doubles up to `maxMs`. */
export function backOffMs(failures: number, maxMs = maxBackOffMs): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 20));
}

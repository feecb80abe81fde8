/** First pause after a failure, milliseconds. */
const firstMs = 10_000;
/** The longest pause, milliseconds: a receiver that is back is found within the hour. */
export const maxBackOffMs = 3_600_000;
/** Tries after which a message is given up: about three days of an unreachable receiver. */
export const maxAttempts = 80;

/** How long to wait after so many failures in a row (from 1), milliseconds: doubling up to `longestMs`. */
export function backOffMs(failures: number, maxMs = maxBackOffMs): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 20));
}

/** Shortest span of a time axis. */
const minSpanS = 3_600;

/**
 * Range of a time axis for readings from `first` to `last`, Unix seconds: at least an hour around them, but not
 * beyond `now`.
 */
export function timeSpan(first: number, last: number, now: number): [from: number, to: number] {
  const missingS = minSpanS - (last - first);
  if (missingS <= 0) return [first, last];
  const to = Math.min(last + missingS / 2, Math.max(last, now));
  return [to - minSpanS, to];
}

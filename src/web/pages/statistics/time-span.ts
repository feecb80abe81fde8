/** The shortest stretch of time that an axis shows, seconds. */
const minSpanS = 3_600;

/**
 * What an axis shows of readings from `first` to `last`, Unix seconds: those, or the hour around them. It does not reach
 * beyond `now`, as nothing is known of that.
 */
export function timeSpan(first: number, last: number, now: number): [from: number, to: number] {
  const missingS = minSpanS - (last - first);
  if (missingS <= 0) return [first, last];
  const to = Math.min(last + missingS / 2, Math.max(last, now));
  return [to - minSpanS, to];
}

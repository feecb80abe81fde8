const minuteMs = 60_000;
/** Offsets that are looked for, minutes. */
const most = 30;
/** A line is rung up before or after its pour: pairs within so many minutes are one. */
const width = 2;
/** Chance explains a peak lower than this many standard deviations. */
const leastScore = 8;
/** Half width of the interval of an offset: the width of a pair, and the habit to ring before or after the pour. */
export const offsetUncertaintyMin = 2;
const leastLines = 100;
const margin = most + width;
/** Later times than those of 100 days are left out, so that the memory is bounded. */
const mostMinutes = 100 * 24 * 60;

/**
 * By how many minutes the till's lines are later than the pours: its clock, or that it stamps a line when the check is closed. Found
 * by the offset at which most lines fall on a pour. Null where no offset stands out.
 */
export function findTillOffset(
  pourTimesMs: readonly number[],
  lineTimesMs: readonly number[],
): number | null {
  if (lineTimesMs.length < leastLines || pourTimesMs.length < leastLines) return null;
  const firstMinute = Math.floor(Math.min(minimum(pourTimesMs), minimum(lineTimesMs)) / minuteMs) - margin;
  const toMinutes = (times: readonly number[]) =>
    times.map((time) => Math.floor(time / minuteMs) - firstMinute).filter((minute) => minute < mostMinutes);
  const lines = toMinutes(lineTimesMs);
  const pours = new Uint16Array(mostMinutes + 2 * margin);
  for (const minute of toMinutes(pourTimesMs)) pours[minute]! += 1;
  const hits = Array.from({ length: 2 * margin + 1 }, (_, i) => {
    let sum = 0;
    for (const minute of lines) sum += pours[minute + margin - i]!;
    return sum;
  });
  const smooth = hits
    .slice(width, hits.length - width)
    .map((_, i) => hits.slice(i, i + 2 * width + 1).reduce((sum, hit) => sum + hit, 0));
  const peak = smooth.indexOf(Math.max(...smooth));
  const others = smooth.filter((_, i) => Math.abs(i - peak) > 2 * width);
  const mean = others.reduce((sum, hit) => sum + hit, 0) / others.length;
  // The spread of the others is more than chance: rushes and quiet hours.
  const deviation = Math.hypot(
    Math.sqrt(Math.max(mean, 1)),
    Math.sqrt(others.reduce((sum, hit) => sum + (hit - mean) ** 2, 0) / others.length) / 2,
  );
  return smooth[peak]! - mean >= leastScore * deviation ? centre(smooth, peak, mean) - most : null;
}

/** The peak's centre of gravity above the background. */
function centre(smooth: readonly number[], peak: number, mean: number): number {
  let weight = 0;
  let sum = 0;
  for (let i = Math.max(0, peak - width); i <= Math.min(smooth.length - 1, peak + width); i += 1) {
    const excess = Math.max(0, smooth[i]! - mean);
    weight += excess;
    sum += excess * i;
  }
  return Math.round(sum / weight);
}

const minimum = (times: readonly number[]): number =>
  times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);

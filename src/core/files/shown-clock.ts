import { offsetMs } from '../clock/local-days.ts';
import type { WrittenTime } from './times.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Offsets of all zones change at multiples of a quarter of an hour. */
const quarterMs = 15 * minuteMs;
/** Quarters whose instants are kept; a file of a year has some 35 000. */
const maxKept = 4_096;
/** The lines of a file may be in a slightly other order than their times. */
const disorderMs = 10 * minuteMs;

/**
 * Converts the times of one file in their order. A time of the hour that occurs twice when clocks go back is the one that follows the
 * lines before it, or precedes them in a file with the newest line first; the first line means the first. A time that is skipped when
 * clocks go forward is read with the offset before the change.
 */
export function createShownClock(timeZone: string): (time: WrittenTime) => number {
  const kept = new Map<number, readonly number[]>();
  let lastMs: number | null = null;
  let steps = 0;

  const instants = (shownMs: number): readonly number[] => {
    const quarter = Math.floor(shownMs / quarterMs);
    let offsets = kept.get(quarter);
    if (offsets === undefined) {
      if (kept.size >= maxKept) kept.clear();
      offsets = findOffsets(quarter * quarterMs, timeZone);
      kept.set(quarter, offsets);
    }
    return offsets.map((offset) => shownMs - offset);
  };

  const choose = ([first, second]: readonly number[]): number => {
    if (second === undefined || lastMs === null) return first!;
    const last = lastMs;
    const isDescending = steps < 0;
    const follows = (ms: number) => (isDescending ? ms <= last + disorderMs : ms >= last - disorderMs);
    const inOrder = isDescending ? [second, first!] : [first!, second];
    return inOrder.find(follows) ?? (isDescending ? first! : second);
  };

  return (time) => {
    const ms = time.kind === 'instant' ? time.ms : choose(instants(time.shownMs));
    if (lastMs !== null) steps += Math.sign(ms - lastMs);
    lastMs = ms;
    return ms;
  };
}

/** Offsets from UTC at which clocks of a zone show a time, that of the earlier instant first. */
function findOffsets(shownMs: number, timeZone: string): readonly number[] {
  const before = offsetMs(shownMs - dayMs, timeZone);
  const after = offsetMs(shownMs + dayMs, timeZone);
  if (before === after) return [before];
  const fits = [before, after].filter((offset) => offsetMs(shownMs - offset, timeZone) === offset);
  return fits.length === 0 ? [before] : fits.sort((one, other) => other - one);
}

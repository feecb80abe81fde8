import type { ConditionState } from './alarm-rules.ts';

/** The counter of written bytes on one day, days since 1970. */
export interface WriteSample {
  readonly day: number;
  readonly writtenBytes: number;
}

/** What the kernel shows of the disk that holds the database. */
export interface DiskReadings {
  readonly sizeBytes: number;
  /** Written to its file system since it was made. */
  readonly writtenBytes: number;
  /** Used part of its life by its own register (eMMC), in steps of 10 %; null where it has none. */
  readonly usedPercent: number | null;
  /** Its register says that most spare blocks are used up. */
  readonly isReserveLow: boolean;
}

/**
 * Assumption for a disk without a stated endurance: it takes 100 times its size. Cells of cheap cards (TLC) bear about 500 writes,
 * and small writes as those of a database cause about five times as many in the card.
 */
const assumedFullWrites = 100;
/** Within a shorter time the rate of writing is no measure: an update of the system writes as much as weeks of pours. */
const minDays = 7;
/** Days of samples that are kept; the rate is that of the last two months. */
export const keptDays = 60;
/** Time to get a card and to copy the data, months. */
const warnMonths = 6;
/** The register counts in steps of 10 %: 90 % is its last step before the end. */
const warnUsedPercent = 90;
/** A disk that lasts longer is not judged by the month. */
const maxMonths = 1_200;

const daysPerMonth = 365.25 / 12;

/** The wear of a disk. */
export interface DiskWear {
  readonly state: ConditionState;
  readonly usedPercent: number;
  /** At the present rate; null while it is unknown. */
  readonly months: number | null;
}

const bytesPerTerabyte = 1e12;

/** The endurance that a maker states, TB written; null where none is stated. */
export const toEnduranceBytes = (terabytes: number | null): number | null =>
  terabytes === null ? null : terabytes * bytesPerTerabyte;

/** Estimates how long a disk lasts; `enduranceBytes` is what its maker states. */
export function estimateDiskWear(
  { sizeBytes, writtenBytes, usedPercent, isReserveLow }: DiskReadings,
  samples: readonly WriteSample[],
  enduranceBytes: number | null,
): DiskWear {
  const perMonth = monthlyBytes(samples);
  if (usedPercent !== null) {
    // The register knows better than any assumption.
    const isWorn = isReserveLow || usedPercent >= warnUsedPercent;
    const leftBytes = usedPercent === 0 ? null : (writtenBytes * (100 - usedPercent)) / usedPercent;
    return { state: isWorn ? 'bad' : 'good', usedPercent, months: toMonths(leftBytes, perMonth) };
  }
  const endurance = enduranceBytes ?? assumedFullWrites * sizeBytes;
  const months = toMonths(Math.max(0, endurance - writtenBytes), perMonth);
  const used = Math.min(100, Math.round((100 * writtenBytes) / endurance));
  if (months === null) return { state: 'unknown', usedPercent: used, months };
  return {
    state: months < warnMonths ? 'bad' : months < warnMonths + 1 ? 'between' : 'good',
    usedPercent: used,
    months,
  };
}

function monthlyBytes(samples: readonly WriteSample[]): number | null {
  const sorted = [...samples].sort((a, b) => a.day - b.day);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined || last.day - first.day < minDays) return null;
  return ((last.writtenBytes - first.writtenBytes) / (last.day - first.day)) * daysPerMonth;
}

function toMonths(leftBytes: number | null, perMonth: number | null): number | null {
  if (leftBytes === null || perMonth === null) return null;
  return perMonth <= 0 ? maxMonths : Math.min(maxMonths, Math.floor(leftBytes / perMonth));
}

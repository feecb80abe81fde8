import type { KegSize, KegState } from '../records.ts';

/** Standard keg sizes. Ids never change: stored kegs refer to them. */
export const kegSizes: readonly KegSize[] = [
  { id: 1, key: 'mini', name: 'Mini Keg (5 L)', volumeMl: 5_000 },
  { id: 2, key: 'corny-2_5-gal', name: 'Corny Keg (2.5 gal)', volumeMl: 9_463.53 },
  { id: 3, key: 'corny-3-gal', name: 'Corny Keg (3.0 gal)', volumeMl: 11_356.2 },
  { id: 4, key: 'corny', name: 'Corny Keg (5 gal)', volumeMl: 18_927.1 },
  { id: 5, key: 'sixth', name: 'Sixth Barrel (5.17 gal)', volumeMl: 19_570.6 },
  { id: 6, key: 'quarter', name: 'Quarter Barrel (7.75 gal)', volumeMl: 29_336.9 },
  { id: 7, key: 'euro-30-liter', name: 'European DIN (30 L)', volumeMl: 30_000 },
  { id: 8, key: 'euro-half', name: 'European Half Barrel (50 L)', volumeMl: 50_000 },
  { id: 9, key: 'half-barrel', name: 'Half Barrel (15.5 gal)', volumeMl: 58_673.9 },
  { id: 10, key: 'euro', name: 'European Full Barrel (100 L)', volumeMl: 100_000 },
  { id: 11, key: 'other', name: 'Other', volumeMl: 0 },
];

/** Key of the default size of a new keg. */
export const defaultKegSizeKey = 'half-barrel';

/** Returns the size with that key, or null. */
export function kegSizeByKey(key: string): KegSize | null {
  return kegSizes.find((size) => size.key === key) ?? null;
}

/** Full volume of a keg and what has left it, millilitres. */
interface KegLevel {
  readonly fullVolumeMl: number;
  readonly servedVolumeMl: number;
  readonly spilledVolumeMl: number;
}

/** Calculated rest, millilitres; negative when more was poured than the keg's stated volume. */
export function remainingMl(keg: KegLevel): number {
  return keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
}

/** Calculated rest as a fraction: 1 full, 0 empty, negative when overdrawn; 0 for a keg of no volume. */
export function percentFull(keg: KegLevel): number {
  return keg.fullVolumeMl > 0 ? remainingMl(keg) / keg.fullVolumeMl : 0;
}

/**
 * Whether a drink of `volumeMl`, already counted in `after`, took the keg from above `lowShare` to it or
 * below.
 */
export function crossesLowMark(after: KegLevel, volumeMl: number, lowShare: number): boolean {
  if (after.fullVolumeMl <= 0) return false;
  const markMl = after.fullVolumeMl * lowShare;
  const remainMl = remainingMl(after);
  return remainMl <= markMl && remainMl + volumeMl > markMl;
}

/**
 * Allowed changes: attach, end (also a keg never tapped, or ended before), take off before it is empty, and
 * reactivate.
 */
const nextStates: Readonly<Record<KegState, readonly KegState[]>> = {
  available: ['on_tap', 'finished'],
  on_tap: ['available', 'finished'],
  finished: ['available', 'finished'],
};

/** Whether a keg may change from state `from` to state `to`. */
export function canChangeKegState(from: KegState, to: KegState): boolean {
  return nextStates[from].includes(to);
}

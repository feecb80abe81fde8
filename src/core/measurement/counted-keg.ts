import type { KegDensity, MeasuredVolume } from '../kegs/keg-density.ts';
import { type KegWeighing, toWeighedRemainder, toWeighedUse } from '../kegs/keg-weighing.ts';
import { foamBeerShare, uFoamBeerShare } from './fresh-foam.ts';

/** How much beer left a keg between two times at which its content was known. */
export interface KegUse extends MeasuredVolume {
  /** True when it began with the volume that is stated on the keg, which its brewery may have filled inexactly. */
  readonly isFromStated: boolean;
}

/** A keg and what the meter of its tap counted of it meanwhile. */
export interface CountedKeg {
  readonly use: KegUse;
  /** False when it may not have been empty at the end. */
  readonly isEndKnown: boolean;
  /** Beer in the line to the meter that came from elsewhere, or stayed there when negative. */
  readonly line: MeasuredVolume;
  /** Volume that is stated on the keg, millilitres. */
  readonly fullVolumeMl: number;
  /** That of its size; 0 for a size without a volume. */
  readonly sizeMl: number;
  /** Ticks of beer and foam in its drinks, in spills, and in drips on its days. */
  readonly ticks: number;
  /** Those of the foam before its beer. */
  readonly foamTicks: number;
  readonly spilledTicks: number;
  readonly dripTicks: number;
  /** Spilled beer, millilitres: all of it, and what the meter did not count. */
  readonly spilledMl: number;
  readonly uncountedSpillMl: number;
  /** Ticks of its drinks that were deleted, as spilled or otherwise. */
  readonly cancelledTicks: number;
}

/** Beer that stays in a keg that ran dry, 0.5 to 1 %; and its standard uncertainty. */
const residual = 0.0075;
const uResidual = 0.0015;
/** Standard uncertainty of what a keg of 50 L or more contains besides the bias of its brewery and size, as a share. */
const uKeg = 0.005;
/** Smaller kegs are filled no more exactly, millilitres: breweries may fill 0.5 L more or less. */
const uFillMl = 250;
/** A spill is estimated by eye, as a share of it. */
const uSpill = 0.25;
/** More spilled beer than this, as a share of what was used, makes it incomplete. */
const maxSpilled = 0.02;
/** Nobody knows whether ticks of a deleted drink were beer; more than this share of all makes the keg incomplete. */
const maxDeleted = 0.002;
/** Another starting volume than that of a full keg was weighed or guessed. */
const maxSizeDifference = 0.01;
/** Less used beer says nothing, millilitres and as a standard uncertainty. */
const minUseMl = 1_000;
const maxU = 0.05;

/** Why a keg is no evidence, the first that holds. */
export const incompleteReasons = [
  'end_unknown', // nobody said that it ran dry
  'not_full', // it began with another volume than that of its size
  'too_little', // less beer was used than tells anything, or its volume is not known well enough
  'spilled', // too much of it was spilled
  'deleted', // drinks were deleted that may have been beer
  'given', // drinks whose ticks are not known: their volume was given
  'doubtful', // drinks of another tap or meter, recovered ones, and such with missed ticks
  'held', // pours of its time wait for review
  'series', // several kegs emptied one after another
  'meter_changed', // the meter was replaced, moved or got another factor
] as const;
export type IncompleteReason = (typeof incompleteReasons)[number];

/** What a keg says about a meter's factor. */
export interface KegEvidence {
  readonly ticks: number;
  readonly volumeMl: number;
  /** Standard uncertainty as a share. */
  readonly u: number;
  /** False when some of its beer or ticks are not known. */
  readonly isFit: boolean;
  /** Null when it is fit. */
  readonly incompleteReason: IncompleteReason | null;
}

/** Beer that left a keg from one weighing (null: full, as stated) to another (null: it ran dry). */
export function toKegUse(
  { fullVolumeMl, density }: { readonly fullVolumeMl: number; readonly density: KegDensity },
  from: KegWeighing | null,
  to: KegWeighing | null,
): KegUse {
  const isFromStated = from === null;
  if (from !== null && to !== null) return { ...toWeighedUse(from, to, density), isFromStated };
  const uFull = Math.max(uKeg * fullVolumeMl, uFillMl);
  const start = from === null ? null : toWeighedRemainder(from, density);
  const end = to === null ? null : toWeighedRemainder(to, density);
  // What stays in a keg is part of what is uncertain of a full one.
  const uEnd = end?.uMl ?? (isFromStated ? 0 : uResidual * fullVolumeMl);
  return {
    volumeMl: (start?.volumeMl ?? fullVolumeMl) - (end?.volumeMl ?? residual * fullVolumeMl),
    uMl: Math.hypot(start?.uMl ?? uFull, uEnd),
    isFromStated,
  };
}

/** The first reason that holds; null without one. */
export const firstReason = (
  reasons: Readonly<Partial<Record<IncompleteReason, boolean>>>,
): IncompleteReason | null => incompleteReasons.find((reason) => reasons[reason] === true) ?? null;

/** Measures a keg; null when nothing was used or counted. */
export function measureKeg(keg: CountedKeg): KegEvidence | null {
  const { use, line, fullVolumeMl, sizeMl, spilledMl, uncountedSpillMl } = keg;
  const { foamTicks } = keg;
  const ticks = Math.round(keg.ticks + keg.spilledTicks + keg.dripTicks - (1 - foamBeerShare) * foamTicks);
  const volumeMl = use.volumeMl - uncountedSpillMl + line.volumeMl;
  const deletedTicks = Math.max(0, keg.cancelledTicks - keg.spilledTicks);
  if (ticks < 1 || volumeMl <= 0) return null;
  const isFull = sizeMl === 0 || Math.abs(fullVolumeMl / sizeMl - 1) <= maxSizeDifference;
  const u = Math.hypot(
    use.uMl / volumeMl,
    line.uMl / volumeMl,
    (uSpill * uncountedSpillMl) / volumeMl,
    // Some of the drips were of the keg before or after.
    keg.dripTicks / ticks / 2,
    (uFoamBeerShare * foamTicks) / ticks,
  );
  const incompleteReason = firstReason({
    end_unknown: !keg.isEndKnown,
    not_full: !isFull && use.isFromStated,
    too_little: volumeMl < minUseMl || u > maxU,
    spilled: spilledMl > maxSpilled * use.volumeMl,
    deleted: deletedTicks > maxDeleted * ticks,
  });
  return { ticks, volumeMl, u: Math.min(1, u), isFit: incompleteReason === null, incompleteReason };
}

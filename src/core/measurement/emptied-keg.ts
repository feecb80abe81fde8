/** An emptied keg and what the meter of its tap counted of it. */
export interface EmptiedKeg {
  /** Volume that is stated on the keg, millilitres. */
  readonly fullVolumeMl: number;
  /** That of its size; 0 for a size without a volume. */
  readonly sizeMl: number;
  /** Ticks of beer in its drinks, in spills, and in drips on its days. */
  readonly ticks: number;
  readonly spilledTicks: number;
  readonly dripTicks: number;
  /** Spilled beer, millilitres: all of it, and what the meter did not count. */
  readonly spilledMl: number;
  readonly uncountedSpillMl: number;
  /** Ticks of its drinks that were deleted, as spilled or otherwise. */
  readonly cancelledTicks: number;
  /** Gas came out of the tap, or staff said that the keg is empty when they were asked. */
  readonly isKnownEmpty: boolean;
}

/** Beer that stays in a keg that ran dry, 0.5 to 1 %. */
const residual = 0.0075;
/** Standard uncertainty of what a keg of 50 L or more contains besides the bias of its brewery and size, as a share. */
const uKeg = 0.005;
/** Smaller kegs are filled no more exactly, millilitres: breweries may fill 0.5 L more or less. */
const uFillMl = 250;
/** Beer in the hose from keg to meter, which was empty or full at either end: 2 m of 5/16″ (49.5 mL/m). */
const uHoseMl = 100;
/** A spill is estimated by eye, as a share of it. */
const uSpill = 0.25;
/** More spilled beer than this, as a share of the keg, makes it incomplete. */
const maxSpilled = 0.02;
/** Nobody knows whether ticks of a deleted drink were beer; more than this share of all makes the keg incomplete. */
const maxDeleted = 0.002;
/** Another starting volume than that of a full keg was weighed or guessed. */
const maxSizeDifference = 0.01;

/** What a keg that ran empty says about a meter's factor. */
export interface KegEvidence {
  readonly ticks: number;
  readonly volumeMl: number;
  /** Standard uncertainty as a share. */
  readonly u: number;
  /** False when some of its beer or ticks are not known. */
  readonly isFit: boolean;
}

/** Measures a keg that ran empty; null when nothing was counted. */
export function measureEmptiedKeg(keg: EmptiedKeg): KegEvidence | null {
  const { fullVolumeMl, sizeMl, spilledMl, uncountedSpillMl } = keg;
  const ticks = Math.round(keg.ticks + keg.spilledTicks + keg.dripTicks);
  const volumeMl = fullVolumeMl * (1 - residual) - uncountedSpillMl;
  const deletedTicks = Math.max(0, keg.cancelledTicks - keg.spilledTicks);
  if (ticks < 1 || volumeMl <= 0) return null;
  const isFull = sizeMl === 0 || Math.abs(fullVolumeMl / sizeMl - 1) <= maxSizeDifference;
  // One that was taken off without gas may contain beer.
  const isFit =
    keg.isKnownEmpty &&
    isFull &&
    spilledMl <= maxSpilled * fullVolumeMl &&
    deletedTicks <= maxDeleted * ticks;
  const u = Math.hypot(
    Math.max(uKeg, uFillMl / fullVolumeMl),
    uHoseMl / fullVolumeMl,
    (uSpill * uncountedSpillMl) / fullVolumeMl,
    // Some of the drips were of the keg before or after.
    keg.dripTicks / ticks / 2,
  );
  return { ticks, volumeMl, u: Math.min(1, u), isFit };
}

import { uFoamBeerShare } from './fresh-foam.ts';
import { monthMs, uDriftPerMonth } from './meter-learning.ts';
import { type PourStarts, usualMlPerS } from './pour-starts.ts';
import { tickRounding } from './weighed-pours.ts';

/** Standard uncertainty of a factor that nobody measured and whose meter's data sheet is not known, as a share. */
export const uUnknownFactor = 0.06;
/** A meter whose interval is wider is called uncalibrated. */
export const uncalibratedAbove = 0.03;

/**
 * Standard uncertainty of the difference of the times by which a wheel lags behind a flow that begins and one that ends, seconds: 50 to
 * 150 ms and 50 to 120 ms, and what the wheel misses before it turns. At 60 mL/s each start is off by 2.6 mL.
 */
export const uLagS = 0.044;
/**
 * Standard uncertainty of the flow that friction takes from a wheel at all rates, as a share of the least flow of its range: that of the
 * YF-21 by its table, as it may be for other meters. Of a range from 0.8 L/min it is 1.4 % of 60 mL/s.
 */
export const uFrictionShare = 0.065;
/** Least flow of a meter whose range is not known, mL/s. */
export const usualLeastMlPerS = 0.8 * (1_000 / 60);
/** Standard deviation of a meter between pours, as a share: data sheets state limits of 0.5 %. */
export const uRepeat = 0.003;
/** Standard uncertainty of the foam before the gas of an empty keg, which is counted as beer, as seconds of the pour's flow. */
export const uLastFoamS = 0.7;
/** Standard uncertainty of the volume in a full keg, as a share: breweries may fill 0.5 L more or less. */
export const uFill = 0.006;
/** Factor from a standard uncertainty to the half width of the 95 % interval. */
export const coverage = 2;

/** What is known of the meter that measured a volume. */
export interface MeterUncertainty {
  readonly ticksPerMl: number;
  /** Standard uncertainty of the factor, as a share. */
  readonly uFactor: number;
  /** The pours by which the factor was measured: it contains what each of them has besides its ticks. Absent: it was not, or nobody knows. */
  readonly measuredBy?: MeasuredBy | null;
  /** Standard uncertainty of its lag, seconds; absent: that of any meter. */
  readonly uLagS?: number | null;
  /** Least flow of its range, mL/s; absent where it is not known. */
  readonly leastMlPerS?: number | null;
  /** Lowest and highest rate of its curve, ticks per second; absent where one factor serves all rates. */
  readonly curveHz?: readonly [low: number, high: number] | null;
}

/** Mean of the pours by which a factor was measured. */
export interface MeasuredBy {
  /** Ticks per second. */
  readonly hz: number;
  /** Ticks of a pour. */
  readonly ticks: number;
}

/** Pours of one meter, summed up. */
export interface MeterSum extends MeterUncertainty {
  readonly pours: number;
  readonly volumeMl: number;
  /** Their starts and the time in which they flowed; absent: one start each, at the usual flow. */
  readonly starts?: PourStarts;
  /** Ticks of these pours known to be missed. */
  readonly ticksLost?: number;
  /** Ticks of foam, of which a quarter was taken to be beer. */
  readonly foamTicks?: number;
  /** How many of them ended in the gas of an empty keg. */
  readonly endedInGas?: number;
  /** Difference of the factor that was used from that of the meter today, as a share. */
  readonly factorDifference?: number;
}

/** Standard uncertainty, as a share, that a factor has got by its age. */
export const driftSince = (measuredMs: number, atMs: number): number =>
  uDriftPerMonth * Math.sqrt(Math.max(0, atMs - measuredMs) / monthMs);

/** Half width of the 95 % interval of one pour, millilitres. */
export const pourUncertainty = (
  meter: MeterUncertainty,
  pour: Omit<MeterSum, keyof MeterUncertainty | 'pours'>,
): number => sumUncertainty([{ ...meter, ...pour, pours: 1 }]);

/** Two sums of one meter together; of what is known of it at both times the less certain. */
export function addMeterSums(a: MeterSum, { starts, ...b }: MeterSum): MeterSum {
  return {
    ...b,
    uFactor: Math.max(a.uFactor, b.uFactor),
    pours: a.pours + b.pours,
    volumeMl: a.volumeMl + b.volumeMl,
    ticksLost: (a.ticksLost ?? 0) + (b.ticksLost ?? 0),
    foamTicks: (a.foamTicks ?? 0) + (b.foamTicks ?? 0),
    endedInGas: (a.endedInGas ?? 0) + (b.endedInGas ?? 0),
    ...(a.starts &&
      starts && {
        starts: { riseHz: a.starts.riseHz + starts.riseHz, flowMs: a.starts.flowMs + starts.flowMs },
      }),
  };
}

/**
 * Half width of the 95 % interval of a sum, millilitres. The error of a factor is the same for all pours of its meter and
 * never averages out; those of different meters are independent. `unsettledMl` is the volume of pours that may belong to the sum or
 * not: held ones, and those whose time is uncertain. They do so or do not all at once.
 */
export function sumUncertainty(sums: readonly MeterSum[], unsettledMl = 0): number {
  return Math.hypot(coverage * Math.hypot(...sums.map(uOfMeter)), unsettledMl);
}

/** Half width of the 95 % interval of what is left in a keg, millilitres; held pours at its tap may be its beer. */
export function remainderUncertainty(
  keg: { readonly fullVolumeMl: number; readonly spilledVolumeMl: number },
  sums: readonly MeterSum[],
  unsettledMl = 0,
): number {
  return Math.hypot(
    coverage * uFill * keg.fullVolumeMl,
    sumUncertainty(sums, unsettledMl),
    // A spill is estimated by eye: a quarter more or less.
    coverage * (keg.spilledVolumeMl / 4),
  );
}

function uOfMeter(sum: MeterSum): number {
  const {
    pours,
    volumeMl,
    uFactor,
    ticksPerMl,
    ticksLost = 0,
    foamTicks = 0,
    endedInGas = 0,
    factorDifference = 0,
  } = sum;
  if (pours === 0) return 0;
  return Math.hypot(
    volumeMl * uFactor,
    volumeMl * factorDifference,
    // The pours are of similar size: the sum of their squares is at most twice that of equal ones.
    Math.sqrt(Math.min(1, 2 / pours)) * uRepeat * volumeMl,
    (sum.uLagS ?? uLagS) * startsBeyondFactor(sum),
    uFrictionMl(sum),
    (Math.sqrt(pours) * tickRounding) / ticksPerMl,
    ticksLost / ticksPerMl,
    // Foam of one beer is alike: its errors do not average out.
    (uFoamBeerShare * foamTicks) / ticksPerMl,
    endedInGas * uLastFoamS * meanFlow(sum),
  );
}

/**
 * Flow that began in these pours, less what the factor contains of it because it was measured by pours that began, too; mL/s. A
 * meter has the same lag at each start, so that its errors do not average out.
 */
function startsBeyondFactor({ pours, volumeMl, ticksPerMl, measuredBy, starts }: MeterSum): number {
  if (volumeMl <= 0) return 0;
  const begun = starts === undefined ? pours * usualMlPerS : starts.riseHz / ticksPerMl;
  return begun - (measuredBy ? (volumeMl * measuredBy.hz) / measuredBy.ticks : 0);
}

/** Standard uncertainty by rates other than those at which the meter was measured, millilitres. */
export const uFrictionMl = (sum: MeterSum): number =>
  Math.abs(uFrictionShare * (sum.leastMlPerS ?? usualLeastMlPerS) * secondsBeyondFactor(sum));

/** Time in which these pours flowed, less that which they take at the rate of the factor, seconds. Friction takes the same flow at all rates. */
function secondsBeyondFactor({ volumeMl, ticksPerMl, measuredBy, curveHz, starts }: MeterSum): number {
  if (starts === undefined || volumeMl <= 0) return 0;
  const mlPerS = meanFlow({ volumeMl, starts });
  const [low, high] =
    curveHz ??
    (measuredBy ? [measuredBy.hz, measuredBy.hz] : [usualMlPerS * ticksPerMl, usualMlPerS * ticksPerMl]);
  const known = Math.min(Math.max(mlPerS, low / ticksPerMl), high / ticksPerMl);
  return volumeMl / mlPerS - volumeMl / known;
}

const meanFlow = ({ volumeMl, starts }: Pick<MeterSum, 'volumeMl' | 'starts'>): number =>
  starts === undefined || volumeMl <= 0 ? usualMlPerS : (volumeMl * 1_000) / starts.flowMs;

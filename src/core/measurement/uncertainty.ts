import { uFoamBeerShare } from './fresh-foam.ts';
import { meterRepeatability, tickRounding } from './weighed-pours.ts';

/** Standard uncertainty of a factor that nobody measured and whose meter's data sheet is not known, as a share. */
export const uUnknownFactor = 0.06;
/** A meter whose interval is wider is called uncalibrated. */
export const uncalibratedAbove = 0.03;

/** Standard uncertainty of what a pour has besides its ticks: the wheel starts late and runs on. */
export const uOffsetMl = 1;
/** Standard uncertainty of the volume in a full keg, as a share: breweries may fill 0.5 L more or less. */
export const uFill = 0.006;
/** Factor from a standard uncertainty to the half width of the 95 % interval. */
export const coverage = 2;

/** What is known of the meter that measured a volume. */
export interface MeterUncertainty {
  readonly ticksPerMl: number;
  /** Standard uncertainty of the factor, as a share. */
  readonly uFactor: number;
}

interface PourMeasure {
  readonly volumeMl: number;
  /** Ticks known to be missed. */
  readonly ticksLost: number;
  /** Ticks of foam, of which a quarter was taken to be beer. */
  readonly foamTicks?: number;
  /** Difference of the factor that was used from that of the meter today, as a share. */
  readonly factorDifference?: number;
  /** Standard uncertainty by rates outside the meter's curve, as a share. */
  readonly uLinear?: number;
}

/** Pours of one meter, summed up. */
export interface MeterSum extends MeterUncertainty {
  readonly pours: number;
  readonly volumeMl: number;
  /** Ticks of these pours known to be missed. */
  readonly ticksLost?: number;
  /** Ticks of foam in these pours. */
  readonly foamTicks?: number;
}

/** Half width of the 95 % interval of one pour, millilitres. */
export function pourUncertainty(meter: MeterUncertainty, pour: PourMeasure): number {
  const { volumeMl, ticksLost, foamTicks = 0, factorDifference = 0, uLinear = 0 } = pour;
  return (
    coverage *
    Math.hypot(
      volumeMl * meter.uFactor,
      volumeMl * factorDifference,
      volumeMl * uLinear,
      volumeMl * meterRepeatability,
      volumeMl > 0 ? uOffsetMl : 0,
      tickRounding / meter.ticksPerMl,
      ticksLost / meter.ticksPerMl,
      (uFoamBeerShare * foamTicks) / meter.ticksPerMl,
    )
  );
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

function uOfMeter({ pours, volumeMl, uFactor, ticksPerMl, ticksLost = 0, foamTicks = 0 }: MeterSum): number {
  if (pours === 0) return 0;
  // The pours are of similar size: the sum of their squares is at most twice that of equal ones.
  const independent = Math.sqrt(2 / pours) * meterRepeatability * volumeMl;
  return Math.hypot(
    volumeMl * uFactor,
    independent,
    pours * uOffsetMl,
    (Math.sqrt(pours) * tickRounding) / ticksPerMl,
    ticksLost / ticksPerMl,
    // Foam of one beer is alike: its errors do not average out.
    (uFoamBeerShare * foamTicks) / ticksPerMl,
  );
}

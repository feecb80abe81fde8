import type { Random } from './random.ts';
import type { SimulatedMeter } from './scenario.ts';

/** What the catalogue says of a meter, as far as the model uses it. */
export interface MeterFigures {
  readonly ticksPerMl: number;
  readonly minLPerMin: number | null;
  readonly maxHz: number | null;
}

/** Flow at which the catalogue's calibration holds, mL/s: that of an open tap. */
const calibratedAtMlPerS = 60;

/** Friction as a share of the least flow of the range: the table of the YF-21 gives 480 at 2 L/min and 492 pulses/L at 10. */
const frictionShare = 0.055;

/** A wheel turns below the range, inaccurately, and stands below this share of it. */
const stallShare = 0.5;

/** Least flow of a meter whose range is not known, L/min. */
const usualMinLPerMin = 0.8;

/** Gas drives a wheel beyond the end of its range, by up to this factor. */
const overspeed = 3;

/** A meter with typical lags and magnets. */
export function typicalMeter({ ticksPerMl, minLPerMin, maxHz }: MeterFigures): SimulatedMeter {
  const leastMlPerS = ((minLPerMin ?? usualMinLPerMin) * 1_000) / 60;
  const rollOffMlPerS = frictionShare * leastMlPerS;
  return {
    ticksPerMl: ticksPerMl / (1 - rollOffMlPerS / calibratedAtMlPerS),
    rollOffMlPerS,
    stallMlPerS: stallShare * leastMlPerS,
    tauUpMs: 90,
    tauDownMs: 80,
    magnets: 4,
    unevenness: 0.05,
    jitterMs: 0.05,
    maxHz: maxHz === null ? null : overspeed * maxHz,
  };
}

/** One of many meters: lags, magnets and calibration within what the sources say. */
export function drawMeter(
  figures: MeterFigures & { readonly spread?: number },
  random: Random,
): SimulatedMeter {
  const meter = typicalMeter(figures);
  return {
    ...meter,
    ticksPerMl: meter.ticksPerMl * (1 + (figures.spread ?? 0.02) * (2 * random.next() - 1)),
    tauUpMs: random.between(50, 150),
    tauDownMs: random.between(50, 120),
    magnets: 1 + Math.floor(random.between(1, 4)),
    unevenness: random.between(0, 0.15),
  };
}

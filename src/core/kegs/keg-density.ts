/** Specific gravity of beer that nobody measured, kg/L, and its standard uncertainty. */
const defaultDensity = 1.01;
const uDefaultDensity = 0.004;
/** Standard uncertainty of a density that is known from the beer's final gravity: its temperature and rounding, kg/L. */
const uKnownDensity = 0.001;
/** Densities outside are typing errors, kg/L. */
const minDensity = 0.98;
const maxDensity = 1.1;
/**
 * Gas that takes the place of the beer in the keg, kg/L: CO₂ at 2.4 bar absolute and 5 °C; 1.5 to 3.5 bar are usual. The
 * keg's outside does not change, so its buoyancy in air cancels.
 */
export const gasDensity = 0.0046;
export const uGasDensity = 0.001;

/** Mass that a keg loses per litre of beer, kg/L. */
export interface KegDensity {
  readonly kgPerL: number;
  readonly uKgPerL: number;
}

/** From the beer's final gravity; `null` when it is not known. */
export function toKegDensity(finalGravity: number | null): KegDensity {
  const isKnown = finalGravity !== null && finalGravity >= minDensity && finalGravity <= maxDensity;
  return {
    kgPerL: (isKnown ? finalGravity : defaultDensity) - gasDensity,
    uKgPerL: Math.hypot(isKnown ? uKnownDensity : uDefaultDensity, uGasDensity),
  };
}

/** A volume with its standard uncertainty, millilitres. */
export interface MeasuredVolume {
  readonly volumeMl: number;
  readonly uMl: number;
}

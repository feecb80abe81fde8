/**
 * Ticks per millilitre of a meter that nobody has calibrated or specified: the FT330-RJ, the most common beer
 * meter. Other models differ by half, so a meter with this default is shown as uncalibrated.
 */
export const defaultTicksPerMl = 2.724;

/** Volume of `ticks` in millilitres; `ticksPerMl` must be above 0. */
export function volumeOfTicks(ticks: number, ticksPerMl: number): number {
  return ticks / ticksPerMl;
}

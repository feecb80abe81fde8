/**
 * Ticks per millilitre of a meter nobody has calibrated or named: the FT330-RJ, the commonest beer meter in the field.
 * Other models differ by half, so a meter that rests on this is shown as uncalibrated.
 */
export const defaultTicksPerMl = 2.724;

/** Millilitres that `ticks` stand for; `ticksPerMl` is above 0. */
export function volumeOfTicks(ticks: number, ticksPerMl: number): number {
  return ticks / ticksPerMl;
}

import type { MeasuredVolume } from '../kegs/keg-density.ts';

/** What the line between keg and meter was full of. */
export type LineFill = 'beer' | 'gas' | 'unknown';

/** Volumes of a tap's line, millilitres; null where they are not known. */
interface TapLine {
  readonly lineVolumeMl: number | null;
  readonly lineToMeterMl: number | null;
}

/** Standard uncertainty of a line that nobody measured: 2 m of 5/16″ (49.5 mL/m). */
const uUnknownLineMl = 100;
/** Standard uncertainty of a volume by length and diameter, as a share. */
const uVolume = 0.1;
/** How much of the line was full of beer, as a share with its standard uncertainty. */
const shares = { beer: [1, 0.1], gas: [0, 0.1], unknown: [0.5, 0.5] } as const;

/**
 * Beer that the meter counted although it did not come from the keg: what was in the line to the meter at the start, without
 * what stayed there at the end.
 */
export function lineDifference(
  { lineVolumeMl, lineToMeterMl }: TapLine,
  fill: { readonly atStart: LineFill; readonly atEnd: LineFill },
): MeasuredVolume {
  if (lineToMeterMl === null && lineVolumeMl === null) return { volumeMl: 0, uMl: uUnknownLineMl };
  // The meter may be anywhere in the line.
  const toMeterMl = lineToMeterMl ?? lineVolumeMl! / 2;
  const uToMeterMl = lineToMeterMl === null ? lineVolumeMl! / Math.sqrt(12) : uVolume * toMeterMl;
  const [start, uStart] = shares[fill.atStart];
  const [end, uEnd] = shares[fill.atEnd];
  return {
    volumeMl: (start - end) * toMeterMl,
    uMl: Math.hypot((start - end) * uToMeterMl, toMeterMl * Math.hypot(uStart, uEnd)),
  };
}

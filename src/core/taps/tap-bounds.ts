/** Most taps of a site; a start page with more would not be usable. */
export const maxTaps = 200;

/** Largest number of a tap: three digits fit on its card and on a kiosk. */
export const maxTapNumber = 999;

/** Largest volume of a tap's line, mL: 600 m of 10 mm. */
export const maxLineMl = 50_000;

/** Longest name of a tap, characters. */
export const maxTapNameLength = 128;

/**
 * The number of a new tap: the only one in its name ("Tap 3", "Bar 3 left") when it is free, else the lowest free one.
 * Null when all are taken.
 */
export function chooseTapNumber(name: string, taken: ReadonlySet<number>): number | null {
  const inName = Number(/^\D*0*(\d{1,3})\D*$/.exec(name)?.[1] ?? 0);
  if (inName > 0 && !taken.has(inName)) return inName;
  for (let number = 1; number <= maxTapNumber; number += 1) if (!taken.has(number)) return number;
  return null;
}

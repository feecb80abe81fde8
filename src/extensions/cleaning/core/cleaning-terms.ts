/** What is done to a line. */
export const cleaningKinds = [
  'caustic', // beer line cleaner against protein, yeast and hops
  'acid', // against beer stone
  'disinfection',
  'parts', // couplers, foam detectors and faucets taken apart
  'water', // rinsed only
] as const;
export type CleaningKind = (typeof cleaningKinds)[number];

export { type CleaningStep, cleaningSteps } from '../../../core/taps/line-cleaning.ts';

export const cleaningMethods = ['recirculation', 'standing', 'pressure', 'sponge', 'other'] as const;
export type CleaningMethod = (typeof cleaningMethods)[number];

export const cleaningResults = ['passed', 'failed', 'not_checked'] as const;
export type CleaningResult = (typeof cleaningResults)[number];

/** `mode`: run at the tap; `pours`: drinks that were marked afterwards; `manual`: entered afterwards. */
export const cleaningOrigins = ['mode', 'pours', 'manual'] as const;
export type CleaningOrigin = (typeof cleaningOrigins)[number];

/** Why cleaning mode ended; `expired`: nobody ended it. */
export type CleaningEnd = 'finished' | 'cancelled' | 'expired';

/** Limits of what people enter. */
export const cleaningBounds = {
  intervalDays: { min: 1, max: 366, whole: true },
  contactMinutes: { min: 0, max: 240 },
  concentrationPercent: { min: 0, max: 100 },
  tempC: { min: 0, max: 100 },
  rinsePh: { min: 0, max: 14 },
  /** 100 m of 3/8 inch hold 7 L; a python with its coil holds 20. */
  lineVolumeMl: { min: 0, max: 100_000 },
  /** Most pours that become one cleaning. */
  pours: 50,
} as const;

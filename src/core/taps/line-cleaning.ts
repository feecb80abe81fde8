/** The steps of a cleaning at the tap, in their order; each can be left out. */
export const cleaningSteps = [
  'push_out', // water pushes the beer out
  'cleaner', // cleaner flows, once or around
  'contact', // cleaner stands in the line, or is pumped around
  'rinse', // water pushes the cleaner out
  'check', // pH and sight
  'refill', // beer pushes the water out
] as const;
export type CleaningStep = (typeof cleaningSteps)[number];

/** What the live state of a tap tells of the cleaning of its line; an extension knows it. */
export interface LineCleaning {
  /** Null while none runs. */
  readonly running: {
    readonly id: number;
    readonly step: CleaningStep;
    /** Null in another step. */
    readonly contactEndsMs: number | null;
  } | null;
  /** Null before the first, and where the day is not known. */
  readonly daysSince: number | null;
  /** The most urgent of its plans; null when none is due. */
  readonly due: 'soon' | 'due' | 'overdue' | null;
}

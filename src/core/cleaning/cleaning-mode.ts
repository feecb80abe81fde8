import type { CleaningStep } from './cleaning-terms.ts';

const minuteMs = 60_000;

/** Nobody works longer on one step, besides waiting for the contact time, milliseconds. */
const stepMs = 120 * minuteMs;

/** A started step. */
export interface StartedStep {
  readonly step: CleaningStep;
  readonly sinceMs: number;
}

/** When cleaning mode ends by itself unless the next step is started, Unix milliseconds. */
export const cleaningExpiresMs = ({ step, sinceMs }: StartedStep, contactMinutes: number): number =>
  sinceMs + stepMs + (step === 'contact' ? contactMinutes * minuteMs : 0);

/** When the contact time is over, Unix milliseconds; null in another step. */
export const contactEndsMs = ({ step, sinceMs }: StartedStep, contactMinutes: number): number | null =>
  step === 'contact' ? sinceMs + contactMinutes * minuteMs : null;

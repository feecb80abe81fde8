import type { CleaningStep } from './cleaning-terms.ts';

const minuteMs = 60_000;

/** Nobody works longer on one step, besides waiting for the contact time, milliseconds. */
const stepMs = 120 * minuteMs;

/** A started step. */
export interface StartedStep {
  readonly step: CleaningStep;
  readonly sinceMs: number;
}

/** How long after the start of this step cleaning mode ends by itself, milliseconds. */
export const stepLifeMs = ({ step }: Pick<StartedStep, 'step'>, contactMinutes: number): number =>
  stepMs + (step === 'contact' ? contactMinutes * minuteMs : 0);

/** When cleaning mode ends by itself unless the next step is started, Unix milliseconds. */
export const cleaningExpiresMs = (started: StartedStep, contactMinutes: number): number =>
  started.sinceMs + stepLifeMs(started, contactMinutes);

/** When the contact time is over, Unix milliseconds; null in another step. */
export const contactEndsMs = ({ step, sinceMs }: StartedStep, contactMinutes: number): number | null =>
  step === 'contact' ? sinceMs + contactMinutes * minuteMs : null;

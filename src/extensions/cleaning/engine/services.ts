import type { createCleaningLog } from './cleaning-log.ts';
import type { createCleaningMode } from './cleaning-mode.ts';
import type { createCleaningPlans } from './cleaning-plans.ts';
import type { createCleaningSuggestions } from './cleaning-suggestions.ts';

/** Cleaning of the beer lines: plans, cleaning mode at the taps, the log, and the question whether pours were a cleaning. */
export interface CleaningEngine {
  readonly cleanings: ReturnType<typeof createCleaningPlans> &
    ReturnType<typeof createCleaningMode> &
    ReturnType<typeof createCleaningLog>;
  readonly cleaningSuggestions: ReturnType<typeof createCleaningSuggestions>;
}

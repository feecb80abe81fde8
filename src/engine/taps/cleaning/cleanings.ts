import type { EngineParts } from '../../shared/parts.ts';
import { createCleaningLog } from './cleaning-log.ts';
import { createCleaningMode } from './cleaning-mode.ts';
import { createCleaningPlans } from './cleaning-plans.ts';

/** Cleaning of the beer lines: plans, cleaning mode at the taps, and the log. */
export const createCleanings = (parts: EngineParts) => ({
  ...createCleaningPlans(parts),
  ...createCleaningMode(parts),
  ...createCleaningLog(parts),
});

import type { EngineHooks } from '../../../engine/extension.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { CleaningTables } from '../store/cleaning-store.ts';
import { createCleaningHooks } from './cleaning-hooks.ts';
import { createCleaningLog } from './cleaning-log.ts';
import { createCleaningMode } from './cleaning-mode.ts';
import { createCleaningPlans } from './cleaning-plans.ts';
import { createCleaningSuggestions } from './cleaning-suggestions.ts';
import type { CleaningEngine } from './services.ts';

/** Cleaning of the beer lines, and what the base asks. */
export interface CleaningServices extends CleaningEngine {
  readonly hooks: EngineHooks;
}

export function createCleaningServices(base: EngineParts, tables: CleaningTables): CleaningServices {
  const parts = { ...base, store: { ...base.store, ...tables } };
  const cleanings = {
    ...createCleaningPlans(parts),
    ...createCleaningMode(parts),
    ...createCleaningLog(parts),
  };
  const cleaningSuggestions = createCleaningSuggestions(parts);
  return {
    cleanings,
    cleaningSuggestions,
    hooks: createCleaningHooks(parts, { cleanings, cleaningSuggestions }),
  };
}

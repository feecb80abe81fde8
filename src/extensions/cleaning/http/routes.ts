import type { Route } from '../../../http/routes/route.ts';
import { getCleaningLogCsv } from './cleaning-csv.ts';
import { cleaningLogRoutes } from './cleaning-log.ts';
import { cleaningModeRoutes } from './cleaning-mode.ts';
import { cleaningPlanRoutes } from './cleaning-plans.ts';
import { cleaningSuggestionRoutes } from './cleaning-suggestions.ts';
import type { CleaningRouteParts } from './route-parts.ts';

/** Cleaning at the taps, plans, the log, and the question whether pours were a cleaning. */
export const cleaningRoutes = (parts: CleaningRouteParts): readonly Route[] => [
  ...cleaningModeRoutes(parts),
  ...cleaningPlanRoutes(parts),
  ...cleaningLogRoutes(parts),
  getCleaningLogCsv(parts),
  ...cleaningSuggestionRoutes(parts),
];

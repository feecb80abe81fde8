import type { EngineParts } from '../shared/parts.ts';
import { createDrinkerFigures } from './drinker-figures.ts';
import { createExports } from './exports.ts';
import { createOverview } from './overview.ts';
import { createReports } from './reports.ts';
import { createStatistics } from './statistics.ts';
import { createStatisticsRows } from './statistics-rows.ts';

/** Business days, and what is read of many drinks at once. */
export const createReportServices = (parts: EngineParts) => ({
  ...createReports(parts),
  statistics: createStatistics(parts),
  statisticsRows: createStatisticsRows(parts),
  drinkerFigures: createDrinkerFigures(parts),
  overview: createOverview(parts),
  exports: createExports(parts),
});

import type { EngineParts } from '../shared/parts.ts';
import { createDrinkerFigures } from './drinker-figures.ts';
import { createExports } from './exports.ts';
import { createOverview } from './overview.ts';
import { createRecentDays } from './recent-days.ts';
import { createReports } from './reports.ts';
import { createStatistics } from './statistics.ts';
import { createStatisticsRows } from './statistics-rows.ts';
import { createSubjectFigures } from './subject-figures.ts';

/** Business days, and what is read of many drinks at once. */
export function createReportServices(parts: EngineParts) {
  const reports = createReports(parts);
  return {
    ...reports,
    recentDays: createRecentDays(parts, reports.rule),
    statistics: createStatistics(parts),
    statisticsRows: createStatisticsRows(parts),
    subjectFigures: createSubjectFigures(parts),
    drinkerFigures: createDrinkerFigures(parts),
    overview: createOverview(parts),
    exports: createExports(parts),
  };
}

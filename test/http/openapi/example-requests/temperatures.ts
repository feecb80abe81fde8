import type { ExampleRequests } from './example-request.ts';

/** Temperatures of a month. */
export const temperatureRequests: ExampleRequests = {
  getTemperatureSheetsCsv: { params: { month: '2026-05' } },
  getTemperatureSheets: { params: { month: '2026-05' }, query: { limit_c: 8 } },
};

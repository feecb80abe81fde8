import type { EngineParts } from '../shared/parts.ts';
import { createLineTemperatures } from './line-temperatures.ts';
import { createTemperatureSheets } from './temperature-sheet.ts';
import { createThermo } from './thermo.ts';
import { createThermoHistory } from './thermo-history.ts';

/** Sensors and their readings. */
export const createTemperatureServices = (parts: EngineParts) => ({
  ...createThermo(parts),
  history: createThermoHistory(parts),
  lines: createLineTemperatures(parts),
  sheets: createTemperatureSheets(parts),
});

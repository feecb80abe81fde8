import type { TableParts } from '../shared/table-parts.ts';
import { deletedThermoTable } from './deleted-thermo-table.ts';
import { thermoHoursTable } from './thermo-hours-table.ts';
import { thermoTable } from './thermo-table.ts';

/** Sensors and their readings. */
export const createTemperatureTables = ({ db }: TableParts) => ({
  ...thermoTable(db),
  /** By minute and hour. */
  history: thermoHoursTable(db),
  /** Deleted sensors, for undoing. */
  deleted: deletedThermoTable(db),
});

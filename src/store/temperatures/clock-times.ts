import { type ClockTimes, onlySet } from '../shared/clock-times.ts';

const deleted = { stays: 'of a deleted sensor, kept for days so that the deletion can be undone' } as const;

export const temperaturesTimes = {
  thermo_logs: { time_ms: { noted: 'thermo_log', follows: 'its minute, which may have a reading already' } },
  thermo_hours: { hour_ms: onlySet },
  deleted_thermo_sensors: { deleted_ms: deleted },
  deleted_thermo_logs: { time_ms: deleted },
  deleted_thermo_hours: { hour_ms: deleted },
} as const satisfies ClockTimes;

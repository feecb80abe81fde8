import { type ClockTimes, shown } from '../../../store/shared/clock-times.ts';

export const scalesTimes = {
  scale_readings: {
    minute_ms: { stays: 'a chart of days, in which the next reading follows after a minute' },
  },
  scale_findings: { started_ms: shown, updated_ms: shown, ended_ms: shown },
} as const satisfies ClockTimes;

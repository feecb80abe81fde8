import { type ClockTimes, shown } from '../../../store/shared/clock-times.ts';

const ofTill = { stays: 'by the clock of the till' } as const;
const chosen = { stays: 'staff choose it' } as const;

export const salesTimes = {
  till_item_mappings: { since_ms: chosen },
  sales_imports: { started_ms: shown, first_ms: ofTill, last_ms: ofTill },
  sales: { time_ms: ofTill },
  by_person_settings: { since_ms: shown },
  sales_files: { modified_ms: { stays: 'by the file system, with which it is compared' }, read_ms: shown },
  closed_months: { closed_ms: shown },
} as const satisfies ClockTimes;

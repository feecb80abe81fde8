import { calendarSpan } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { type SheetDay, toSheetDay } from '../../core/temperatures/temperature-sheet.ts';
import { validateNumber, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';

/** The temperatures of one sensor in a month. */
export interface SensorSheet {
  readonly sensorId: number;
  readonly name: string;
  readonly days: readonly (SheetDay & { readonly date: string })[];
}

/** More hours than a month has. */
const maxHours = 800;

/** Temperatures of a month by day, as food hygiene rules want them (HACCP). */
export const createTemperatureSheets = ({ store }: EngineParts) => ({
  /** All sensors; `month` is `YYYY-MM`. Minutes and the hours that took their place are summed up alike. */
  sheet(
    { month, limitC }: { readonly month: string; readonly limitC: number | null },
    now: Moment,
  ): readonly SensorSheet[] {
    if (limitC !== null) validateNumber('limit_c', limitC, { min: -50, max: 125 });
    const { timeZone } = store.site.read();
    const [year = 0, monthOfYear = 0] = month.split('-').map(Number);
    const span = calendarSpan({ year, month: monthOfYear }, timeZone);
    if (span === null || monthOfYear < 1 || monthOfYear > 12)
      throw validationError('month', 'must be a month such as 2026-05');
    const days = listDays(year, monthOfYear, timeZone).filter(({ sinceMs }) => sinceMs <= now.wallMs);
    return store.temperatures.all().map(({ id, rawName, niceName }) => {
      const hours = store.temperatures.history.hours({ sensorId: id, ...span, limit: maxHours });
      return {
        sensorId: id,
        name: niceName || rawName,
        days: days.map(({ date, ...day }) => ({
          date,
          ...toSheetDay(hours, { ...day, limitC }, now.wallMs),
        })),
      };
    });
  },
});

function listDays(year: number, month: number, timeZone: string) {
  return Array.from({ length: 31 }, (_, i) => i + 1).flatMap((day) => {
    const span = calendarSpan({ year, month, day }, timeZone);
    const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    return span === null || new Date(Date.UTC(year, month - 1, day)).getUTCMonth() !== month - 1
      ? []
      : [{ date, ...span }];
  });
}

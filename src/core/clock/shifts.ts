import { formatTimeOfDay } from './business-days.ts';

/** A part of the day: from its start to that of the next one. */
export interface Shift {
  /** Without commas. */
  readonly name: string;
  /** Minutes after midnight at the bar, 0 to 1439. */
  readonly startsMinutes: number;
}

export const maxShifts = 6;
export const maxShiftName = 40;

/** Writes shifts as text, as they are stored and logged: `10:00 Lunch, 17:00 Evening`. */
export const formatShifts = (shifts: readonly Shift[]): string =>
  shifts.map(({ name, startsMinutes }) => `${formatTimeOfDay(startsMinutes)} ${name}`).join(', ');

/** Reads shifts from the text of `formatShifts`. */
export const parseShifts = (text: string): readonly Shift[] =>
  text === ''
    ? []
    : text.split(', ').map((one) => ({
        name: one.slice(6),
        startsMinutes: Number(one.slice(0, 2)) * 60 + Number(one.slice(3, 5)),
      }));

/** The index of the shift at a time of day; before the first start that is the last one. Null without shifts. */
export function findShift(shifts: readonly Shift[], minutes: number): number | null {
  if (shifts.length === 0) return null;
  const index = shifts.findLastIndex(({ startsMinutes }) => startsMinutes <= minutes);
  return index === -1 ? shifts.length - 1 : index;
}

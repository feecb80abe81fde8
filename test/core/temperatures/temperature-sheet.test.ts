import { expect, test } from 'vitest';
import { toSheetDay } from '../../../src/core/temperatures/temperature-sheet.ts';

const hour = 3_600_000;
const at = (h: number, minC: number, meanC: number, maxC: number, readings = 60) => ({
  timeMs: h * hour,
  minC,
  meanC,
  maxC,
  readings,
});
const day = { sinceMs: 0, untilMs: 24 * hour, limitC: 8 };

test('a day has its lowest, mean and highest reading, the hours above the limit and those without', () => {
  const hours = [at(0, 4, 5, 6, 60), at(1, 5, 7, 9, 20), at(25, 1, 1, 1)];
  expect(toSheetDay(hours, day, 24 * hour)).toEqual({
    minC: 4,
    // (5 × 60 + 7 × 20) / 80
    meanC: 5.5,
    maxC: 9,
    readings: 80,
    hoursAbove: 1,
    hoursMissing: 22,
  });
});

test('a day with readings in one hour has those of that hour', () => {
  expect(toSheetDay([at(7, 2, 3, 4)], day, 24 * hour)).toMatchObject({ minC: 2, meanC: 3, maxC: 4 });
});

test('hours outside of the day and hours without readings count for nothing', () => {
  const own = [at(0, 4, 5, 6), at(23, 5, 6, 7)];
  const others = [at(-1, 0, 0, 20), at(24, 0, 0, 20), at(9, 0, 0, 20, 0)];
  expect(toSheetDay([...own, ...others], day, 24 * hour)).toEqual(toSheetDay(own, day, 24 * hour));
});

test('an hour at the limit is not above it', () => {
  expect(toSheetDay([at(0, 8, 8, 8), at(1, 8, 8, 8.1)], day, 24 * hour).hoursAbove).toBe(1);
});

test('hours that have not passed are no gap', () => {
  expect(toSheetDay([at(0, 4, 4, 4), at(2, 4, 4, 4)], day, 2.5 * hour)).toMatchObject({ hoursMissing: 1 });
});

test('a day without readings has none, and without a limit nothing is above it', () => {
  expect(toSheetDay([], day, 24 * hour)).toMatchObject({
    minC: null,
    meanC: null,
    maxC: null,
    hoursMissing: 24,
  });
  expect(toSheetDay([at(0, 30, 30, 30)], { ...day, limitC: null }, hour)).toMatchObject({ hoursAbove: 0 });
});

test('the day on which clocks go back has 25 hours', () => {
  const long = { ...day, untilMs: 25 * hour };
  expect(toSheetDay([], long, 25 * hour).hoursMissing).toBe(25);
});

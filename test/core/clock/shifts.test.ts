import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShift, formatShifts, parseShifts } from '../../../src/core/clock/shifts.ts';

const shifts = [
  { name: 'Lunch', startsMinutes: 600 },
  { name: 'Evening: late', startsMinutes: 1_050 },
];

test('a shift lasts until the next one starts, the last one over midnight until the first', () => {
  const found = [0, 599, 600, 1_049, 1_050, 1_439].map((minutes) => findShift(shifts, minutes));
  expect(found).toEqual([1, 1, 0, 0, 1, 1]);
  expect(findShift([], 600)).toBeNull();
});

test('shifts are read from their text as they were written', () => {
  const name = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !text.includes(','));
  const shift = fc.record({ name, startsMinutes: fc.integer({ min: 0, max: 1_439 }) });
  fc.assert(
    fc.property(fc.array(shift, { maxLength: 6 }), (all) => {
      expect(parseShifts(formatShifts(all))).toEqual(all);
    }),
  );
});

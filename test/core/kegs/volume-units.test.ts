import { expect, test } from 'vitest';
import { caloriesPerOz } from '../../../src/core/kegs/volume-units.ts';
import { defaultTicksPerMl, volumeOfTicks } from '../../../src/core/pours/calibration.ts';

test('calories are converted per ounce, null stays null', () => {
  expect(caloriesPerOz(0.5)).toBeCloseTo(14.786765, 6);
  expect(caloriesPerOz(0)).toBe(0);
  expect(caloriesPerOz(null)).toBeNull();
});

test('2724 ticks of an uncalibrated meter are a litre', () => {
  expect(volumeOfTicks(2_724, defaultTicksPerMl)).toBeCloseTo(1_000, 9);
});

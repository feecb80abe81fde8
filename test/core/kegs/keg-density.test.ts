import { expect, test } from 'vitest';
import { toKegDensity } from '../../../src/core/kegs/keg-density.ts';

test('a litre of unknown beer is 1.010 kg ± 0.4 %, less the gas that takes its place', () => {
  const density = toKegDensity(null);
  expect(density.kgPerL).toBeCloseTo(1.0054, 4);
  expect(density.uKgPerL).toBeCloseTo(0.0041, 4);
});

test('a known final gravity is used, an impossible one is not', () => {
  expect(toKegDensity(1.02).kgPerL).toBeCloseTo(1.0154, 4);
  expect(toKegDensity(1.02).uKgPerL).toBeLessThan(0.002);
  expect(toKegDensity(1.5)).toEqual(toKegDensity(null));
});

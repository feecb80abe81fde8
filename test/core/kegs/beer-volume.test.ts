import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beerDensity,
  beerTempRange,
  gravityRange,
  volumeOfWeight,
  waterDensity,
} from '../../../src/core/kegs/beer-volume.ts';

test('water density matches the tables and is highest at 4 °C', () => {
  expect(waterDensity(4)).toBeCloseTo(0.999972, 5);
  expect(waterDensity(20)).toBeCloseTo(0.998206, 5);
  expect(waterDensity(0)).toBeLessThan(waterDensity(4));
});

test('500 g of beer with final gravity 1.010 at 5 °C are 496 mL', () => {
  expect(beerDensity({ finalGravity: 1.01, tempC: 20 })).toBeCloseTo(1.00819, 4);
  expect(volumeOfWeight({ grams: 500, tareGrams: 0, finalGravity: 1.01, tempC: 5 })).toBeCloseTo(495.6, 1);
});

test('subtracts the tare weight of the glass', () => {
  const beer = { finalGravity: 1.012, tempC: 6 };
  expect(volumeOfWeight({ grams: 812, tareGrams: 312, ...beer })).toBeCloseTo(
    volumeOfWeight({ grams: 500, tareGrams: 0, ...beer }),
    9,
  );
});

test('volume grows with weight, falls with gravity, and converts back to the weight', () => {
  const gravity = fc.double({ ...gravityRange, noNaN: true });
  const temp = fc.double({ ...beerTempRange, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 50_000, noNaN: true }),
      gravity,
      temp,
      (grams, finalGravity, tempC) => {
        const ml = volumeOfWeight({ grams, tareGrams: 0, finalGravity, tempC });
        // The buoyancy of air, 0.1 %, is all that differs.
        expect(ml * beerDensity({ finalGravity, tempC })).toBeCloseTo(1.00105 * grams, 6);
        expect(volumeOfWeight({ grams: grams + 1, tareGrams: 0, finalGravity, tempC })).toBeGreaterThan(ml);
        expect(
          volumeOfWeight({ grams, tareGrams: 0, finalGravity: finalGravity + 0.01, tempC }),
        ).toBeLessThan(ml);
      },
    ),
  );
});

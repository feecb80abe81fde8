import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toKegDensity } from '../../../../src/core/kegs/keg-density.ts';
import { addScalePours } from '../../../../src/extensions/scales/core/scale-evidence.ts';

const density = toKegDensity(null);
/** Pours of a meter with that factor, as a perfect scale sees them. */
const poursOf = (ticksPerMl: number, volumes: readonly number[]) =>
  volumes.map((ml) => ({ ticks: Math.round(ml * ticksPerMl), lossG: ml * density.kgPerL, uG: 10 }));

test('many pours give the factor, and are the more certain the more there are', () => {
  const few = addScalePours(poursOf(5.4, Array(12).fill(500)), density)!;
  const many = addScalePours(poursOf(5.4, Array(80).fill(500)), density)!;
  expect(few.ticks / few.volumeMl).toBeCloseTo(5.4, 2);
  expect(many.ticks / many.volumeMl).toBeCloseTo(5.4, 2);
  expect(many.u).toBeLessThan(few.u);
  // The density of beer that nobody measured is in both.
  expect(many.u).toBeGreaterThan(0.004);
});

test('four pours, or less than five litres, say nothing', () => {
  expect(addScalePours(poursOf(5, Array(4).fill(2_000)), density)).toBeNull();
  expect(addScalePours(poursOf(5, Array(9).fill(500)), density)).toBeNull();
});

test('a crate that was put on the keg during a pour, and a pour of gas, are left out', () => {
  const pours = poursOf(5, Array(20).fill(500));
  const disturbed = [
    ...pours,
    { ticks: 2_500, lossG: 15_000, uG: 10 },
    { ticks: 9_000, lossG: 120, uG: 10 },
    { ticks: 2_500, lossG: -8_000, uG: 10 },
  ];
  expect(addScalePours(disturbed, density)).toEqual(addScalePours(pours, density));
});

test('pours before and after a start of the daemon say the same as all of them at once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 200, max: 1_000 }), { minLength: 30, maxLength: 80 }),
      fc.integer({ min: 15, max: 25 }),
      (volumes, cut) => {
        const pours = poursOf(3, volumes);
        const first = addScalePours(pours.slice(0, cut), density);
        fc.pre(first !== null);
        const both = addScalePours(pours.slice(cut), density, first)!;
        const all = addScalePours(pours, density)!;
        expect(both.ticks).toBe(all.ticks);
        expect(both.volumeMl).toBeCloseTo(all.volumeMl, 6);
        expect(both.u).toBeCloseTo(all.u, 9);
      },
    ),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addMeterSums,
  coverage,
  type MeterSum,
  pourUncertainty,
  remainderUncertainty,
  sumUncertainty,
  uLagS,
  uRepeat,
} from '../../../src/core/measurement/uncertainty.ts';
import { createRandom } from './simulated-evidence.ts';

/** Measured by litres at 60 mL/s. */
const meter = { ticksPerMl: 5.4, uFactor: 0.005, measuredBy: { hz: 324, ticks: 5_400 } };
const starts = (count: number, seconds: number, mlPerS = 60) => ({
  riseHz: 5.4 * mlPerS * count,
  flowMs: seconds * 1_000,
});
const half = { volumeMl: 500, starts: starts(1, 500 / 60) };

test('half a litre by a calibrated meter is known within 1.3 %, by an unknown one within 13 %', () => {
  expect(pourUncertainty(meter, half)).toBeCloseTo(6.4, 1);
  expect(pourUncertainty({ ticksPerMl: 5.4, uFactor: 0.06 }, half)).toBeCloseTo(60.3, 0);
});

test('lost ticks and a factor that was changed since widen the interval', () => {
  expect(pourUncertainty(meter, { ...half, ticksLost: 54 })).toBeGreaterThan(20);
  expect(pourUncertainty(meter, { ...half, factorDifference: 0.02 })).toBeGreaterThan(20);
  expect(pourUncertainty(meter, { volumeMl: 0 })).toBeCloseTo(2 * (0.41 / 5.4), 9);
});

test('each start is charged, less what the factor contains of it', () => {
  const exact = { ...meter, uFactor: 0 };
  const of = (count: number, ml: number) =>
    pourUncertainty(exact, { volumeMl: ml, starts: starts(count, ml / 60) });
  // A litre is what the meter was measured by: only what differs from pour to pour remains.
  expect(of(1, 1_000)).toBeCloseTo(2 * Math.hypot(3, 0.41 / 5.4), 6);
  expect(of(1, 30)).toBeCloseTo(2 * uLagS * 60 * 0.97, 1);
  expect(of(3, 450)).toBeGreaterThan(2 * uLagS * 60 * 2.5);
  expect(pourUncertainty({ ...exact, uLagS: 0.01 }, { volumeMl: 30, starts: starts(1, 0.5) })).toBeLessThan(
    1.3,
  );
});

test('a flow slower or faster than that of the calibration is less certain, within a curve it is not', () => {
  const at = (mlPerS: number, curveHz: readonly [number, number] | null = null) =>
    pourUncertainty({ ...meter, curveHz }, { volumeMl: 300, starts: starts(1, 300 / mlPerS, mlPerS) }) / 300;
  expect(at(10)).toBeGreaterThan(0.1);
  expect(at(25)).toBeGreaterThan(0.025);
  expect(at(60)).toBeLessThan(0.017);
  expect(at(25, [5.4 * 20, 5.4 * 80])).toBeLessThan(0.017);
  expect(at(10, [5.4 * 20, 5.4 * 80])).toBeGreaterThan(0.05);
  expect(at(10, [5.4 * 20, 5.4 * 80])).toBeLessThan(at(10));
});

test('the foam before the gas of an empty keg widens the last pour of a keg', () => {
  expect(pourUncertainty(meter, { ...half, endedInGas: 1 })).toBeGreaterThan(80);
});

test('property: a pour alone is a sum of one, and a sum is at most the pours one after the other', () => {
  const pour = fc.record({ ml: fc.integer({ min: 1, max: 2_000 }), count: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(fc.array(pour, { minLength: 1, maxLength: 20 }), (pours) => {
      const sums = pours.map(({ ml, count }) => ({
        ...meter,
        pours: 1,
        volumeMl: ml,
        starts: starts(count, ml / 40),
      }));
      const whole = sums.slice(1).reduce<MeterSum>(addMeterSums, sums[0]!);
      const each = sums.map((one) => sumUncertainty([one])).reduce((sum, one) => sum + one, 0);
      expect(sumUncertainty([whole])).toBeLessThanOrEqual(each * (1 + 1e-9));
    }),
  );
});

test('the error of the factor does not average out, that of the single pours does', () => {
  const sum = (pours: number) => sumUncertainty([{ ...meter, pours, volumeMl: pours * 500 }]) / (pours * 500);
  expect(sum(1)).toBeGreaterThan(sum(10));
  expect(sum(10_000)).toBeGreaterThan(0.01);
  expect(sum(10_000)).toBeLessThan(0.0115);
});

test('errors of different meters are independent', () => {
  const one = { ...meter, pours: 100, volumeMl: 50_000 };
  expect(sumUncertainty([one, one])).toBeCloseTo(Math.SQRT2 * sumUncertainty([one]), 9);
  expect(sumUncertainty([])).toBe(0);
});

test('5 L left in a 50 L keg by a factor within 1 % are known within 0.8 L', () => {
  const left = remainderUncertainty({ fullVolumeMl: 50_000, spilledVolumeMl: 0 }, [
    { ...meter, pours: 90, volumeMl: 45_000 },
  ]);
  expect(left).toBeGreaterThan(730);
  expect(left).toBeLessThan(800);
});

test('simulated: 95 of 100 intervals of a pour contain its true volume', () => {
  const random = createRandom(7);
  const runs = 4_000;
  let covered = 0;
  for (let i = 0; i < runs; i++) {
    const trueMl = 30 + 570 * random.uniform();
    const trueFactor = 5.4 * (1 + meter.uFactor * random.normal());
    // The factor contains the lag of litres.
    const lagMl = uLagS * random.normal() * (60 - 0.06 * trueMl);
    const counted = trueMl * trueFactor * (1 + uRepeat * random.normal()) + lagMl * 5.4;
    const volumeMl = Math.round(counted + 0.41 * random.normal()) / 5.4;
    const pour = { volumeMl, starts: starts(1, volumeMl / 60) };
    if (Math.abs(volumeMl - trueMl) <= pourUncertainty(meter, pour)) covered++;
  }
  expect(coverage).toBe(2);
  expect(covered / runs).toBeGreaterThan(0.93);
  expect(covered / runs).toBeLessThan(0.97);
});

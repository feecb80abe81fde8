import { expect, test } from 'vitest';
import {
  coverage,
  pourUncertainty,
  remainderUncertainty,
  sumUncertainty,
  uOffsetMl,
} from '../../../src/core/measurement/uncertainty.ts';
import { createRandom } from './simulated-evidence.ts';

const meter = { ticksPerMl: 5.4, uFactor: 0.005 };
const half = { volumeMl: 500, ticksLost: 0 };

test('half a litre by a calibrated meter is known within 2 %, by an unknown one within 13 %', () => {
  expect(pourUncertainty(meter, half)).toBeCloseTo(7.35, 1);
  expect(pourUncertainty({ ...meter, uFactor: 0.06 }, half)).toBeCloseTo(60.2, 0);
});

test('lost ticks and a factor that was changed since widen the interval', () => {
  expect(pourUncertainty(meter, { ...half, ticksLost: 54 })).toBeGreaterThan(20);
  expect(pourUncertainty(meter, { ...half, factorDifference: 0.02 })).toBeGreaterThan(20);
  expect(pourUncertainty(meter, { volumeMl: 0, ticksLost: 0 })).toBeCloseTo(2 * (0.41 / 5.4), 9);
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
    const trueMl = 200 + 400 * random.uniform();
    const trueFactor = 5.4 * (1 + meter.uFactor * random.normal());
    const counted = trueMl * trueFactor * (1 + 0.005 * random.normal()) + uOffsetMl * 5.4 * random.normal();
    const volumeMl = Math.round(counted + 0.41 * random.normal()) / 5.4;
    if (Math.abs(volumeMl - trueMl) <= pourUncertainty(meter, { volumeMl, ticksLost: 0 })) covered++;
  }
  expect(coverage).toBe(2);
  expect(covered / runs).toBeGreaterThan(0.93);
  expect(covered / runs).toBeLessThan(0.97);
});

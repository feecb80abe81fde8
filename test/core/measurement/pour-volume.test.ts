import { expect, test } from 'vitest';
import { pourVolume, withFactor } from '../../../src/core/measurement/pour-volume.ts';

const points = [
  { hz: 100, ticksPerMl: 4 },
  { hz: 200, ticksPerMl: 5 },
];
const meter = { ticksPerMl: 5, curve: { points, offsetTicks: 0 } };
/** 3 s at 100 ticks per second. */
const slow = Array.from({ length: 30 }, (_, i) => `${i * 100}:10`).join(' ');
const pour = { source: 'pin', ticks: 300, gasTicks: 0, foamTicks: 0, series: slow, pourId: 'a' } as const;

test('a pour from a pin has the factor of its rate', () => {
  expect(pourVolume(meter, pour)).toBeCloseTo(75, 9);
});

test('a meter without a curve has one factor, whatever the rate', () => {
  expect(pourVolume({ ticksPerMl: 5, curve: null }, pour)).toBe(60);
});

test('boards, clients and people have the one factor, because their ticks have no exact times', () => {
  for (const source of ['serial', 'device', 'post', 'manual', 'import'] as const)
    expect(pourVolume(meter, { ...pour, source }), source).toBe(60);
});

test('a series that is missing or not of these ticks is not used', () => {
  for (const series of [null, '', 'nonsense', '0:299'])
    expect(pourVolume(meter, { ...pour, series })).toBe(60);
});

test('gas at the end is not in the volume, and its rate does not matter', () => {
  const series = `${slow} 3000:100 3100:100`;
  const withGas = pourVolume(meter, { ...pour, series, ticks: 500, gasTicks: 200 });
  expect(withGas).toEqual(pourVolume(meter, pour));
});

test('a quarter of the foam before the beer of a fresh keg is in the volume, and its rate does not matter', () => {
  const withFoam = {
    ...pour,
    series: `0:80 100:120 ${slow.replace(/(\d+):/g, (_, ms) => `${Number(ms) + 200}:`)}`,
  };
  const fresh = { ...withFoam, ticks: 500, foamTicks: 200 };
  expect(pourVolume(meter, fresh)).toBeCloseTo(75 + 50 / 5, 9);
  expect(pourVolume({ ticksPerMl: 5, curve: null }, fresh)).toBeCloseTo((300 + 50) / 5, 9);
  const alone = { ...pour, series: '0:200', ticks: 200, foamTicks: 200 };
  expect(pourVolume(meter, alone)).toBe(10);
});

test('the ticks that a pour has besides its volume are taken off once, not again from a part of it', () => {
  const offset = { ...meter, curve: { points, offsetTicks: 20 } };
  expect(pourVolume(offset, pour)).toBeCloseTo(70, 9);
  expect(pourVolume(offset, { ...pour, pourId: null })).toBeCloseTo(75, 9);
});

test('another factor of the meter scales its curve', () => {
  const scaled = withFactor(meter, 10);
  expect(scaled.curve.points).toEqual([
    { hz: 100, ticksPerMl: 8 },
    { hz: 200, ticksPerMl: 10 },
  ]);
  expect(pourVolume(scaled, pour)).toBeCloseTo(37.5, 9);
});

test('a scaled factor stays one that a meter may have', () => {
  expect(withFactor(meter, 1_000).curve.points.map(({ ticksPerMl }) => ticksPerMl)).toEqual([800, 1_000]);
  expect(withFactor({ ...meter, ticksPerMl: 1 }, 1_000).curve.points[1]?.ticksPerMl).toBe(1_000);
});

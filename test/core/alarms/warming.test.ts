import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findUsualRise, TemperatureRise, toWarmingCondition } from '../../../src/core/alarms/warming.ts';

const minute = 60_000;

/** The rise after one reading a minute. */
function riseOf(temps: readonly number[]): number | null {
  const rise = new TemperatureRise();
  temps.forEach((tempC, index) => {
    rise.add({ tempC, monoMs: index * minute });
  });
  return rise.riseC;
}

const steady = (tempC: number, minutes: number) => Array.from({ length: minutes }, () => tempC);

test('the rise is that above the lowest reading of 20 minutes', () => {
  expect(riseOf([...steady(4, 10), 5, 6, 7])).toBe(3);
  expect(riseOf([3, ...steady(4, 30), 5])).toBe(1);
  expect(riseOf([9, 8, 7, 6, 5, 4])).toBe(0);
});

test('needs three readings over five minutes', () => {
  expect(riseOf([4, 9])).toBeNull();
  expect(riseOf([4, 5, 6, 7, 8])).toBeNull();
  expect(riseOf([4, 5, 6, 7, 8, 9])).toBe(5);
});

test('the usual rise is the median of the largest hourly ranges of the days, from three days on', () => {
  const day = (number: number, ranges: readonly number[]) =>
    ranges.map((range, hour) => ({
      timeMs: number * 86_400_000 + hour * 3_600_000,
      minC: 4,
      maxC: 4 + range,
    }));
  expect(findUsualRise([...day(0, [1, 4]), ...day(1, [1, 4])])).toBeNull();
  expect(findUsualRise([...day(0, [1, 3]), ...day(1, [9, 1]), ...day(2, [2, 1])])).toBe(3);
});

test.each([
  [null, 1, 'unknown'],
  [1.9, 1, 'between'],
  [2, 1, 'bad'],
  [1, 1, 'good'],
  [4, 3, 'between'],
  [4.5, 3, 'bad'],
  [5.9, null, 'between'],
  [6, null, 'bad'],
] as const)('a rise of %d °C, usually %d °C, is %s', (rise, usual, state) => {
  expect(toWarmingCondition(rise, usual)).toBe(state);
});

test('a temperature that never leaves a band raises nothing, whatever its course', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 3, max: 4.9, noNaN: true }), { maxLength: 120 }), (temps) => {
      expect(toWarmingCondition(riseOf(temps), 0.5)).not.toBe('bad');
    }),
  );
});

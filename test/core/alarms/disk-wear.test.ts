import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiskReadings, estimateDiskWear } from '../../../src/core/alarms/disk-wear.ts';

const gigabyte = 1e9;
/** 32 GB, so 3.2 TB by the assumption. */
const card: DiskReadings = {
  sizeBytes: 32 * gigabyte,
  writtenBytes: 2_000 * gigabyte,
  usedPercent: null,
  isReserveLow: false,
};

/** Samples of so many days that end at the present counter. */
const samples = (days: number, perDay: number, { writtenBytes }: DiskReadings = card) =>
  Array.from({ length: days + 1 }, (_, index) => ({
    day: 20_000 + index,
    writtenBytes: writtenBytes - (days - index) * perDay,
  }));

test('1.2 TB left at 10 GB a day are four months; at 2 GB a day they are twenty', () => {
  expect(estimateDiskWear(card, samples(30, 10 * gigabyte), null)).toMatchObject({ state: 'bad', months: 3 });
  expect(estimateDiskWear(card, samples(30, 2 * gigabyte), null)).toEqual({
    state: 'good',
    usedPercent: 63,
    months: 19,
  });
});

test('the endurance that the maker states replaces the assumption', () => {
  expect(estimateDiskWear(card, samples(30, 10 * gigabyte), 20e12)).toMatchObject({ state: 'good' });
});

test('less than a week of samples is no measure, whatever was written', () => {
  expect(estimateDiskWear(card, [], null)).toMatchObject({ state: 'unknown', months: null });
  expect(estimateDiskWear(card, samples(6, 100 * gigabyte), null)).toMatchObject({ state: 'unknown' });
});

test.each([
  [80, false, 'good'],
  [90, false, 'bad'],
  [10, true, 'bad'],
] as const)('a register of %i %%, spare blocks low: %s, is %s', (usedPercent, isReserveLow, state) => {
  const disk = { ...card, usedPercent, isReserveLow };
  expect(estimateDiskWear(disk, samples(30, 100 * gigabyte), null).state).toBe(state);
});

test('writing faster never lasts longer', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), fc.nat({ max: 50 }), (one, other) => {
      const months = (rate: number) => estimateDiskWear(card, samples(20, rate * gigabyte), null).months!;
      expect(months(Math.max(one, other))).toBeLessThanOrEqual(months(Math.min(one, other)));
    }),
  );
});

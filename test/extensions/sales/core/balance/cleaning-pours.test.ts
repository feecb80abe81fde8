import { expect, test } from 'vitest';
import { findCleaningPours } from '../../../../../src/extensions/sales/core/balance/cleaning-pours.ts';
import type { BalancePour, BalanceSale } from '../../../../../src/extensions/sales/core/balance/facts.ts';

const minute = 60_000;
const pour = (volumeMl: number, durationMs: number): BalancePour => ({
  timeMs: 60 * minute,
  durationMs,
  beverageId: 1,
  tapId: 1,
  meter: 'pi.flow0',
  volumeUl: volumeMl * 1_000,
  missedUl: 0,
  gasUl: 0,
  isHeld: false,
  isFoamy: false,
});
const sale = (afterMs: number, volumeMl: number): BalanceSale => ({
  timeMs: 60 * minute + afterMs,
  beverageId: 1,
  kind: 'sold',
  servings: 1,
  liquidUl: volumeMl * 1_000,
  netMinor: 500,
});

test.each([
  // No glass is so large, however slowly it ran.
  [5_000, 600_000, true],
  [4_999, 600_000, false],
  // A litre within less than 12.5 s is a pump's.
  [1_000, 12_499, true],
  [1_000, 12_500, false],
  [999, 1_000, false],
  // The duration of a pour that a person entered is not known.
  [4_999, 0, false],
])('%s mL within %s ms were probably a cleaning: %s', (volumeMl, durationMs, isCleaning) => {
  const found = findCleaningPours([pour(volumeMl, durationMs)], []);
  expect(found.map(({ size }) => size.volumeMl)).toEqual(isCleaning ? [volumeMl] : []);
});

test.each([
  [0, 2_500, false],
  [0, 2_499, true],
  [15 * minute, 2_500, false],
  [-15 * minute, 2_500, false],
  [15 * minute + 1, 2_500, true],
  [-15 * minute - 1, 2_500, true],
])(
  'five litres with a sale %s ms later of %s mL were probably a cleaning: %s',
  (afterMs, soldMl, isCleaning) => {
    const found = findCleaningPours([pour(5_000, 60_000)], [sale(afterMs, soldMl)]);
    expect(found).toHaveLength(isCleaning ? 1 : 0);
  },
);

test('the sales around a pour count together', () => {
  const half = [sale(-minute, 1_250), sale(minute, 1_250)];
  expect(findCleaningPours([pour(5_000, 60_000)], half)).toEqual([]);
});

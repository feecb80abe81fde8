import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareForUse,
  costOfRest,
  findStockWarning,
} from '../../../../src/extensions/stock/core/keg-stock.ts';
import { leadDays, proposeOrder, reviewDays } from '../../../../src/extensions/stock/core/reorder.ts';

const today = '2026-05-01';

describe('the warning of a keg', () => {
  test.each([
    [{ bestBefore: '2026-04-30', bornOn: null }, 'past_best_before'],
    [{ bestBefore: '2026-05-01', bornOn: null }, 'best_before_soon'],
    [{ bestBefore: '2026-05-08', bornOn: null }, 'best_before_soon'],
    [{ bestBefore: '2026-05-09', bornOn: '2025-01-01' }, null],
    [{ bestBefore: null, bornOn: '2026-01-31' }, null],
    [{ bestBefore: null, bornOn: '2026-01-30' }, 'old'],
    [{ bestBefore: null, bornOn: null }, null],
  ] as const)('%o: %s', (purchase, warning) => {
    expect(findStockWarning(purchase, today, { daysOnTap: 400, maxDaysOnTap: null })).toBe(warning);
  });

  test.each([
    [{ daysOnTap: 14, maxDaysOnTap: 14 }, null, null],
    [{ daysOnTap: 15, maxDaysOnTap: 14 }, null, 'long_on_tap'],
    [{ daysOnTap: 15, maxDaysOnTap: 14 }, '2026-05-02', 'long_on_tap'],
    [{ daysOnTap: 15, maxDaysOnTap: 14 }, '2026-04-30', 'past_best_before'],
    [{ daysOnTap: null, maxDaysOnTap: 14 }, null, null],
  ] as const)('%o, best before %s: %s', (days, bestBefore, warning) => {
    expect(findStockWarning({ bestBefore, bornOn: null }, today, days)).toBe(warning);
  });
});

const day = fc.constantFrom(null, '2026-04-01', '2026-05-01', '2026-06-01');

test('kegs have one order of use: by best-before day, then by the day on which they came', () => {
  const keg = fc.record({ bestBefore: day, receivedOn: day });
  fc.assert(
    fc.property(fc.array(keg, { maxLength: 12 }), (purchases) => {
      const kegs = purchases.map((purchase, kegId) => ({ kegId, ...purchase }));
      const sorted = kegs.toSorted(compareForUse);
      expect(kegs.toReversed().sort(compareForUse)).toEqual(sorted);
      sorted.slice(1).forEach((after, i) => {
        const before = sorted[i]!;
        expect(before.bestBefore ?? '9').satisfy((text: string) => text <= (after.bestBefore ?? '9'));
        if (before.bestBefore === after.bestBefore)
          expect((before.receivedOn ?? '9') <= (after.receivedOn ?? '9')).toBe(true);
      });
    }),
  );
});

test('the cost of what is left is the share of the cost, from nothing to all of it', () => {
  expect(costOfRest(12_000, { leftMl: 15_000, fullMl: 30_000 })).toBe(6_000);
  expect(costOfRest(12_000, { leftMl: -500, fullMl: 30_000 })).toBe(0);
  expect(costOfRest(12_000, { leftMl: 30_500, fullMl: 30_000 })).toBe(12_000);
  expect(costOfRest(null, { leftMl: 15_000, fullMl: 30_000 })).toBeNull();
});

describe('a proposal to order', () => {
  test('covers what is used until the delivery after the next one', () => {
    expect(proposeOrder({ dailyMl: 10_000, leftMl: 45_000, kegMl: 30_000 }, today)).toEqual({
      runsOutOn: '2026-05-05',
      orderBy: '2026-05-02',
      orderKegs: 2,
    });
  });

  test('is for today when it is late, and none when there is enough or nothing is used', () => {
    expect(proposeOrder({ dailyMl: 10_000, leftMl: 0, kegMl: 30_000 }, today)).toMatchObject({
      orderBy: today,
      orderKegs: 4,
    });
    expect(proposeOrder({ dailyMl: 1_000, leftMl: 30_000, kegMl: 30_000 }, today)).toEqual({
      runsOutOn: '2026-05-31',
      orderBy: null,
      orderKegs: 0,
    });
    expect(proposeOrder({ dailyMl: 0, leftMl: 30_000, kegMl: 30_000 }, today)).toBeNull();
  });

  test('always suffices, with not a keg too many', () => {
    const volume = fc.double({ min: 1, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(volume, volume, volume, (dailyMl, leftMl, kegMl) => {
        const order = proposeOrder({ dailyMl, leftMl, kegMl }, today);
        if (order === null) return;
        const needed = dailyMl * (leadDays + reviewDays) - leftMl;
        expect(order.orderKegs * kegMl).toBeGreaterThanOrEqual(needed - 1e-6);
        if (order.orderKegs > 0) expect((order.orderKegs - 1) * kegMl).toBeLessThan(needed);
        if (order.orderBy !== null)
          expect(order.orderBy <= order.runsOutOn || order.orderBy === today).toBe(true);
      }),
    );
  });
});

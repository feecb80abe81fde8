import { describe, expect, test } from 'vitest';
import {
  addBalances,
  type Balance,
  computeBalance,
  differenceUl,
  differenceUncertaintyMl,
  meanServingMl,
  pouredUl,
  rungUl,
  sellingYield,
} from '../../../../../src/extensions/sales/core/balance/balance.ts';
import type {
  BalanceLoss,
  BalancePour,
  BalanceSale,
} from '../../../../../src/extensions/sales/core/balance/facts.ts';
import {
  balanceAlarm,
  toldVerdict,
  toVerdict,
} from '../../../../../src/extensions/sales/core/balance/verdict.ts';

const findMeter = () => ({ ticksPerMl: 5, uFactor: 0.002 });
const litre = 1_000_000;

const pour = (volumeUl: number, more: Partial<BalancePour> = {}): BalancePour => ({
  timeMs: 0,
  durationMs: 8_000,
  beverageId: 1,
  tapId: 1,
  meter: 'pi.flow0',
  volumeUl,
  missedUl: 0,
  gasUl: 0,
  isHeld: false,
  isFoamy: false,
  ...more,
});
const sale = (servings: number, more: Partial<BalanceSale> = {}): BalanceSale => ({
  timeMs: 0,
  beverageId: 1,
  kind: 'sold',
  liquidUl: litre / 2,
  servings,
  netMinor: 400 * servings,
  ...more,
});
const loss = (kind: BalanceLoss['kind'], volumeUl: number): BalanceLoss => ({
  kind,
  timeMs: 0,
  beverageId: 1,
  tapId: 1,
  volumeUl,
});
const balanceOf = (
  pours: readonly BalancePour[],
  sales: readonly BalanceSale[],
  losses: readonly BalanceLoss[] = [],
): Balance => computeBalance({ pours, sales, losses }, findMeter);
const glasses = (count: number, volumeUl = litre / 2) => Array.from({ length: count }, () => pour(volumeUl));

describe('a balance', () => {
  test('names every part, and leaves gas and held pours apart', () => {
    const balance = balanceOf(
      [
        ...glasses(100),
        pour(3 * litre, { isHeld: true }),
        pour(litre / 2, { gasUl: 200_000, missedUl: 10_000 }),
      ],
      [
        sale(90),
        sale(-1),
        sale(2, { kind: 'comp', netMinor: 0 }),
        sale(1, { kind: 'staff', netMinor: 0 }),
        sale(4, { kind: 'sample', liquidUl: 100_000, netMinor: 0 }),
      ],
      [loss('spilled', 400_000), loss('cleaning', 1_500_000), loss('drips', 3_000), loss('gas', 700_000)],
    );
    expect(balance).toMatchObject({
      drinks: 101,
      held: 1,
      drinksUl: 50.5 * litre,
      missedUl: 10_000,
      soldUl: 44.5 * litre,
      compsUl: litre,
      staffUl: litre / 2,
      samplesUl: 400_000,
      gasUl: 900_000,
      heldUl: 3 * litre,
      servings: 89,
      netMinor: 35_600,
    });
    expect(pouredUl(balance)).toBe(50_500_000 + 10_000 + 400_000 + 1_500_000 + 3_000);
    expect(differenceUl(balance)).toBe(50_510_000 - 44_500_000 - 1_900_000);
    expect(sellingYield(balance)).toBeCloseTo(44.5 / 52.413, 6);
    expect(meanServingMl(balance)).toBe(500);
  });

  test('has a difference with the uncertainties of meter, glass, hand and cut-off', () => {
    const balance = balanceOf(glasses(100), [sale(100)]);
    // Meter: √((50 000·0.002)² + (√(2÷100)·0.003·50 000)² + (100·2.64)² + (√100·0.41÷5)²) = 283.1; glass 1 %: 500;
    // hands: √100·0.06·500 = 300; cut-off: 500.
    expect(differenceUncertaintyMl(balance)).toBeCloseTo(2 * Math.hypot(283.1, 500, 300, 500), 0);
  });

  test('adds the errors of a meter and of a glass linearly over days, and hands as chance', () => {
    const day = balanceOf(glasses(100), [sale(100)]);
    const month = addBalances(
      Array.from({ length: 25 }, () => day),
      'days',
    );
    expect(differenceUncertaintyMl(month)).toBeGreaterThan(2 * Math.hypot(25 * 500, 25 * 100, 5 * 300, 500));
    expect(differenceUncertaintyMl(month)).toBeLessThan(
      2 * Math.hypot(25 * 500, 25 * 283.1, 5 * 300, 500) + 1,
    );
    expect(rungUl(month)).toBe(25 * rungUl(day));
    expect(month.cutoffMl2).toBe(500 ** 2);
    expect(addBalances([day, day], 'beverages').cutoffMl2).toBe(2 * 500 ** 2);
  });
});

describe('a verdict', () => {
  test('says how much was poured and not rung, in litres, servings and money', () => {
    const verdict = toVerdict(balanceOf(glasses(120), [sale(100)]));
    expect(verdict).toMatchObject({
      kind: 'poured_not_rung',
      volumeMl: 10_000,
      servings: 20,
      valueMinor: 8_000,
    });
    expect(verdict.valueUncertaintyMinor).toBeCloseTo((verdict.uncertaintyMl / 500) * 400, 6);
    expect(verdict.shareOfPoured).toBeCloseTo(1 / 6, 6);
  });

  test('says the other direction without a sign', () => {
    expect(toVerdict(balanceOf(glasses(80), [sale(100)]))).toMatchObject({
      kind: 'rung_not_poured',
      volumeMl: 10_000,
    });
  });

  test('calls a difference within its interval none', () => {
    expect(toVerdict(balanceOf(glasses(101), [sale(100)])).kind).toBe('agrees');
    expect(toVerdict(balanceOf(glasses(1), [sale(1), sale(-1)])).kind).toBe('agrees');
  });

  test('says that nothing was compared where nothing was poured and nothing rung up', () => {
    const nothing = { kind: 'not_compared', servings: null, valueMinor: null };
    expect(toVerdict(balanceOf([], []))).toMatchObject(nothing);
    expect(toVerdict(balanceOf([], [], [loss('spilled', litre)]))).toMatchObject(nothing);
  });
});

describe('an alarm', () => {
  const calm = balanceOf(glasses(100), [sale(100)]);
  const missing = balanceOf(glasses(110), [sale(100)]);
  const dead = balanceOf(glasses(80), [sale(100)]);

  test('needs three of the last seven days in the same direction', () => {
    expect(balanceAlarm([missing, calm, missing, calm, calm, calm, missing])).toMatchObject({
      kind: 'poured_not_rung',
      days: 3,
    });
    expect(balanceAlarm([missing, missing, calm, missing, calm, calm, calm, calm, calm])).toBeNull();
    expect(balanceAlarm([missing, dead, missing, dead])).toBeNull();
    expect(balanceAlarm([dead, dead, calm, dead])).toMatchObject({ kind: 'rung_not_poured', days: 3 });
  });

  test('does not count a day of two servings or 2 %, however exact', () => {
    const exact = (pours: number) =>
      computeBalance({ pours: glasses(pours), sales: [{ ...sale(0), servings: 0 }], losses: [] }, () => ({
        ticksPerMl: 5,
        uFactor: 0,
      }));
    expect(toldVerdict(exact(0))).toBeNull();
    const small = { ...balanceOf(glasses(6), [sale(4)]), meterSums: new Map(), handMl2: 0, cutoffMl2: 0 };
    expect(toVerdict(small).kind).toBe('poured_not_rung');
    expect(toldVerdict(small)).toBeNull();
    const many = {
      ...balanceOf(glasses(203), [sale(199.5)]),
      meterSums: new Map(),
      handMl2: 0,
      cutoffMl2: 0,
    };
    expect(toldVerdict(many)).toBeNull();
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addBalances,
  computeBalance,
  differenceUl,
  pouredUl,
} from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { type BalanceFacts, saleUl } from '../../../../../src/extensions/sales/core/balance/facts.ts';
import { toVerdict } from '../../../../../src/extensions/sales/core/balance/verdict.ts';

const volumeUl = fc.integer({ min: 0, max: 10_000_000 });
const common = { timeMs: fc.constant(0), beverageId: fc.constant(1), tapId: fc.constantFrom(1, 2, null) };
const pour = fc.record({
  ...common,
  durationMs: fc.constant(5_000),
  meter: fc.constantFrom('pi.flow0', 'pi.flow1', null),
  volumeUl,
  missedUl: volumeUl,
  gasUl: volumeUl,
  isHeld: fc.boolean(),
  isFoamy: fc.boolean(),
});
const loss = fc.record({
  ...common,
  kind: fc.constantFrom('spilled' as const, 'cleaning' as const, 'drips' as const, 'gas' as const),
  volumeUl,
});
const sale = fc.record({
  timeMs: fc.constant(0),
  beverageId: fc.constant(1),
  kind: fc.constantFrom('sold' as const, 'comp' as const, 'staff' as const, 'sample' as const),
  liquidUl: fc.integer({ min: 1_000, max: 2_000_000 }),
  servings: fc.double({ min: -20, max: 20, noNaN: true }),
  netMinor: fc.integer({ min: -5_000, max: 5_000 }),
});
const facts = fc.record({
  pours: fc.array(pour, { maxLength: 12 }),
  losses: fc.array(loss, { maxLength: 6 }),
  sales: fc.array(sale, { maxLength: 12 }),
});

const findMeter = () => ({ ticksPerMl: 5, uFactor: 0.01 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The law, from the facts alone. */
function expectLaw({ pours, losses, sales }: BalanceFacts): void {
  const balance = computeBalance({ pours, losses, sales }, findMeter);
  const beer = sum(pours.filter(({ isHeld }) => !isHeld).map((one) => one.volumeUl + one.missedUl));
  const lost = sum(losses.filter(({ kind }) => kind !== 'gas').map((one) => one.volumeUl));
  expect(pouredUl(balance)).toBe(beer + lost);
  expect(sum(sales.map(saleUl)) + lost + differenceUl(balance)).toBe(beer + lost);
}

test('poured is sold, the difference and the named parts, exactly', () => {
  fc.assert(fc.property(facts, expectLaw));
});

test('the law holds for days and beverages added up, in any split', () => {
  fc.assert(
    fc.property(
      fc.array(facts, { maxLength: 5 }),
      fc.constantFrom('days' as const, 'beverages' as const),
      (parts, of) => {
        const whole = computeBalance(
          {
            pours: parts.flatMap(({ pours }) => pours),
            losses: parts.flatMap(({ losses }) => losses),
            sales: parts.flatMap(({ sales }) => sales),
          },
          findMeter,
        );
        const added = addBalances(
          parts.map((part) => computeBalance(part, findMeter)),
          of,
        );
        expect(differenceUl(added)).toBe(differenceUl(whole));
        expect(pouredUl(added)).toBe(pouredUl(whole));
        expect(added.drinks).toBe(whole.drinks);
      },
    ),
  );
});

test('a verdict has no sign, and is none within its interval', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const balance = computeBalance(one, findMeter);
      const { kind, volumeMl, uncertaintyMl } = toVerdict(balance);
      expect(volumeMl).toBeGreaterThanOrEqual(0);
      expect(kind === 'not_compared').toBe(balance.drinks === 0 && one.sales.length === 0);
      if (kind === 'not_compared') return;
      expect(kind === 'agrees').toBe(volumeMl <= uncertaintyMl);
      if (kind !== 'agrees')
        expect(kind).toBe(differenceUl(balance) > 0 ? 'poured_not_rung' : 'rung_not_poured');
    }),
  );
});

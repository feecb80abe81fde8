import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeBalance,
  differenceUl,
  differenceUncertaintyMl,
  rungUl,
} from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { takeApart } from '../../../../../src/extensions/sales/core/balance/difference-parts.ts';
import {
  type BalancePour,
  type BalanceSale,
  fromUl,
  toUl,
} from '../../../../../src/extensions/sales/core/balance/facts.ts';
import type { BalanceFinding } from '../../../../../src/extensions/sales/core/balance/finding.ts';
import { findCauses } from '../../../../../src/extensions/sales/core/balance/findings.ts';
import { toVerdict } from '../../../../../src/extensions/sales/core/balance/verdict.ts';
import { propertyRuns } from '../../../../kit/slow.ts';
import { weekHourUtc } from '../../simulated-month.ts';

const minuteMs = 60_000;
const meters = ['pi.flow0', 'board hall.flow0', null] as const;
const findMeter = (meter: string | null) => ({ ticksPerMl: 5, uFactor: meter === 'pi.flow0' ? 0.003 : 0.06 });

/** Glasses of one size at one meter: how many, how full, and how many of them were rung up. */
const glasses = fc.record({
  meter: fc.constantFrom(...meters),
  liquidMl: fc.constantFrom(200, 300, 500),
  poured: fc.integer({ min: 0, max: 400 }),
  fill: fc.double({ min: 0.8, max: 1.3, noNaN: true }),
  rung: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1.2, noNaN: true })),
});
const day = fc.record({
  groups: fc.array(glasses, { minLength: 1, maxLength: 5 }),
  /** Volumes that are no glass of any size. */
  others: fc.array(
    fc.record({ meter: fc.constantFrom(...meters), ml: fc.integer({ min: 10, max: 9_000 }) }),
    {
      maxLength: 30,
    },
  ),
});

function toFacts({ groups, others }: typeof day extends fc.Arbitrary<infer T> ? T : never) {
  const pours: BalancePour[] = [];
  const sales: BalanceSale[] = [];
  const pour = (meter: string | null, ml: number) =>
    pours.push({
      timeMs: (pours.length + 1) * minuteMs,
      durationMs: 5_000,
      beverageId: 1,
      tapId: 1,
      meter,
      volumeUl: toUl(ml),
      missedUl: 0,
      gasUl: 0,
      isHeld: false,
      isFoamy: false,
    });
  for (const { meter, liquidMl, poured, fill, rung } of groups)
    for (let i = 0; i < poured; i += 1) {
      pour(meter, liquidMl * fill);
      if (i < rung * poured)
        sales.push({
          timeMs: pours.length * minuteMs,
          beverageId: 1,
          kind: 'sold',
          liquidUl: toUl(liquidMl),
          servings: i === 0 && rung > 1 ? 1 + Math.round((rung - 1) * poured) : 1,
          netMinor: 400,
        });
    }
  for (const { meter, ml } of others) pour(meter, ml);
  return { pours, losses: [], sales };
}

const days = [{ sinceMs: 0, untilMs: 31 * 86_400_000 }];

test('no finding excludes, with the other parts, a difference that the verdict includes', () => {
  fc.assert(
    fc.property(day, (input) => {
      const facts = toFacts(input);
      const balance = computeBalance(facts, findMeter);
      const parts = takeApart(facts, balance, { findMeter, days, tillGaps: [], unmappedSizes: [] });
      const { fills, overpours, cleaning, meterGaps, rest } = parts;
      const sizes = [...overpours, ...cleaning.map(({ size }) => size), rest];
      const comparedMl = fills.sizes.reduce((sum, { servings, liquidMl }) => sum + servings * liquidMl, 0);
      const total =
        sizes.reduce((sum, { volumeMl }) => sum + volumeMl, 0) +
        (fills.fillShare - 1) * (fromUl(rungUl(balance)) - comparedMl) -
        fills.fillShare * meterGaps.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
      expect(total).toBeCloseTo(fromUl(differenceUl(balance)), 3);
      const width = [...sizes, ...meterGaps].reduce((sum, { uncertaintyMl }) => sum + uncertaintyMl, 0);
      expect(width).toBeGreaterThanOrEqual(differenceUncertaintyMl(balance) - 1e-6);
    }),
    { numRuns: propertyRuns(300) },
  );
});

const accusing: readonly BalanceFinding['kind'][] = ['overpour', 'short_pour', 'not_rung', 'not_poured'];
/** Half litres that are so full, or so empty, that none is like the serving that is sold. */
const unlike = fc
  .record({
    meter: fc.constantFrom(...meters),
    fill: fc.oneof(
      fc.double({ min: 0.6, max: 0.7, noNaN: true }),
      fc.double({ min: 1.3, max: 1.4, noNaN: true }),
    ),
    poured: fc.integer({ min: 3, max: 400 }),
    unrung: fc.double({ min: -0.15, max: 0.15, noNaN: true }),
  })
  .map(({ unrung, ...one }) => ({ ...one, liquidMl: 500 as const, rung: one.fill * (1 - unrung) }));

test('where glasses cannot be compared, nothing is found beside the verdict that both agree', () => {
  let agreeing = 0;
  fc.assert(
    fc.property(unlike, (group) => {
      const facts = toFacts({ groups: [group], others: [] });
      const findings = findCauses({
        facts,
        findMeter,
        days,
        lineTimesMs: [],
        unmapped: [],
        offsetMin: null,
        findWeekHour: weekHourUtc,
        dayStartHour: 6,
      });
      if (toVerdict(computeBalance(facts, findMeter)).kind !== 'agrees') return;
      agreeing += 1;
      expect(findings.filter(({ kind }) => accusing.includes(kind))).toEqual([]);
    }),
    { numRuns: 200 },
  );
  expect(agreeing).toBeGreaterThan(40);
});

test('what was poured only, or sold only, is as uncertain as its verdict', () => {
  fc.assert(
    fc.property(glasses, fc.boolean(), (group, isPoured) => {
      fc.pre(group.poured > 2);
      const facts = toFacts({ groups: [{ ...group, rung: 1 }], others: [] });
      const one = { ...facts, ...(isPoured ? { sales: [] } : { pours: [] }) };
      const findings = findCauses({
        facts: one,
        findMeter,
        days,
        lineTimesMs: [],
        unmapped: [],
        offsetMin: null,
        findWeekHour: weekHourUtc,
        dayStartHour: 6,
      });
      const { volumeMl, uncertaintyMl } = toVerdict(computeBalance(one, findMeter));
      expect(findings).toMatchObject([
        { kind: isPoured ? 'not_sold' : 'not_poured_at_all', size: { volumeMl, uncertaintyMl } },
      ]);
    }),
    { numRuns: 50 },
  );
});

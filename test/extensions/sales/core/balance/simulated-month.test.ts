import { expect, test } from 'vitest';
import type { BalanceFinding } from '../../../../../src/extensions/sales/core/balance/finding.ts';
import { findCauses } from '../../../../../src/extensions/sales/core/balance/findings.ts';
import {
  findTillOffset,
  offsetUncertaintyMin,
} from '../../../../../src/extensions/sales/core/balance/till-offset.ts';
import {
  type PlantableCause,
  type PlantedCause,
  plantableCauses,
  simulateMonth,
  weekHourUtc,
} from '../../simulated-month.ts';

/** Months of each row; `TAPSTER_BALANCE_MONTHS=100` prints the table of docs/poured-against-sold.md. */
const months = Number(process.env.TAPSTER_BALANCE_MONTHS ?? 3);
const isPrinted = process.env.TAPSTER_BALANCE_MONTHS !== undefined;

function findIn(causes: readonly PlantableCause[], seed: number) {
  const month = simulateMonth(causes, seed);
  const findings = findCauses({
    ...month,
    offsetMin: findTillOffset(
      month.facts.pours.map(({ timeMs }) => timeMs),
      month.lineTimesMs,
    ),
    findWeekHour: weekHourUtc,
    dayStartHour: 6,
  });
  return { month, findings };
}

const isOf =
  ({ kind, beverageId }: PlantedCause) =>
  (finding: BalanceFinding) =>
    finding.kind === kind &&
    (beverageId === null || !('beverageId' in finding) || finding.beverageId === beverageId);

function judge(causes: readonly PlantableCause[]) {
  const rows = causes.map((cause) => ({
    cause,
    planted: 0,
    found: 0,
    found_within: 0,
    stated: 0,
    uncertainty: 0,
  }));
  let others = 0;
  const otherKinds: string[] = [];
  for (let seed = 1; seed <= months; seed += 1) {
    const { month, findings } = findIn(causes, seed);
    month.planted.forEach((planted, i) => {
      const row = rows[i]!;
      row.planted += planted.volumeMl;
      const own = findings.filter(isOf(planted));
      if (own.length === 0) return;
      row.found += 1;
      const [first] = own;
      if (first?.kind === 'till_offset') {
        const truth = planted.cause === 'till_fast' ? 10 : -10;
        row.found_within += Number(Math.abs(first.minutes - truth) <= offsetUncertaintyMin);
        return;
      }
      const sizes = own.flatMap((one) => ('size' in one && one.size !== null ? [one.size] : []));
      const volumeMl = sizes.reduce((sum, size) => sum + size.volumeMl, 0);
      const uncertaintyMl = Math.hypot(...sizes.map((size) => size.uncertaintyMl));
      row.stated += volumeMl;
      row.uncertainty += uncertaintyMl;
      row.found_within += Number(Math.abs(volumeMl - planted.volumeMl) <= uncertaintyMl);
    });
    const false_ = findings.filter((finding) => !month.planted.some((planted) => isOf(planted)(finding)));
    others += false_.length;
    otherKinds.push(...false_.map((one) => `${seed}:${JSON.stringify(one)}`));
  }
  return { rows, falsePerMonth: others / months, otherKinds };
}

const bars: readonly (readonly PlantableCause[])[] = [
  [],
  ...plantableCauses.map((cause) => [cause]),
  ['overpour', 'unrung_fridays', 'unrung_spread', 'dead_meter', 'till_offline', 'unmapped', 'till_fast'],
  ['untagged_cleaning', 'missed_ticks', 'dead_meter', 'overpour', 'till_slow'],
];

test.each(bars.map((causes) => ({ causes, name: causes.join(', ') || 'nothing planted' })))(
  'finds with its size within its interval, and nothing else: $name',
  ({ causes }) => {
    const { rows, falsePerMonth, otherKinds } = judge(causes);
    if (isPrinted)
      for (const row of [
        ...rows,
        {
          cause: 'other findings per month',
          planted: 0,
          found: falsePerMonth,
          found_within: 0,
          stated: 0,
          uncertainty: 0,
        },
      ])
        console.info(
          [
            causes.length > 1 ? `(${causes.length} causes) ${row.cause}` : row.cause,
            `${(row.planted / months / 1000).toFixed(1)} L`,
            `${(row.stated / Math.max(1, row.found) / 1000).toFixed(1)} ± ${(row.uncertainty / Math.max(1, row.found) / 1000).toFixed(1)} L`,
            row.found,
            row.found_within,
          ].join(' | '),
        );
    for (const row of rows) {
      expect({ cause: row.cause, found: row.found }).toEqual({ cause: row.cause, found: months });
      expect(row.found_within, `${row.cause} within ±`).toBeGreaterThanOrEqual(Math.floor(months * 0.9));
    }
    expect(falsePerMonth, otherKinds.join('\n')).toBeLessThanOrEqual(1);
  },
);

test('tells that most of what was not rung was poured on Fridays from 22 to 24 h', () => {
  const { findings } = findIn(['unrung_fridays'], 1);
  expect(findings).toMatchObject([
    { kind: 'not_rung', beverageId: 1, when: { weekday: 4, sinceHour: 22, untilHour: 0 } },
  ]);
});

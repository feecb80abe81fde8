import { expect, test } from 'vitest';
import { findCauses } from '../../../../../src/extensions/sales/core/balance/findings.ts';
import { findTillOffset } from '../../../../../src/extensions/sales/core/balance/till-offset.ts';
import { isSlowRun } from '../../../../kit/slow.ts';
import {
  type PlantableCause,
  simulateMonth,
  type VolumeSource,
  volumeSources,
  weekHourUtc,
} from '../../simulated-month.ts';

/** Months of each row. */
const months = isSlowRun ? 200 : 4;
/** So many of a hundred months may accuse somebody of what was not planted. */
const mostFalse = 2;
/** Of these with so small a size not all are found. */
const leastFound = 0.97;

const planted: readonly (readonly PlantableCause[])[] = [
  [],
  ['overpour'],
  ['unrung_fridays'],
  ['unrung_spread'],
];
const rows = (Object.keys(volumeSources) as readonly VolumeSource[]).flatMap((source) =>
  planted.map((causes) => ({ source, causes, name: causes.join(', ') || 'nothing' })),
);

/** Which of the planted causes are found everywhere: over-pour is told from the error of a meter that is known only. */
const isFound = (source: VolumeSource, cause: PlantableCause): boolean =>
  cause === 'overpour' ? source === 'pins' : true;

test.each(rows)('volumes of $source, planted: $name', ({ source, causes }) => {
  let found = 0;
  const others: string[] = [];
  for (let seed = 1; seed <= months; seed += 1) {
    const month = simulateMonth(causes, seed, source);
    const findings = findCauses({
      ...month,
      offsetMin: findTillOffset(
        month.facts.pours.map(({ timeMs }) => timeMs),
        month.lineTimesMs,
      ),
      findWeekHour: weekHourUtc,
      dayStartHour: 6,
    });
    const isPlanted = ({ kind, ...finding }: (typeof findings)[number]) =>
      month.planted.some(
        (one) => kind === one.kind && 'beverageId' in finding && finding.beverageId === one.beverageId,
      );
    found += Number(findings.some(isPlanted));
    const false_ = findings.filter((finding) => !isPlanted(finding));
    if (false_.length > 0) others.push(`${seed}: ${JSON.stringify(false_)}`);
  }
  if (isSlowRun)
    console.info(
      `${source} | ${causes.join() || 'nothing'} | found ${found} of ${months} | false ${others.length}`,
    );
  expect.soft(others.length, others.slice(0, 3).join('\n')).toBeLessThanOrEqual((months * mostFalse) / 100);
  for (const cause of causes)
    if (isFound(source, cause)) expect.soft(found).toBeGreaterThanOrEqual(months * leastFound);
});

import { expect, test } from 'vitest';
import type { EveningFlow } from '../../../src/core/measurement/evening-flow.ts';
import { judgeLines, type LineFinding, lineFindings } from '../../../src/core/measurement/line-health.ts';
import { createRandom } from '../../../src/devices/simulated/flow-model/random.ts';
import { isSlowRun } from '../../kit/slow.ts';
import { drawTaps, simulateEvening } from './simulated-evenings.ts';

const dateOf = (evening: number) => new Date(Date.UTC(2026, 0, 1 + evening)).toISOString().slice(0, 10);

/** Bars of each kind; `npm run test:slow` runs the number that docs/accuracy.md names. */
const ordinaryBars = isSlowRun ? 60 : 6;
const faultyBars = isSlowRun ? 40 : 3;
const taps = 3;
const evenings = 30;
const faultFrom = 20;

/**
 * Runs a bar and returns what was found after each evening, as `<tap> <finding>`, and after how many evenings with enough pours at tap 0
 * since the fault began.
 */
function runBar(seed: number, fault: LineFinding | null = null) {
  const random = createRandom(seed);
  const bar = drawTaps(random, taps);
  const history = bar.map(() => [] as EveningFlow[]);
  const found: { readonly finding: string; readonly judged: number }[] = [];
  for (let evening = 0; evening < evenings; evening++) {
    const date = dateOf(evening);
    for (const [i, tap] of bar.entries()) {
      const isFaulty = evening >= faultFrom && (i === 0 || fault === 'low_pressure');
      const flow = simulateEvening(tap, { date, fault: isFaulty ? fault : null, random });
      if (flow !== null) history[i]!.push(flow);
    }
    const judged = history[0]!.filter((one) => one.date >= dateOf(faultFrom)).length;
    const lines = judgeLines(bar.map(({ id }, i) => ({ tapId: id, evenings: history[i]! })));
    for (const { tapId, findings } of lines)
      for (const { kind } of findings) found.push({ finding: `${tapId} ${kind}`, judged });
  }
  return found;
}

test(`${ordinaryBars} ordinary bars of three taps report nothing in 30 evenings`, () => {
  for (let seed = 1; seed <= ordinaryBars; seed++) expect(runBar(seed), `seed ${seed}`).toEqual([]);
}, 600_000);

test.each(lineFindings)(
  '%s is found after two evenings with enough pours, at one bar in ten later, and nothing else is',
  (kind) => {
    const after: number[] = [];
    for (let seed = 100; seed < 100 + faultyBars; seed++) {
      const found = runBar(seed, kind);
      const kinds = found.map(({ finding }) => finding.split(' ')[1]);
      expect(new Set(kinds), `seed ${seed}`).toEqual(new Set([kind]));
      after.push(found.find(({ finding }) => finding === `0 ${kind}`)!.judged);
    }
    if (isSlowRun) console.log(kind, after.join(' '));
    expect(Math.min(...after)).toBe(2);
    expect(after.filter((one) => one === 2).length).toBeGreaterThanOrEqual(0.9 * after.length - 1);
  },
  600_000,
);

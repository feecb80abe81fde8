// Simulated pours through the real meter feed: what each is taken for, and how well a meter is calibrated, beside the targets.
//
//   npm run bench -- measure          11 500 pours; six minutes
//   MEASURE_POURS=1000 npm run bench -- measure
import { existsSync, readdirSync } from 'node:fs';
import { createRandom } from '../../../dist/devices/simulated/flow-model/random.js';
import { calibrationRows } from './calibration.mjs';
import { freshKegRows } from './fresh-kegs.mjs';
import { intervalRows } from './intervals.mjs';
import { judge } from './judge.mjs';
import { backFlowRows, coastRows, leakRows } from './leaks.mjs';
import { scenarios } from './scenarios.mjs';
import { tapLifeRows } from './tap-lives.mjs';
import { createTaps } from './taps.mjs';
import { countOutcomes, outcomes, targetRows } from './targets.mjs';

const defaultPours = 10_000;

export async function run() {
  const pours = Number(process.env.MEASURE_POURS ?? defaultPours);
  const seed = Number(process.env.MEASURE_SEED ?? 1);
  const started = performance.now();
  const random = createRandom(seed);
  const taps = createTaps(random);
  const results = Object.entries(scenarios).map(([name, { share, create }]) => {
    const count = Math.max(1, Math.round(pours * share));
    const judged = Array.from({ length: count }, () => judge(create(taps, random), random));
    return { name, judged };
  });
  console.log(`\n${confusionTable(results)}\n`);
  const total = results.reduce((sum, { judged }) => sum + judged.length, 0);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.error(`${total} pours on ${taps.length} taps, seed ${seed}, ${seconds} s`);
  const trials = Math.max(20, Math.round(pours / 20));
  return [
    ...targetRows(new Map(results.map(({ name, judged }) => [name, judged]))),
    ...tapLifeRows(createRandom(seed), Math.round(pours / 5)),
    ...leakRows(taps, random, trials),
    ...backFlowRows(taps, random, trials),
    ...coastRows(taps, random, trials),
    ...freshKegRows(taps, random, trials),
    ...calibrationRows(taps, random, trials, await rowsOfExtensions()),
    ...intervalRows(createRandom(seed), Math.max(35, Math.round(pours / 25))),
  ];
}

/** Rows about calibration of the extensions, each in its `bench/calibration.mjs`. */
async function rowsOfExtensions() {
  const folder = new URL('../../extensions/', import.meta.url);
  const files = readdirSync(folder)
    .sort()
    .map((name) => new URL(`${name}/bench/calibration.mjs`, folder))
    .filter((file) => existsSync(file));
  const modules = await Promise.all(files.map((file) => import(file)));
  return modules.map((module) => module.calibrationRows);
}

/** Share of each scenario's pours by what they were taken for, per cent. */
function confusionTable(results) {
  const head = ['Scenario', 'Pours', ...outcomes];
  const rows = results.map(({ name, judged }) => {
    const counts = countOutcomes(judged);
    const cells = outcomes.map((one) => (counts[one] === 0 ? '·' : formatShare(counts[one] / judged.length)));
    return [name, `${judged.length}`, ...cells];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ');
  return [line(head), ...rows.map(line)].join('\n');
}

const formatShare = (share) => `${(100 * share).toFixed(2)} %`;

#!/usr/bin/env node
// Speed, memory and card wear of the built daemon. Each measurement includes a bare baseline in the same run, so that
// ratios are comparable between a Pi and a workstation.
//
//   npm run bench                    all but lists, statistics, page, day, metrics, mqtt and measure; about two minutes
//   npm run bench -- memory start    only these
//   npm run bench -- lists           lists with 500 000 drinks and five million temperatures; some minutes
//   npm run bench -- statistics      statistics and reports with half a million drinks; some minutes
//   npm run bench -- page            first tick to changed digit, in Chromium
//   npm run bench -- metrics         CPU of a pour with metrics on, and of a scrape at 24 taps
//   npm run bench -- mqtt            CPU of a pour with MQTT and metrics on, with Mosquitto; some minutes
//   npm run bench -- measure         what 11 500 simulated pours are taken for, and calibration; six minutes
//   npm run bench -- day             memory of a page after a day of pours, in Chromium; some minutes
import { cpus, loadavg } from 'node:os';
import { table } from './table.mjs';

const defaults = ['ticks', 'pour', 'legacy', 'boards', 'start', 'memory', 'cpu', 'disk'];
const measures = [...defaults, 'lists', 'statistics', 'page', 'day', 'metrics', 'mqtt', 'measure'];

/** Benchmarks of several files. */
const paths = {
  measure: './measurement/measure.mjs',
  boards: '../extensions/kegboards/bench/boards.mjs',
  metrics: '../extensions/metrics/bench/metrics.mjs',
  mqtt: '../extensions/mqtt/bench/mqtt.mjs',
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !measures.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark "${unknown.join('", "')}". Use one of: ${measures.join(', ')}.`);
  process.exit(64);
}

const machine = () => `load ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`;

console.error(`Node ${process.version}, ${process.arch}, ${machine()}`);
const rows = [];
for (const name of requested.length > 0 ? requested : defaults) {
  console.error(`${name} …`);
  const { run } = await import(paths[name] ?? `./${name}.mjs`);
  rows.push(...(await run()));
}
console.log(`\n${table(rows)}\n`);
console.error(
  `At the end: ${machine()}. A load above the number of cores makes times longer and affects ratios less.`,
);
process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0;

#!/usr/bin/env node
// Speed, memory and wear of the built daemon. Everything is measured beside a bare baseline in the same run, so that
// the ratios mean the same on a Pi and on a workstation.
//
//   npm run bench                    all but lists, about two minutes
//   npm run bench -- memory start    only these
//   npm run bench -- lists           lists of a million drinks and five million temperatures, some minutes by itself
//   npm run bench -- page            first tick to changed digit, in Chromium
//   npm run bench -- day             the memory of a page that saw a day of pours, in Chromium, some minutes by itself
import { cpus, loadavg } from 'node:os';
import { table } from './table.mjs';

const defaults = ['ticks', 'pour', 'legacy', 'boards', 'start', 'memory', 'cpu', 'disk'];
const measures = [...defaults, 'lists', 'page', 'day'];

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !measures.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measure "${unknown.join('", "')}". There are: ${measures.join(', ')}.`);
  process.exit(64);
}

const machine = () => `load ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`;

console.error(`Node ${process.version}, ${process.arch}, ${machine()}`);
const rows = [];
for (const name of requested.length > 0 ? requested : defaults) {
  console.error(`${name} …`);
  const { run } = await import(`./${name}.mjs`);
  rows.push(...(await run()));
}
console.log(`\n${table(rows)}\n`);
console.error(`At the end: ${machine()}. A load above the cores makes times longer; ratios suffer less.`);
process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0;

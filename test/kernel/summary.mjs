// On the host: node summary.mjs RESULTS CONSOLE. Prints one line a test and, last, "N passed, N failed".
// A test that was planned and has no outcome has failed: the guest died or ran out of time in it, and the end of its
// console may tell why.
import { existsSync, readFileSync } from 'node:fs';

const [resultsFile, consoleFile] = process.argv.slice(2);
const lines = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').trim().split('\n') : [];
const [first, ...rest] = lines.map((line) => JSON.parse(line));
const planned = first?.plan ?? [];
const outcomes = new Map(rest.map((outcome) => [outcome.name, outcome]));

let passed = 0;
for (const name of planned) {
  const {
    passed: good,
    ms,
    fault,
  } = outcomes.get(name) ?? { passed: false, fault: 'It never came to an end.' };
  if (good) passed += 1;
  console.log(` ${good ? '✓' : '✗'} ${name}${ms === undefined ? '' : ` (${ms} ms of guest time)`}`);
  if (fault) console.log(indented(fault));
}
if (outcomes.size < planned.length || planned.length === 0) {
  console.log(`The guest did not finish. The end of its console:\n${indented(consoleEnd())}`);
}
const failed = planned.length === 0 ? 1 : planned.length - passed;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function consoleEnd() {
  return existsSync(consoleFile)
    ? readFileSync(consoleFile, 'utf8').split('\n').slice(-25).join('\n')
    : 'none';
}

function indented(text) {
  return text.replace(/^/gm, '     ');
}

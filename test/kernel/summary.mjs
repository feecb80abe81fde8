// On the host: node summary.mjs FOLDER... Prints one line per test and finally "N passed, N failed". A folder
// holds one machine's results.jsonl and console.txt. A planned test without an outcome has failed: the guest
// crashed or ran out of time, and the end of its console may show the cause.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

let passed = 0;
let failed = 0;
for (const folder of process.argv.slice(2)) printOutcomes(folder);
if (passed + failed === 0) {
  failed = 1;
  console.log(' ✗ No test ran.');
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function printOutcomes(folder) {
  const [plan, ...results] = readText(join(folder, 'results.jsonl'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const outcomes = new Map(results.map((result) => [result.name, result]));
  for (const name of plan?.plan ?? ['the guest starts its jobs']) {
    const {
      passed: good,
      note,
      ms,
      hostMs,
      fault,
    } = outcomes.get(name) ?? { fault: 'The test did not end.' };
    if (good) passed += 1;
    else failed += 1;
    const guestTime = ms === undefined ? '' : ` (${ms} ms of guest time)`;
    const time = hostMs === undefined ? guestTime : ` (${Math.round(hostMs / 1_000)} s)`;
    console.log(` ${good ? '✓' : '✗'} ${name}${note ? `: ${note}` : ''}${time}`);
    if (fault) console.log(indented(fault));
  }
  if (plan && outcomes.size === plan.plan.length) return;
  const end = readText(join(folder, 'console.txt')).split('\n').slice(-25).join('\n');
  console.log(`The guest did not finish. The end of its console:\n${indented(end)}`);
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function indented(text) {
  return text.replace(/^/gm, '     ');
}

// Tells what a report of vitest (its JSON form) holds: a line with how many tests passed and failed, then a paragraph for
// each that failed, with its file and the first lines of its reason. Into the file named second it writes the same of
// those that passed when they were asked again.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const reasonLines = 6;

const firstLines = (text) => text.split('\n').slice(0, reasonLines).join('\n    ');

const paragraph = (file, test) =>
  `${file}: ${test.fullName}\n    ${firstLines(test.failureMessages.join('\n'))}`;

const failures = report.testResults.flatMap((file) => {
  const name = relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  // A file that cannot be loaded has no tests to blame.
  if (file.status === 'failed' && tests.length === 0) return [`${name}\n    ${firstLines(file.message)}`];
  return tests.map((test) => paragraph(name, test));
});

console.log(`${report.numPassedTests} ${failures.length}`);
for (const failure of failures) console.log(failure);

const wavered = report.testResults.flatMap((file) =>
  file.assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map((test) => paragraph(relative(process.cwd(), file.name), test)),
);
if (process.argv[3]) appendFileSync(process.argv[3], wavered.map((text) => `${text}\n`).join(''));

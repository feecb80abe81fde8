// Summarises a JSON report of vitest: one line with the numbers of passed and failed tests, then a paragraph
// for each failed test with its file and the first lines of its message.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const reasonLines = 6;

const firstLines = (text) => text.split('\n').slice(0, reasonLines).join('\n    ');

const paragraph = (file, test) =>
  `${file}: ${test.fullName}\n    ${firstLines(test.failureMessages.join('\n'))}`;

const failures = report.testResults.flatMap((file) => {
  const name = relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  // A file that cannot be loaded has no test results.
  if (file.status === 'failed' && tests.length === 0) return [`${name}\n    ${firstLines(file.message)}`];
  return tests.map((test) => paragraph(name, test));
});

console.log(`${report.numPassedTests} ${failures.length}`);
for (const failure of failures) console.log(failure);

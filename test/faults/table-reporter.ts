import { basename } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { Measurement } from './measurements.ts';

/** Titles of the test files in the order of the table; others follow under their file names. */
const subjects: readonly (readonly [string, string])[] = [
  ['power-cuts', 'Power cuts'],
  ['bad-disks', 'Disks'],
  ['clocks', 'Clocks: how far pour times are off afterwards'],
  ['card-wear', 'SD card'],
  ['ten-years', 'Ten years on one card'],
  ['secrets', 'Secrets'],
];

/** Prints all measurements as one table, and the totals as the last line. */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded has no tests that could fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const parts = modules
      .map((module) => ({
        name: basename(module.moduleId, '.test.ts'),
        measurements: listMeasurements(module),
      }))
      .filter(({ measurements }) => measurements.length > 0)
      .sort((a, b) => subjectIndex(a.name) - subjectIndex(b.name));
    // Printed on exit, after the output of the other reporters.
    process.once('exit', () => {
      process.stdout.write(`\n${table(parts)}\n`);
      process.stdout.write(`${count('passed')} passed, ${count('failed') + broken} failed\n`);
    });
  }
}

/** The measurements of a file's tests; failed tests add a row with their name. */
function listMeasurements(module: TestModule): Measurement[] {
  return [...module.children.allTests()].flatMap((test) => {
    const measurements = (test.meta() as { measurements?: Measurement[] }).measurements ?? [];
    return test.result().state === 'failed'
      ? [...measurements, { what: test.name, found: 'FAILED' }]
      : measurements;
  });
}

function subjectIndex(name: string): number {
  const index = subjects.findIndex(([file]) => file === name);
  return index < 0 ? subjects.length : index;
}

/** Width of the first column; longer texts are wrapped. */
const maxWidth = 78;

function table(
  parts: readonly { readonly name: string; readonly measurements: readonly Measurement[] }[],
): string {
  const rows = parts.flatMap(({ measurements }) => measurements);
  const width = Math.max(...rows.map(({ what }) => Math.min(what.length, maxWidth)));
  const foundWidth = Math.max(...rows.map(({ found }) => found.length));
  const line = ({ what, found, allowed }: Measurement) => {
    const [first = '', ...rest] = wrapText(what);
    const limit = allowed === undefined ? '' : `  allowed: ${allowed}`;
    return [
      `  ${first.padEnd(width)}  ${found.padStart(foundWidth)}${limit}`,
      ...rest.map((one) => `    ${one}`),
    ];
  };
  return parts
    .flatMap(({ name, measurements }) => [
      '',
      subjects.find(([file]) => file === name)?.[1] ?? name,
      ...measurements.flatMap(line),
    ])
    .join('\n')
    .concat('\n');
}

function wrapText(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > maxWidth) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

import type { Reporter, TestModule } from 'vitest/node';
import type { Figure } from './figures.ts';

/** Prints what was measured as one table, and the totals as the last line. */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const figures = tests.flatMap((test) => (test.meta() as { figures?: Figure[] }).figures ?? []);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot even be read has no tests that could fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    // The other reporters print theirs first.
    process.once('exit', () => {
      process.stdout.write(`\n${table(figures)}\n`);
      process.stdout.write(`${count('passed')} passed, ${count('failed') + broken} failed\n`);
    });
  }
}

function table(figures: readonly Figure[]): string {
  const rows = [
    { what: 'Measured', found: 'Found', allowed: 'Allowed' },
    ...figures.map(({ what, found, allowed = '' }) => ({ what, found, allowed })),
  ];
  const width = (key: 'what' | 'found') => Math.max(...rows.map((row) => row[key].length));
  const [first, second] = [width('what'), width('found')];
  return rows
    .map(({ what, found, allowed }) =>
      `${what.padEnd(first)}  ${found.padStart(second)}  ${allowed}`.trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

import { defineConfig } from 'vitest/config';

/** `.ci/run` adds up the totals from this report. */
const report = process.env.TAPSTER_TEST_REPORT;

/**
 * What goes wrong in a bar, done to the built daemon: power cuts, bad disks, rude neighbours. Ends with a table of what
 * was measured. The short form takes a minute and a half; `TAPSTER_FAULT_KILLS=500` and the like make it longer.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/sweep.ts',
    reporters: [
      'default',
      'test/faults/table-reporter.ts',
      ...(report ? [['json', { outputFile: report }] as ['json', object]] : []),
    ],
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

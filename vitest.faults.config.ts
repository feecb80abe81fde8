import { defineConfig } from 'vitest/config';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/**
 * Faults injected into the built daemon: power cuts, bad disks, disturbing processes and clients. Ends with a
 * table of measurements. The short form takes 4 minutes; `TAPSTER_FAULT_KILLS=500` and similar variables
 * make it longer.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/temporary-folder.ts',
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

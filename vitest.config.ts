import { defineConfig } from 'vitest/config';

/** `.ci/run` adds up the totals from this report. */
const report = process.env.TAPSTER_TEST_REPORT;

/** Everything that needs neither a browser nor an emulated machine. */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/sweep.ts',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/kernel/**', 'test/bench/**', 'test/faults/**', 'node_modules/**'],
    pool: 'forks',
    // One worker a core: the default leaves one idle, which on a small machine is half of it.
    maxWorkers: '100%',
    // Ends a test that hangs; how fast a test runs is no business of its verdict.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

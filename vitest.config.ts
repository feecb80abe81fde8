import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/** All tests that need neither a browser nor an emulated machine. */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/temporary-folder.ts',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/kernel/**', 'test/bench/**', 'test/faults/**', 'node_modules/**'],
    pool: 'forks',
    // One worker more than cores: the journeys wait for pours to end. The default leaves one core idle, which is half of a
    // small machine.
    maxWorkers: availableParallelism() + 1,
    // Ends tests that hang; the limit is far above the normal duration.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

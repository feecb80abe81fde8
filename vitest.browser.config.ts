import { defineConfig } from 'vitest/config';

/** The page in a real Chromium. `TAPSTER_CHROMIUM` names the browser; the default is Debian's. */
/** `.ci/run` adds up the totals from this report. */
const report = process.env.TAPSTER_TEST_REPORT;

export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});

import { defineConfig } from 'vitest/config';

/** `.ci/run` adds up the totals from this report. */
const report = process.env.TAPSTER_TEST_REPORT;

/**
 * On a machine that many share, a browser is now and then not served in time. Where `CI` is set, a test of the page may be
 * asked a second time; `.ci/run` then names it, with what it said first. Nothing else is asked twice: what counts, stores
 * or answers wrongly once is wrong.
 */
const askedAgain = process.env.CI ? 1 : 0;

/** The page in a real Chromium. `TAPSTER_CHROMIUM` names the browser; the default is Debian's. */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/sweep.ts',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/browser/**/*.test.ts'],
    retry: askedAgain,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
});

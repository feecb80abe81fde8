import { defineConfig } from 'vitest/config';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/**
 * On a shared machine a browser occasionally times out. With `CI` set, a failed page test is repeated once;
 * `.ci/run` lists it with its first failure. No other tests are repeated: a wrong count, record or answer is
 * always a defect.
 */
const retries = process.env.CI ? 1 : 0;

/** The page in a real Chromium. `TAPSTER_CHROMIUM` names the browser; the default is Debian's. */
export default defineConfig({
  test: {
    globalSetup: 'test/kit/temporary-folder.ts',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/browser/**/*.test.ts'],
    retry: retries,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
});

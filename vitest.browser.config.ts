import { defineConfig } from 'vitest/config';
import { askedAgain } from './test/kit/asked-again.ts';

/** `.ci/run` adds up the totals from this report. */
const report = process.env.TAPSTER_TEST_REPORT;

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

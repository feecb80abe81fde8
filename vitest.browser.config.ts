import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/kit/longest-first.ts';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/** The files that take longest, of 35 to 70 s each. */
const longest = [
  'app/axe-pages.test.ts',
  'screenshots/screenshots.test.ts',
  'app/all-pages.test.ts',
  'users/people.test.ts',
  'app/access.test.ts',
  'drinks/corrections.test.ts',
  'app/offline.test.ts',
  'notifications/mail-and-webhooks.test.ts',
];

/** The page in a real Chromium. `TAPSTER_CHROMIUM` names the browser; the default is Debian's. */
export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(longest) },
    globalSetup: 'test/kit/temporary-folder.ts',
    // Daemons that run at once would compete for the port; tests of HTTPS choose their own.
    env: { TAPSTER_HTTPS: 'off' },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    include: ['test/browser/**/*.test.ts', 'test/extensions/*/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // The files share the modules of a worker: loading Playwright anew for each took a second. They leave no global state behind.
    isolate: false,
    // The tests wait for pages and pours about half of the time; a worker with its browser and daemon takes half a gigabyte.
    maxWorkers: availableParallelism() * 2 + 1,
  },
});

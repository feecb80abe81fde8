import { defineConfig } from 'vitest/config';

/** The page in a real Chromium. `TAPSTER_CHROMIUM` names the browser; the default is Debian's. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});

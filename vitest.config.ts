import { defineConfig } from 'vitest/config';

/** Everything that needs neither a browser nor an emulated machine. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/kernel/**', 'test/bench/**', 'node_modules/**'],
    pool: 'forks',
  },
});

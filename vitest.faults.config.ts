import { defineConfig } from 'vitest/config';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/** Tests that measure how long a client waits: they run one after another, when no other test uses the processor. */
const timed = [
  'test/faults/floods.test.ts',
  'test/faults/generated-attack.test.ts',
  'test/faults/login-attack.test.ts',
  'test/faults/overload.test.ts',
];

const common = {
  // Daemons that run at once would compete for the port.
  env: { TAPSTER_HTTPS: 'off' },
  globalSetup: 'test/kit/temporary-folder.ts',
  pool: 'forks',
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

/**
 * Faults injected into the built daemon: power cuts, bad disks, disturbing processes and clients. Ends with a
 * table of measurements. The short form takes 6 minutes; `TAPSTER_FAULT_KILLS=500` and similar variables
 * make it longer.
 */
export default defineConfig({
  test: {
    reporters: [
      'default',
      'test/faults/table-reporter.ts',
      ...(report ? [['json', { outputFile: report }] as ['json', object]] : []),
    ],
    projects: [
      {
        test: {
          ...common,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: timed,
          // They wait most of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'waits',
          include: timed,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

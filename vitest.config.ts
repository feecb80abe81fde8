import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/kit/longest-first.ts';

/** Report file from which `.ci/run` reads the totals. */
const report = process.env.TAPSTER_TEST_REPORT;

/** Tests of `.ci/nightly` alone. */
const nightly = process.env.TAPSTER_SLOW_TESTS === '1' ? [] : ['test/**/*.nightly.test.ts'];

/**
 * Tests that replace globals of the page before they load its modules. All others share their modules with the files that the same
 * worker ran before: loading the program anew for each file took a quarter of the time. They leave no global state behind.
 */
const isolated = [
  'test/web/api/{request,password,change-keys,lost-connection}.test.ts',
  'test/web/app/routing.test.ts',
];
const journeys = ['test/journey/**/*.test.ts', 'test/extensions/*/journey/**/*.test.ts'];
const separateRunners = [
  'test/browser/**',
  'test/extensions/*/browser/**',
  'test/kernel/**',
  'test/bench/**',
  'test/faults/**',
  'node_modules/**',
];

/** The files that take longest, of 10 to 50 s each. */
const longest = [
  'journey/faster-tap.test.ts',
  'journey/keg-change.test.ts',
  'journey/backups/large-backup.test.ts',
  'journey/backups/killed-backup.test.ts',
  'journey/pours/start-and-shutdown.test.ts',
  'journey/lost-database.test.ts',
  'extensions/serial-boards/journey/serial-board-survives-kill.test.ts',
  'http/pipeline/access.test.ts',
  'http/openapi/examples.test.ts',
  'http/credentials/credentials.test.ts',
  'http/credentials/other-routes.test.ts',
  'http/schema-refusals.test.ts',
  'http/document-fuzz.test.ts',
  'http/current/schema.test.ts',
  'http/legacy-v1/schema.test.ts',
  'engine/shared/pictures.test.ts',
  'extensions/import/cli/kegbot/import-backup.test.ts',
  'services/backups/backup-scheduler.test.ts',
];

const cores = availableParallelism();
/** One worker more than cores: the default leaves one core idle, which is half of a small machine. */
const busy = { maxWorkers: cores + 1, sequence: { groupOrder: 1 } } as const;
/** Journeys wait for pours to end and for daemons to start: a core serves four of them. */
const waiting = { maxWorkers: cores * 4, sequence: { groupOrder: 0 } } as const;

/** All tests that need neither a browser nor an emulated machine. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { ...waiting, name: 'journeys', include: journeys } },
      {
        extends: true,
        test: {
          ...busy,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...separateRunners, ...nightly, ...isolated, ...journeys],
          isolate: false,
        },
      },
      { extends: true, test: { ...busy, name: 'isolated', include: isolated } },
    ],
    sequence: { sequencer: longestFirst(longest) },
    globalSetup: 'test/kit/temporary-folder.ts',
    // Daemons that run at once would compete for the port; tests of HTTPS choose their own.
    env: { TAPSTER_HTTPS: 'off' },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    pool: 'forks',
    // Ends tests that hang; the limit is far above the normal duration.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

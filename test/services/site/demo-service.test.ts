import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { createDemoService } from '../../../src/services/site/demo-service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-service-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const momentAt = (second: number) => ({
  monoMs: second * 1_000,
  wallMs: Date.UTC(2026, 4, 2, 17, 0, second),
  synced: true,
  bootId: 'boot-1',
});

/** A demo with the files of a database, and how many times it was replaced. */
function openDemo() {
  let replaced = 0;
  for (const name of ['tapster.db', 'tapster.db-wal', 'tapster.db-shm'])
    writeFileSync(join(folder, name), 'x');
  const demo = createDemoService({
    config: { database: join(folder, 'tapster.db') } as Config,
    log: pino({ enabled: false }),
    database: {
      replace(step) {
        replaced += 1;
        return step();
      },
    },
  });
  return { demo, replaced: () => replaced };
}

test('a reset removes the database and the files of its log, and notes that a new site starts', async () => {
  const { demo } = openDemo();
  await demo.reset(momentAt(0));
  expect(readdirSync(folder)).toEqual(['tapster.db.new-site']);
});

test('a second reset within a minute is refused with the seconds to wait, and replaces nothing', async () => {
  const { demo, replaced } = openDemo();
  await demo.reset(momentAt(100));
  await expect(demo.reset(momentAt(118))).rejects.toMatchObject({
    code: 'too_many',
    reason: { name: 'demo_reset_recently', seconds: 42 },
    retryAfterS: 42,
  });
  expect(replaced()).toBe(1);
  await demo.reset(momentAt(160));
  expect(replaced()).toBe(2);
});

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { prepareRestore, swapDatabase } from '../../../src/services/backups/restore-database.ts';
import {
  createDatabaseLifecycle,
  type DatabaseLifecycle,
} from '../../../src/services/database/database-lifecycle.ts';
import { listBackups } from '../../../src/store/archive/backup-folder.ts';
import type { Upgrade } from '../../../src/store/database.ts';
import { newestVersion, schemaSteps } from '../../../src/store/schema/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import type { HealthPart } from '../../../src/system/health/health.ts';
import { fillBar, openingMs } from './filled-bar.ts';

const present: Upgrade = { programVersion: '0.1.0' };
const sameSchema: Upgrade = { programVersion: '0.1.1' };
/** A later program, whose schema the present one cannot use. */
const later: Upgrade = {
  programVersion: '0.2.0',
  steps: [
    ...schemaSteps,
    { sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT', compatibleFrom: newestVersion + 1 },
  ],
};
const hourMs = 3_600_000;
/** Calls of `retryOpen` that surely contain an attempt. */
const callsOfRetry = 5;

let lifecycle: DatabaseLifecycle | null = null;
afterEach(() => lifecycle?.close());

/** A bar with three drinks whose database the present program opened last. */
function createBar() {
  const bar = fillBar();
  bar.store.close();
  openStore({ file: bar.database, upgrade: present }).close();
  let monoMs = 0;
  const problems = new Map<HealthPart, string | null>();
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const { config } = loadConfig({ env: { TAPSTER_DATABASE: bar.database }, installed: '/nowhere' });
  return {
    ...bar,
    bus,
    problems,
    later: (ms: number) => {
      monoMs += ms;
    },
    async start(upgrade: Upgrade, { before_upgrade = true } = {}) {
      lifecycle = await createDatabaseLifecycle({
        settingsFile: null,
        config: { ...config, backups: { ...config.backups, before_upgrade } },
        bus,
        reporters: (part) => (current) => void problems.set(part, joinMessages(current)),
        clock: { now: () => ({ monoMs, wallMs: openingMs + monoMs, synced: true, bootId: 'b' }) } as never,
        log: { info() {} } as never,
        onOpen: () => {},
        upgrade,
      });
      return lifecycle;
    },
    list: async () =>
      (await listBackups(bar.backups)).map(({ manifest: { occasion, programVersion, schemaVersion } }) => ({
        occasion,
        programVersion,
        schemaVersion,
      })),
    tables: () => {
      const db = new Sqlite(bar.database, { readonly: true });
      const names = db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all();
      db.close();
      return names;
    },
  };
}

const isOpen = (opened: DatabaseLifecycle) => expect.poll(() => opened.engine() !== null).toBe(true);

test('a backup is made before a schema step, and with it the older program can be used again', async () => {
  const bar = createBar();
  const upgraded = await bar.start(later);
  expect(upgraded.engine()).toBeNull();
  expect(bar.tables()).not.toContain('later');
  expect(bar.problems.get('storing')).toMatch(/backup is made before the upgrade from 0.1.0 to 0.2.0/);
  await isOpen(upgraded);
  expect(bar.tables()).toContain('later');
  const backup = { occasion: 'upgrade', programVersion: '0.1.0', schemaVersion: newestVersion };
  expect(await bar.list()).toEqual([backup]);
  await upgraded.close();

  const older = await bar.start(present);
  expect(older.engine()).toBeNull();
  const name = (await listBackups(bar.backups))[0]!.name;
  await expect.poll(() => bar.problems.get('storing')).toContain(`“tapster restore ${name}”`);
  await older.replace(async () => {
    const { prepared } = await prepareRestore({
      kind: 'prepare',
      database: bar.database,
      archive: join(bar.backups, name),
      serverVersion: present.programVersion,
    });
    return swapDatabase({ kind: 'swap', database: bar.database, prepared, settings: null, nowMs: openingMs });
  });
  expect(older.requireEngine().drinks.get(3)).not.toBeNull();
  expect(bar.tables()).not.toContain('later');
  expect(await bar.list()).toEqual([backup]);
});

test('what waits for the engine is told when the database opens after its backup', async () => {
  const bar = createBar();
  const told: boolean[] = [];
  bar.bus.on('engine.opened', () => told.push(lifecycle!.engine() !== null));
  await isOpen(await bar.start(later));
  await expect.poll(() => told).toEqual([true]);
});

test('another version with the same schema makes a backup too, the same version makes none', async () => {
  const bar = createBar();
  const same = await bar.start(present);
  expect(same.engine()).not.toBeNull();
  await same.close();
  const other = await bar.start(sameSchema);
  expect(other.engine()).toBeNull();
  await isOpen(other);
  expect(await bar.list()).toMatchObject([{ occasion: 'upgrade', programVersion: '0.1.0' }]);
  expect(bar.problems.get('storing')).toBeNull();
  await other.close();
  expect((await bar.start(sameSchema)).engine()).not.toBeNull();
});

test('the backup is kept until the next upgrade has made its own', async () => {
  const bar = createBar();
  const first = await bar.start(sameSchema);
  await isOpen(first);
  await first.close();
  for (let made = 0; made < 8; made++) await bar.backUp(openingMs + made * hourMs);
  expect((await bar.list()).filter(({ occasion }) => occasion === 'manual')).toHaveLength(7);
  expect(await bar.list()).toContainEqual(expect.objectContaining({ occasion: 'upgrade' }));
  bar.later(30 * 24 * hourMs);
  const second = await bar.start({ programVersion: '0.1.2' });
  await isOpen(second);
  expect((await bar.list()).filter(({ occasion }) => occasion === 'upgrade')).toEqual([
    expect.objectContaining({ programVersion: '0.1.1' }),
  ]);
});

test('without a backup a schema step waits, and the backup is tried again every hour only', async () => {
  const bar = createBar();
  // A file in place of the folder makes every backup fail.
  writeFileSync(bar.backups, '');
  const opened = await bar.start(later);
  await expect.poll(() => bar.problems.get('storing')).toMatch(/not upgraded.*every hour.*before_upgrade/);
  rmSync(bar.backups);
  for (let call = 0; call < 3 * callsOfRetry; call++) opened.retryOpen();
  bar.later(hourMs - 1);
  for (let call = 0; call < callsOfRetry; call++) opened.retryOpen();
  expect(bar.problems.get('storing')).toMatch(/not upgraded/);
  expect(bar.tables()).not.toContain('later');
  bar.later(1);
  for (let call = 0; call < callsOfRetry; call++) opened.retryOpen();
  await expect.poll(bar.tables).toContain('later');
  expect(await bar.list()).toHaveLength(1);
});

test('another version with the same schema opens the database also when the backup fails, and reports it', async () => {
  const bar = createBar();
  writeFileSync(bar.backups, '');
  await isOpen(await bar.start(sameSchema));
  expect(bar.problems.get('backups')).toMatch(/no backup from before the upgrade/);
  expect(bar.problems.get('storing')).toBeNull();
});

test('a schema step that fails is tried again without another backup, also after a restart', async () => {
  const bar = createBar();
  const step = { sql: 'CREATE TABLE drinks (id INTEGER) STRICT', compatibleFrom: newestVersion + 1 };
  const broken: Upgrade = { programVersion: '0.2.0', steps: [...schemaSteps, step] };
  const opened = await bar.start(broken);
  await expect.poll(() => bar.problems.get('storing')).toMatch(/cannot be opened/);
  const made = await listBackups(bar.backups);
  // A backup made later would have another date and replace this one.
  bar.later(hourMs);
  for (let call = 0; call < 3 * callsOfRetry; call++) opened.retryOpen();
  await opened.close();
  const restarted = await bar.start(broken);
  expect(bar.problems.get('storing')).toMatch(/cannot be opened/);
  await restarted.close();
  expect(await listBackups(bar.backups)).toEqual(made);

  // After the older program has used the database again, the next upgrade makes a new one.
  const older = await bar.start(present);
  expect(older.requireEngine().drinks.get(3)).not.toBeNull();
  await older.close();
  const again = await bar.start(broken);
  expect(bar.problems.get('storing')).toMatch(/backup is made before/);
  await expect.poll(() => bar.problems.get('storing')).toMatch(/cannot be opened/);
  await again.close();
  expect((await listBackups(bar.backups)).map(({ name }) => name)).not.toContain(made[0]!.name);
});

test('the settings can switch the backup off', async () => {
  const bar = createBar();
  await bar.start(later, { before_upgrade: false });
  expect(bar.tables()).toContain('later');
  expect(await bar.list()).toEqual([]);
});

test('a backup that is interrupted is not listed and does not open the database', async () => {
  const bar = createBar();
  const opened = await bar.start(later);
  await expect.poll(() => readdirSync(bar.home)).toContain('backups');
  await opened.close();
  expect(await bar.list()).toEqual([]);
  expect(bar.tables()).not.toContain('later');
  const again = await bar.start(later);
  await expect.poll(bar.tables).toContain('later');
  await again.close();
  expect(await bar.list()).toHaveLength(1);
  expect(readdirSync(bar.backups).filter((name) => name.startsWith('.'))).toEqual([]);
});

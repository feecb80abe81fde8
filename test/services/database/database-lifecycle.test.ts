import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { textProblem } from '../../../src/core/health/problems.ts';
import { parseConfig } from '../../../src/daemon/load-config.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { type EngineExtension, loadExtensions } from '../../../src/engine/extension.ts';
import { createDatabaseLifecycle } from '../../../src/services/database/database-lifecycle.ts';
import { createLog } from '../../../src/system/log/log.ts';

const now = { monoMs: 1_000, wallMs: 1_777_741_200_000, synced: true, bootId: 'boot-1' };

/** A feature that nobody has switched on; its table has names of people. */
const guestBook: EngineExtension = {
  name: 'guest-book',
  isOnByDefault: false,
  schema: 'CREATE TABLE guests (user_id INTEGER, name TEXT) STRICT;',
  personData: { byUser: ['DELETE FROM guests WHERE user_id = @id'] },
  load: () => Promise.reject(new Error('It is off.')),
  loadKeptData: async () => ({ undoKinds: [], clockFollowers: [], setAsidePours: [] }),
};

const openLifecycle = (options: Partial<Parameters<typeof createDatabaseLifecycle>[0]> = {}) =>
  createDatabaseLifecycle({
    config: parseConfig(
      JSON.stringify({ database: join(mkdtempSync(join(tmpdir(), 'tapster-lifecycle-')), 'tapster.db') }),
      'tapster.json',
      { env: {} },
    ),
    settingsFile: null,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    reporters: () => () => {},
    clock: { now: () => now } as never,
    log: createLog({ level: 'fatal', write: () => {} }).log,
    onOpen: () => {},
    ...options,
  });

test('a feature that the settings file switches off stays on while something of it runs, and the log says so', async () => {
  const lines: string[] = [];
  const kept: EngineExtension = {
    ...guestBook,
    isOnByDefault: true,
    keptOn: 'SELECT 1',
    load: async () => ({
      name: 'guest-book',
      createServices: () => null,
      hooks: () => ({ whyInUse: () => textProblem('Anna is in the bar.') }),
    }),
  };
  const open = (extension: EngineExtension) =>
    openLifecycle({
      log: createLog({ level: 'warn', write: (line) => void lines.push(line) }).log,
      features: { 'guest-book': false },
      extensionHost: { all: [extension], load: (isOn) => loadExtensions([extension], isOn) },
    });
  const lifecycle = await open(kept);
  expect(lifecycle.requireEngine().site.features.on()).toEqual(['guest-book']);
  expect(lines.join('')).toContain(
    'the settings file switches guest-book off; it stays on. Anna is in the bar.',
  );
  await lifecycle.close();
  lines.length = 0;
  const idle = await open({ ...kept, keptOn: 'SELECT 1 WHERE 0' });
  expect(idle.requireEngine().site.features.on()).toEqual([]);
  expect(lines).toEqual([]);
  await idle.close();
});

test('an erased person is also erased from the tables of a feature that is off', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'tapster-lifecycle-')), 'tapster.db');
  const lifecycle = await openLifecycle({
    config: parseConfig(JSON.stringify({ database }), 'tapster.json', { env: {} }),
    extensionHost: { all: [guestBook], load: (isOn) => loadExtensions([guestBook], isOn) },
  });
  const engine = lifecycle.requireEngine();
  const { id } = engine.users.addUser({ username: 'anna' }, now);
  const rows = new Sqlite(database);
  rows.prepare("INSERT INTO guests VALUES (?, 'Anna')").run(id);
  engine.users.personalData.erase('anna', systemActor, now);
  expect(rows.prepare('SELECT * FROM guests').all()).toEqual([]);
  rows.close();
  lifecycle.close();
});

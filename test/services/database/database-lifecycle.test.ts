import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/load.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
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

test('an erased person is also erased from the tables of a feature that is off', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'tapster-lifecycle-')), 'tapster.db');
  const lifecycle = await createDatabaseLifecycle({
    config: parseConfig(JSON.stringify({ database }), 'tapster.json', { env: {} }),
    settingsFile: null,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    reporters: () => () => {},
    clock: { now: () => now } as never,
    log: createLog({ level: 'fatal', write: () => {} }).log,
    onOpen: () => {},
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

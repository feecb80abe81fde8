import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { openDatabase, toDatabaseError } from '../../src/store/database.ts';
import { createDiskSpace } from '../../src/store/disk-space.ts';
import { newestVersion } from '../../src/store/schema/migrations.ts';
import { createTables, openStore } from '../../src/store/store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-store-'));
  file = join(folder, 'tapster.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The objects of the schema, in an order independent of their creation. */
function schemaOf(path: string): unknown[] {
  const db = new Sqlite(path, { readonly: true });
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all();
  db.close();
  return rows;
}

test('creates a database with the newest schema in an empty file', () => {
  const store = openStore({ file });
  expect(store.site.read()).toMatchObject({ sessionTimeoutMinutes: 180, isSetUp: false });
  expect(store.faults()).toEqual([]);
  store.close();
  const db = new Sqlite(file);
  expect(db.pragma('user_version', { simple: true })).toBe(newestVersion);
  expect(db.pragma('application_id', { simple: true })).toBe(0x54617031);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('every table is strict', () => {
  openStore({ file }).close();
  const db = new Sqlite(file);
  const loose = db
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`,
    )
    .all();
  expect(loose).toEqual([]);
  db.close();
});

test('opening a database again changes nothing', () => {
  openStore({ file }).close();
  const before = schemaOf(file);
  openStore({ file }).close();
  expect(schemaOf(file)).toEqual(before);
});

function captureError(open: () => unknown): AppError {
  try {
    open();
  } catch (fault) {
    if (fault instanceof AppError) return fault;
    throw fault;
  }
  throw new Error('It did not throw.');
}

test('rejects a database of a newer program that is not marked as compatible', () => {
  openStore({ file }).close();
  const db = new Sqlite(file);
  db.exec(`UPDATE schema_info SET compatible_from = ${newestVersion + 1}`);
  db.pragma(`user_version = ${newestVersion + 1}`);
  db.close();
  const { code, message } = captureError(() => openStore({ file }));
  expect(code).toBe('unavailable');
  expect(message).toContain(`version ${newestVersion + 1}`);
});

test.each([false, true])(
  'rejects and does not change a database written before 0.1.0 (read-only: %s)',
  (readOnly) => {
    openStore({ file }).close();
    const db = new Sqlite(file);
    db.pragma('application_id = 0x54617073');
    db.pragma('user_version = 18');
    db.close();
    const before = readFileSync(file);
    const { code, message } = captureError(() => openStore({ file, readOnly }));
    expect(code).toBe('unavailable');
    expect(message).toBe(
      'This database was written by a Tapster older than 0.1.0 and cannot be used: move it away (the file and the ' +
        'files beside it) and start again with a new one.',
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);

test('rejects and does not change the database of another program', () => {
  const db = new Sqlite(file);
  db.exec('CREATE TABLE recipes (name TEXT)');
  db.close();
  expect(captureError(() => openStore({ file })).code).toBe('unavailable');
  expect(schemaOf(file)).toHaveLength(1);
});

test('creates the folder of a new database', () => {
  const path = join(folder, 'new', 'tapster.db');
  openStore({ file: path }).close();
  expect(schemaOf(path).length).toBeGreaterThan(0);
});

test.each([
  ['a path below a file', join('tapster.db', 'tapster.db')],
  ['a file that is not a database', 'tapster.db'],
])('rejects %s with a sentence for people', (_, path) => {
  writeFileSync(file, 'beer '.repeat(1_000));
  const { code, message } = captureError(() => openStore({ file: join(folder, path) }));
  expect(code).toBe('unavailable');
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message).not.toContain(folder);
});

test('reports a database locked by another connection as unavailable, and recovers', () => {
  const store = openStore({ file });
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  expect(captureError(() => store.transaction(() => store.site.raiseNewestSynced(5_000))).code).toBe(
    'unavailable',
  );
  other.exec('ROLLBACK');
  store.transaction(() => store.site.raiseNewestSynced(5_000));
  expect(store.site.newestSyncedMs()).toBe(5_000);
  other.close();
  store.close();
});

test('a statement waits a second for a lock, or as long as the program that opens the database allows', () => {
  for (const [waitMs, expected] of [
    [undefined, 1_000],
    [10_000, 10_000],
  ]) {
    const db = openDatabase(file, { waitMs });
    expect(db.pragma('busy_timeout', { simple: true })).toBe(expected);
    db.close();
  }
});

test('reports a full disk', () => {
  const db = openDatabase(file);
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  const fill = () => db.prepare('INSERT INTO taps (name, notes, sort_order) VALUES (?, ?, 0)');
  const error = captureError(() => {
    try {
      for (let i = 0; i < 100; i++) fill().run('Tap', 'x'.repeat(10_000));
    } catch (fault) {
      throw toDatabaseError(fault);
    }
  });
  expect(error.code).toBe('unavailable');
  expect(error.message).toContain('full');
  db.close();
});

test('a new database has small pages, and an existing one keeps its page size', () => {
  const pageOf = (path: string) => {
    const db = openDatabase(path);
    const size = db.pragma('page_size', { simple: true });
    db.close();
    return size;
  };
  expect(pageOf(file)).toBe(2_048);
  const old = join(folder, 'old.db');
  const db = new Sqlite(old);
  db.pragma('page_size = 4096');
  db.exec('VACUUM');
  db.close();
  expect([pageOf(old), pageOf(old)]).toEqual([4_096, 4_096]);
});

test('rolls back a transaction that throws', () => {
  const store = openStore({ file: ':memory:' });
  expect(() =>
    store.transaction(() => {
      store.taps.add({ name: 'Left', notes: '', sortOrder: 0, number: 1 });
      throw new AppError('conflict', 'No.');
    }),
  ).toThrow(AppError);
  expect(store.taps.all()).toEqual([]);
  store.close();
});

test('a long read of another connection does not block writes', () => {
  const doctor = openStore({ file });
  const daemon = openStore({ file });
  const title = doctor.snapshot(() => {
    doctor.site.totalChecks.unequal();
    daemon.transaction(() => daemon.site.write({ ...daemon.site.read(), title: 'Night shift' }));
    return doctor.site.read().title;
  });
  expect(title).toBe('Tapster');
  expect(doctor.site.read().title).toBe('Night shift');
  doctor.close();
  daemon.close();
});

test('database and log are private from creation, and become private when an existing database is opened', () => {
  const usual = process.umask(0o022);
  try {
    const modes = () =>
      ['', '-wal', '-shm'].map((suffix) => (statSync(`${file}${suffix}`).mode & 0o777).toString(8));
    const store = openStore({ file });
    expect(modes()).toEqual(['600', '600', '600']);
    for (const suffix of ['', '-wal', '-shm']) chmodSync(`${file}${suffix}`, 0o644);
    const other = openStore({ file });
    expect(modes()).toEqual(['600', '600', '600']);
    other.close();
    // The first connection still has its locks and its log.
    store.transaction(() => store.site.raiseNewestSynced(1));
    store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  } finally {
    process.umask(usual);
  }
});

/** Files after a power cut: the database, and a log with the last transactions. */
function databaseWithLog(): { readonly bytes: Buffer; readonly log: Buffer } {
  openStore({ file }).close();
  const writer = openStore({ file });
  writer.transaction(() => writer.site.raiseNewestSynced(5_000));
  const cut = join(folder, 'cut.db');
  for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${cut}${suffix}`);
  writer.close();
  file = cut;
  return { bytes: readFileSync(cut), log: readFileSync(`${cut}-wal`) };
}

test('closing without checkpoint leaves the database and its log unchanged', () => {
  const { bytes, log } = databaseWithLog();
  expect(log.length).toBeGreaterThan(2_048);
  const store = openStore({ file });
  store.closeWithoutCheckpoint();
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);

  // A normal close writes the log into the database.
  const again = openStore({ file });
  expect(again.site.newestSyncedMs()).toBe(5_000);
  again.close();
  expect(readFileSync(file).equals(bytes)).toBe(false);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('reports a database with a damaged schema and does not write to it', () => {
  const { bytes, log } = databaseWithLog();
  const spoilt = Buffer.from(bytes).fill(0xa5, 4_096);
  writeFileSync(file, spoilt);
  let captureError: unknown;
  try {
    openStore({ file });
  } catch (fault) {
    captureError = fault;
  }
  expect(captureError).toBeInstanceOf(AppError);
  expect(captureError).toMatchObject({ code: 'unavailable', message: expect.stringContaining('damaged') });
  expect(readFileSync(file).equals(spoilt)).toBe(true);
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
});

test('a relaxed recording is all or nothing, and its changes are there for other connections', () => {
  const store = openStore({ file });
  expect(() =>
    store.relaxedRecording(() => {
      store.site.write({ ...store.site.read(), title: 'Half' });
      throw new Error('stopped');
    }),
  ).toThrow();
  store.relaxedRecording(() => store.site.write({ ...store.site.read(), title: 'Whole' }));
  const other = openStore({ file, readOnly: true });
  expect(other.site.read().title).toBe('Whole');
  other.close();
  store.close();
});

test('every statement that is prepared with the tables compiles, although it is compiled at its first use', () => {
  const db = new Sqlite(openDatabase(':memory:').serialize());
  let compiled = 0;
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    compiled += 1;
    return prepare(sql);
  }) as typeof db.prepare;
  createTables(db, ':memory:', createDiskSpace(null));
  expect(compiled).toBeGreaterThan(500);
  db.close();
});

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { extensions } from '../../../src/extensions/all.ts';
import { prepareRestore, swapDatabase } from '../../../src/services/backups/restore-database.ts';
import { readSettings } from '../../../src/store/archive/read-settings.ts';
import { openStore } from '../../../src/store/store.ts';
import { fillBar, openingMs } from './filled-bar.ts';
import { corruptCopy, type ForgedMember, unpackArchive, writeArchive } from './forged-archive.ts';

type Bar = ReturnType<typeof fillBar>;

/** Path and hash of every file of a bar, which a refused restore must not change. */
const hashFiles = (home: string): string[] =>
  (readdirSync(home, { recursive: true, encoding: 'utf8' }) as string[])
    .filter((path) => statSync(join(home, path)).isFile())
    .map(
      (path) =>
        `${path} ${createHash('sha256')
          .update(readFileSync(join(home, path)))
          .digest('hex')}`,
    )
    .sort();

const restore = async (bar: Pick<Bar, 'database'>, archive: string, settings: string | null = null) => {
  const { prepared } = await prepareRestore({
    kind: 'prepare',
    database: bar.database,
    archive,
    serverVersion: '0.1.0',
  });
  return swapDatabase({ kind: 'swap', database: bar.database, prepared, settings, nowMs: openingMs });
};

const drinksIn = (file: string): number => {
  const db = new Sqlite(file, { readonly: true });
  const count = db.prepare<[], number>('SELECT count(*) FROM drinks').pluck().get()!;
  db.close();
  return count;
};

test('a restore brings back the bar, sets the former database aside and ends all logins', async () => {
  const bar = fillBar({ drinks: 3 });
  bar.engine.users.logins.open('anna', 'password', {
    monoMs: 0,
    wallMs: openingMs,
    synced: true,
    bootId: 'boot-1',
  });
  const { name } = await bar.backUp();
  bar.pour(4);
  bar.pour(5);
  bar.store.close();
  const { setAside } = await restore(bar, join(bar.backups, name!));
  const store = openStore({ file: bar.database, extensions });
  expect(store.drinks.totals.pours('site')).toBe(3);
  expect(store.users.logins.countByUser(store.users.byName('anna')!.id)).toBe(0);
  expect(store.faults()).toEqual([]);
  expect(readFileSync(store.pictures.files.path(bar.picture, 128), 'utf8')).toBe('a small picture of a beer');
  store.close();
  expect(drinksIn(join(setAside!, 'tapster.db'))).toBe(5);
  expect(readdirSync(join(setAside!, 'pictures'))).toHaveLength(2);
  expect(readdirSync(bar.home).filter((file) => file.startsWith('.'))).toEqual([]);
});

test('drinks that are only in the write-ahead log are set aside too', async () => {
  const bar = fillBar({ drinks: 1 });
  const { name } = await bar.backUp();
  bar.pour(2);
  // The power fails: the log is not checkpointed.
  expect(statSync(`${bar.database}-wal`).size).toBeGreaterThan(0);
  const { setAside } = await restore(bar, join(bar.backups, name!));
  expect(drinksIn(join(setAside!, 'tapster.db'))).toBe(2);
  expect(drinksIn(bar.database)).toBe(1);
});

test('a backup is restored where there is no database yet', async () => {
  const bar = fillBar();
  const { name } = await bar.backUp();
  const database = join(bar.home, 'new', 'tapster.db');
  expect((await restore({ database }, join(bar.backups, name!))).setAside).toBeNull();
  expect(drinksIn(database)).toBe(3);
  expect(readdirSync(join(bar.home, 'new', 'pictures'))).toHaveLength(2);
});

test('a damaged database is set aside unchanged together with its log', async () => {
  const bar = fillBar();
  const { name } = await bar.backUp();
  bar.store.close();
  writeFileSync(bar.database, 'beer was spilled on the card');
  writeFileSync(`${bar.database}-wal`, 'and on the log');
  const { setAside } = await restore(bar, join(bar.backups, name!));
  expect(readFileSync(join(setAside!, 'tapster.db'), 'utf8')).toBe('beer was spilled on the card');
  expect(readFileSync(join(setAside!, 'tapster.db-wal'), 'utf8')).toBe('and on the log');
  expect(drinksIn(bar.database)).toBe(3);
});

function unpacksTo(packed: Buffer, whole: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(whole);
  } catch {
    return false;
  }
}

test('a database damaged in its middle is set aside byte for byte, with its log', async () => {
  const bar = fillBar();
  const { name } = await bar.backUp();
  bar.store.close();
  // The power failed: the last writes are still in the log.
  const writer = openStore({ file: bar.database, extensions });
  writer.transaction(() => writer.site.raiseNewestSynced(openingMs + 86_400_000));
  const log = readFileSync(`${bar.database}-wal`);
  writer.closeWithoutCheckpoint();
  const bytes = readFileSync(bar.database).fill(0xa5, 8 * 4_096, 12 * 4_096);
  writeFileSync(bar.database, bytes);
  const { setAside } = await restore(bar, join(bar.backups, name!));
  expect(readFileSync(join(setAside!, 'tapster.db')).equals(bytes)).toBe(true);
  expect(readFileSync(join(setAside!, 'tapster.db-wal')).equals(log)).toBe(true);
  expect(drinksIn(bar.database)).toBe(3);
});

describe('an invalid backup changes nothing', () => {
  let bar: Bar;
  let archive: string;
  let before: string[];
  let apart: Awaited<ReturnType<typeof unpackArchive>>;

  beforeAll(async () => {
    bar = fillBar();
    archive = join(bar.backups, (await bar.backUp()).name!);
    bar.store.close();
    before = hashFiles(bar.home);
    apart = await unpackArchive(archive);
  });

  const refuses = async (file: string, code = 'invalid_request') => {
    await expect(restore(bar, file)).rejects.toMatchObject({ name: 'AppError', code });
    expect(hashFiles(bar.home)).toEqual(before);
  };
  const refusesForged = async (members: readonly ForgedMember[]) => refuses(await writeArchive(members));

  test('an archive packed again without changes is accepted, so the refusals below are due to the changes', async () => {
    const database = join(bar.home, '..', `again-${process.pid}`, 'tapster.db');
    await restore({ database }, await writeArchive(apart.members()));
    expect(drinksIn(database)).toBe(3);
  });

  test('truncated at any position', async () => {
    const { size } = statSync(archive);
    for (let part = 0; part < 24; part++) {
      const length = Math.floor((size * part) / 24);
      await refuses(corruptCopy(archive, (bytes) => bytes.subarray(0, length)));
    }
    await refuses(corruptCopy(archive, (bytes) => bytes.subarray(0, size - 1)));
  });

  test('one bit flipped at any position', async () => {
    const { size } = statSync(archive);
    const whole = gunzipSync(readFileSync(archive));
    let harmless = 0;
    for (let part = 1; part < 40; part++) {
      const at = Math.floor((size * part) / 40);
      const flipped = corruptCopy(archive, (bytes) => {
        bytes[at]! ^= 0x10;
        return bytes;
      });
      // Among many equal bytes a flipped bit may refer to an equal one, which changes nothing.
      if (unpacksTo(readFileSync(flipped), whole)) harmless++;
      else await refuses(flipped);
    }
    expect(harmless).toBeLessThan(4);
  });

  test.each([
    ['no archive at all', 'Prost!'],
    ['nothing', ''],
  ])('%s', async (_what, text) => refuses(corruptCopy(archive, () => Buffer.from(text))));

  test('no such file', () => refuses('/nowhere/backup.tar.gz', 'not_found'));

  test.each<[string, ForgedMember]>([
    ['a path out of the folder', { path: '../owned.txt', bytes: 'x' }],
    ['an absolute path', { path: '/tmp/owned.txt', bytes: 'x' }],
    ['an indirect path out of the folder', { path: 'pictures/../../owned.txt', bytes: 'x' }],
    [
      'a symbolic link',
      { path: `pictures/${'cd'.repeat(16)}-128.jpg`, type: 'SymbolicLink', linkpath: '/etc/passwd' },
    ],
    ['a hard link', { path: `pictures/${'cd'.repeat(16)}-128.jpg`, type: 'Link', linkpath: 'database.db' }],
    ['a folder', { path: 'more/', type: 'Directory' }],
    ['a device', { path: 'null', type: 'CharacterDevice' }],
    ['an unexpected file', { path: 'tapster.json', bytes: '{}' }],
    ['the database a second time', { path: 'database.db', bytes: 'another' }],
  ])('%s', (_what, extra) => refusesForged(apart.members({ extra: [extra] })));

  test('a link in place of an expected member', () =>
    refusesForged(
      apart
        .members()
        .map((member) =>
          member.path.endsWith('-128.jpg')
            ? { path: member.path, type: 'SymbolicLink' as const, linkpath: '../../tapster.db' }
            : member,
        ),
    ));

  test('members that are reordered, missing, or differ from their checksum', async () => {
    const members = apart.members();
    await refusesForged([...members].reverse());
    await refusesForged(members.slice(1));
    await refusesForged(members.slice(0, -1));
    await refusesForged(
      members.map((member, i) => (i === 3 ? { ...member, bytes: 'another beer' } : member)),
    );
  });

  test('a manifest that does not match', async () => {
    for (const manifest of [
      { format: 3 },
      { format: 0 },
      { program: 'another' },
      { schemaVersion: 999 },
      { databaseBytes: 12 },
      { databaseBytes: -1 },
      { pictureFiles: 1 },
      { pictureBytes: 1 },
      { checksumsSha256: '0'.repeat(64) },
      { createdTime: 'yesterday' },
      { serverName: 'x'.repeat(65) },
    ]) {
      await refusesForged(apart.members({ manifest }));
    }
  });

  test('a settings file that is too large, not in its place or not in the list', async () => {
    const settings = { path: 'settings.json', bytes: '{}' };
    const [manifest, checksums, database, ...pictures] = apart.members();
    await refusesForged([manifest!, checksums!, settings, database!, ...pictures]);
    await refusesForged(apart.members({ extra: [settings] }));
    await refusesForged(apart.members({ settings: 'x'.repeat(256 * 1024 + 1) }));
    const [, , changed] = apart.members({ settings: '{}' });
    expect(changed).toEqual(settings);
    await refusesForged(
      apart.members({ settings: '{}' }).map((member, i) => (i === 2 ? { ...settings, bytes: '[]' } : member)),
    );
  });

  test('a backup made before 0.1.0', async () => {
    const archive = await writeArchive(apart.members({ manifest: { format: 1 } }));
    await expect(
      prepareRestore({ kind: 'prepare', database: bar.database, archive, serverVersion: '0.1.0' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'This backup was made by a Tapster older than 0.1.0 and cannot be restored.',
    });
  });

  test('one that claims more than the free space is refused before it is unpacked', async () => {
    const members = apart.members({ manifest: { databaseBytes: 2 ** 52 } });
    await refuses(await writeArchive(members), 'unavailable');
  });

  test('a decompression bomb is refused before it fills the disk', async () => {
    const bomb = Buffer.alloc(96 * 1024 * 1024);
    await refusesForged(apart.members({ database: bomb }));
  });

  test('a manifest or checksum list beyond its size limit', async () => {
    const [, checksums, ...rest] = apart.members();
    const many = Buffer.alloc(20_000, ' ');
    await refusesForged([{ path: 'tapster-backup.json', bytes: many }, checksums!, ...rest]);
    await refusesForged([{ path: 'x'.repeat(90), bytes: many }]);
  });

  const createChangedDatabase = (sql: string): Buffer => {
    const copy = corruptCopy(apart.database, (bytes) => bytes);
    const db = new Sqlite(copy);
    db.exec(sql);
    db.pragma('journal_mode = DELETE');
    db.close();
    return readFileSync(copy);
  };

  test.each([
    ['of another program', 'PRAGMA application_id = 1'],
    ['of a Tapster before 0.1.0', 'PRAGMA application_id = 0x54617073'],
    [
      'of a newer Tapster that calls itself an old one',
      'PRAGMA user_version = 9999; UPDATE schema_info SET compatible_from = 9999',
    ],
    ['with a version that its manifest does not name', 'PRAGMA user_version = 9999'],
    [
      'with a trigger of its own',
      'CREATE TRIGGER sly AFTER INSERT ON drinks BEGIN UPDATE users SET is_staff = 1; END',
    ],
    ['with a view of its own', 'CREATE VIEW peek AS SELECT * FROM users'],
    ['with a trigger missing', 'DROP TRIGGER outbox_done'],
    ['with rows that point at nothing', 'PRAGMA foreign_keys = OFF; UPDATE drinks SET tap_id = 999'],
  ])('a database %s', (_what, sql) => refusesForged(apart.members({ database: createChangedDatabase(sql) })));

  test('a file that is no database, although its checksum is correct', () =>
    refusesForged(apart.members({ database: Buffer.alloc(8_192, 'beer') })));

  test('totals that differ from their sums are reported but do not prevent the restore', async () => {
    const changed = createChangedDatabase('UPDATE kegs SET spilled_volume_ml = spilled_volume_ml + 5');
    const database = join(bar.home, '..', `doubtful-${process.pid}`, 'tapster.db');
    const archive = await writeArchive(apart.members({ database: changed }));
    const { mismatches } = await prepareRestore({
      kind: 'prepare',
      database,
      archive,
      serverVersion: '0.1.0',
    });
    expect(mismatches).toEqual(['spilled from keg 1: stored 5, summed 0']);
  });
});

test('a backup contains the settings file, and a restore leaves another one beside the database', async () => {
  const bar = fillBar();
  const settings = join(bar.home, 'settings.json');
  writeFileSync(settings, '{"http": {"port": 80}}');
  const { name, hasSettings } = await bar.backUp(openingMs, settings);
  bar.store.close();
  const archive = join(bar.backups, name!);
  expect(hasSettings).toBe(true);
  expect(await readSettings(createReadStream(archive))).toBe('{"http": {"port": 80}}');
  expect((await restore(bar, archive, settings)).otherSettings).toBeNull();

  writeFileSync(settings, '{}');
  const { otherSettings } = await restore(bar, archive, settings);
  expect(otherSettings).toBe(join(bar.home, 'restored-settings.json'));
  expect(readFileSync(otherSettings!, 'utf8')).toBe('{"http": {"port": 80}}');
  expect([readFileSync(settings, 'utf8'), statSync(otherSettings!).mode & 0o777]).toEqual(['{}', 0o600]);
});

test('a backup without a settings file, or of one that cannot be read, is made nevertheless', async () => {
  const bar = fillBar();
  const { name, hasSettings } = await bar.backUp(openingMs, join(bar.home, 'no-settings.json'));
  bar.store.close();
  expect(hasSettings).toBe(false);
  expect(await readSettings(createReadStream(join(bar.backups, name!)))).toBeNull();
});

test('swapDatabase accepts only a prepared folder', async () => {
  const bar = fillBar();
  bar.store.close();
  for (const prepared of [
    '/tmp',
    join(bar.home, 'pictures'),
    `${bar.home}/../.restoring-${'0'.repeat(16)}`,
  ]) {
    await expect(
      swapDatabase({ kind: 'swap', database: bar.database, prepared, settings: null, nowMs: 0 }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
  expect(existsSync(bar.database)).toBe(true);
});

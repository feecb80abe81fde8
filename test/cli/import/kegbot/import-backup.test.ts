import { mkdirSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createSite, type ImportSite, readTotals } from '../../../kit/import-site.ts';
import { fixtures, mysqlDump, postgresDump, tablesOf } from '../../../kit/kegbot/old-tables.ts';
import { type KegbotServer, type OldBar, oldKey, startKegbot } from '../../../kit/kegbot-server.ts';
import { makeZip } from '../../../kit/make-zip.ts';

const bar: OldBar = {
  users: [
    { username: 'anna', display_name: 'Änne “A.”' },
    { username: 'Bernd', is_staff: true },
  ],
  drinks: 230,
};

let sites: ImportSite[] = [];
const servers: KegbotServer[] = [];
afterEach(async () => {
  for (const site of sites) site.remove();
  sites = [];
  for (const server of servers.splice(0)) await server.close();
});

const openSite = (): ImportSite => {
  const site = createSite();
  sites.push(site);
  return site;
};
const importFrom = (site: ImportSite, from: string, options = '') =>
  site.tapster(`import kegbot ${from} --no-backup ${options}`.trim());
const startServer = async (old: OldBar, form: 'kegbot' | 'legacy' = 'kegbot') => {
  const server = await startKegbot(form, old);
  servers.push(server);
  return server;
};
const readSite = (site: ImportSite) =>
  site.open((open) => ({
    ...readTotals(open),
    check: open.engine.checkDatabase(),
    people: open.engine.lists
      .users({ limit: 100 })
      .items.map(({ username, displayName, isStaff }) => [username, displayName, isStaff])
      .sort(),
    beverages: open.engine.kegs
      .list({ limit: 100 })
      .items.map(({ beverageId }) => open.engine.kegs.beverage(beverageId))
      .map((beverage) => [beverage?.name, beverage?.style, beverage?.abvPercent, beverage?.producer.name]),
  }));

const folder = 'old-bar-20230601-120000';
const metadata = (fields: object) => ({ name: `${folder}/metadata.json`, bytes: JSON.stringify(fields) });
const picture = { name: `${folder}/media/pics/a.sql`, bytes: 'no SQL' };
/** What owners have, all of the same bar. */
const forms: Readonly<Record<string, (old: OldBar) => readonly [name: string, bytes: string | Uint8Array]>> =
  {
    'a dump': (old) => ['kegbot.sql', mysqlDump(tablesOf(old))],
    'a compressed dump': (old) => ['kegbot.sql.gz', gzipSync(mysqlDump(tablesOf(old)))],
    'a dump with byte order mark and other line ends': (old) => [
      'kegbot.sql',
      `\ufeff${mysqlDump(tablesOf(old)).replaceAll('\n', '\r\n')}`,
    ],
    'a dump of PostgreSQL': (old) => ['kegbot.sql', postgresDump(tablesOf(old))],
    'a backup of Kegbot 1.2': (old) => [
      'backup.zip',
      makeZip([
        metadata({ backup_format: 2, db_engine: 'mysql' }),
        picture,
        { name: `${folder}/kegbot.sql`, bytes: mysqlDump(tablesOf(old)) },
      ]),
    ],
    'a backup of Kegbot 1.2 that is not compressed': (old) => [
      'backup',
      makeZip([{ name: `${folder}/kegbot.sql`, bytes: postgresDump(tablesOf(old)) }], { isPacked: false }),
    ],
    'a backup of Kegbot 1.1': (old) => [
      'backup.zip',
      makeZip([
        picture,
        metadata({ backup_format: 1 }),
        ...Object.entries(fixtures(tablesOf(old))).map(([name, bytes]) => ({
          name: `${folder}/${name}`,
          bytes,
        })),
      ]),
    ],
  };

test.each(Object.entries(forms))('%s gives the same as the server', async (_form, write) => {
  const server = await startServer(bar);
  const [fromServer, fromFile] = [openSite(), openSite()];
  expect(await importFrom(fromServer, server.url, `--key ${oldKey}`)).toMatchObject({ code: 0 });
  const [name, bytes] = write(bar);
  fromFile.write(name, bytes);
  await fromFile.open(() => {});
  const dry = await importFrom(fromFile, name, '--dry-run');
  expect({ code: dry.code, err: dry.err }).toMatchObject({ code: 0 });
  expect((await readSite(fromFile)).drinks).toBe(0);
  const done = await importFrom(fromFile, name);
  expect(done.out.replaceAll(/(\d) imported/g, '$1 to import')).toBe(dry.out);
  expect(done.out).toContain('1 of the accounts are staff there. Rights are not imported');
  expect(done.out).toContain('Passwords are not imported: nobody can log in');
  const found = await readSite(fromFile);
  expect(found.check).toEqual([]);
  expect(found).toEqual(await readSite(fromServer));
  expect(await fromFile.open(({ engine }) => engine.passwords.check('anna', 'secret'))).toBeNull();
  expect(readdirSync(fromFile.path('data')).filter((file) => file.includes('staging'))).toEqual([]);
  expect((await importFrom(fromFile, name)).err).toContain('There is nothing new to import.');
});

test('a backup after the server, and the server after a backup, add only what is new', async () => {
  const later = { ...bar, drinks: 520 };
  const [backupName, backup] = forms['a backup of Kegbot 1.1']!(later);
  const site = openSite();
  const server = await startServer(bar, 'legacy');
  await importFrom(site, server.url, `--key ${oldKey}`);
  site.write(backupName, backup);
  const second = await importFrom(site, backupName);
  expect(second).toMatchObject({ code: 0 });
  expect(second.err).toContain(`Its drinks were imported from “${server.url}” before: it is continued.`);
  expect(second.out).toContain('drinks     290 imported, 230 imported before\n');
  expect(second.out).toContain('kegs       0 imported, 3 imported before\n');

  const other = openSite();
  const [dumpName, dump] = forms['a dump']!(bar);
  other.write(dumpName, dump);
  expect((await importFrom(other, dumpName)).err).toContain('tapster import undo kegbot:kb-12ab-34cd');
  // The newest page of the server has none of the drinks that were in the dump.
  const running = await startServer({ ...bar, drinks: 460 });
  for (const drinks of ['230 imported, 230 imported before', '0 imported']) {
    const found = await importFrom(other, running.url, `--key ${oldKey}`);
    expect(found).toMatchObject({ code: 0 });
    expect(found.err + found.out).toMatch(new RegExp(`drinks     ${drinks}|There is nothing new to import`));
  }
  const totals = await readSite(other);
  expect(totals.drinks).toBe(460);
  expect(totals.kegs).toHaveLength(3);
  expect(totals.people).toHaveLength(2);
});

test('a dump that was made before the last import adds nothing', async () => {
  const site = openSite();
  site.write('new.sql', forms['a dump']!(bar)[1]);
  site.write('old.sql', forms['a dump']!({ ...bar, drinks: 100 })[1]);
  await importFrom(site, 'new.sql');
  expect((await importFrom(site, 'old.sql')).err).toContain('There is nothing new to import.');
  expect((await readSite(site)).drinks).toBe(230);
});

test('the backup of another site without an id of its own is refused until it has a name', async () => {
  const anonymous = (shiftDays: number) => {
    const { core_kegbotsite: _site, core_drink: drinks, ...tables } = tablesOf(bar);
    const moved = drinks!.map((row) => ({
      ...row,
      time: new Date(Date.parse(`${String(row.time).slice(0, 23)}Z`) - shiftDays * 86_400_000)
        .toISOString()
        .replace('T', ' ')
        .replace('Z', '000'),
    }));
    return mysqlDump({ ...tables, core_drink: moved });
  };
  const site = openSite();
  site.write('one.sql', anonymous(0));
  site.write('two.sql', anonymous(100));
  expect(await importFrom(site, 'one.sql')).toMatchObject({ code: 0 });
  const refused = await importFrom(site, 'two.sql');
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toContain('belongs to another drink that was imported before');
  expect(await importFrom(site, 'two.sql', '--source cellar')).toMatchObject({ code: 0 });
  expect((await readSite(site)).drinks).toBe(460);
});

test('faulty rows of a backup stop it, or are left out by name; drinks of an unknown keg come without one', async () => {
  const tables = tablesOf({ ...bar, drinks: 6 });
  const drinks = tables.core_drink!.map((row, n) => {
    if (n === 1) return { ...row, time: '0000-00-00 00:00:00.000000' };
    if (n === 2) return { ...row, keg_id: 77 };
    return n === 3 ? { ...row, user_id: 99 } : row;
  });
  const site = openSite();
  site.write('old.sql', mysqlDump({ ...tables, core_drink: [...drinks, drinks[5]!, drinks[5]!] }));
  const refused = await importFrom(site, 'old.sql');
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toContain('drink 2, pour_time: must be a time since 1970.\n');
  const done = await importFrom(site, 'old.sql', '--skip-bad-rows');
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain('drinks     5 imported\n');
  expect(done.out).toContain('no keg     1 drink of keg 77, which is not imported');
  expect(done.out).toContain('1 drinks name an account that is not in the file');
  expect(done.out).toContain('left out   2 drinks: with the id of another row before it');
  expect(done.out).toContain('left out   1 account: for pours of guests');
});

const dump = mysqlDump(tablesOf({ ...bar, drinks: 3 }));
const zipped = (...names: string[]) => makeZip(names.map((name) => ({ name, bytes: dump })));
test.each<[string, string, string | Uint8Array, RegExp]>([
  ['an empty file', 'a.sql', '', /a\.sql is empty/],
  ['a text', 'a.sql', 'Dear Anna,\nit is over.\n', /is incomplete|has no tables of a Kegbot/],
  [
    'a picture',
    'a.sql',
    Buffer.from('89504e470d0a1a0a0000', 'hex'),
    /is neither a backup of Kegbot nor a dump/,
  ],
  ['a dump of another program', 'a.sql', mysqlDump({ wp_posts: [{ id: 1 }] }), /has no tables of a Kegbot/],
  [
    'an older Kegbot',
    'a.sql',
    mysqlDump({ core_drink: [{ id: 1 }], core_beertype: [{ id: 1 }] }),
    /before version 0\.9\.17/,
  ],
  ['a cut dump', 'a.sql', dump.slice(0, -30), /is incomplete/],
  ['a cut gzip file', 'a.sql.gz', gzipSync(dump).subarray(0, 900), /is a damaged gzip file/],
  ['a cut zip archive', 'a.zip', zipped('x/kegbot.sql').subarray(0, 900), /is a damaged zip archive/],
  ['an archive of something else', 'a.zip', zipped('x/readme.txt'), /is no backup of Kegbot/],
  ['an archive with two dumps', 'a.zip', zipped('x/one.sql', 'x/two.sql'), /is no backup of Kegbot/],
  ['an archive with a file twice', 'a.zip', zipped('x/kegbot.sql', 'y/kegbot.sql'), /two files kegbot\.sql/],
  ['a name that leads out', 'a.zip', zipped('../../etc/kegbot.sql'), /is a damaged zip archive/],
  ['an absolute name', 'a.zip', zipped('/etc/kegbot.sql'), /is a damaged zip archive/],
  [
    'a password',
    'a.zip',
    makeZip([{ name: 'kegbot.sql', bytes: dump, isEncrypted: true }]),
    /protected by a password/,
  ],
  [
    'a bomb',
    'a.zip',
    makeZip([{ name: 'kegbot.sql', bytes: Buffer.alloc(70_000_000, 32) }]),
    /unpacks to much more/,
  ],
  [
    'a bomb that claims little',
    'a.zip',
    makeZip([{ name: 'kegbot.sql', bytes: Buffer.alloc(70_000_000, 32), claimedBytes: 1_000 }]),
    /is a damaged zip archive/,
  ],
  ['a bomb of gzip', 'a.sql.gz', gzipSync(Buffer.alloc(70_000_000, 32)), /unpacks to much more/],
  [
    'damaged JSON',
    'a.zip',
    makeZip([{ name: 'x/tables/core_user.json', bytes: '[{"pk": 1, "fields": {}}, ' }]),
    /has a damaged tables\/core_user\.json/,
  ],
  ['UTF-16', 'a.sql', Buffer.from(`\ufeff${dump}`, 'utf16le'), /is in UTF-16, as PowerShell writes it/],
  ['another compression', 'a.sql.bz2', 'BZh91AY', /unpack it first/],
  [
    'another character set',
    'a.sql',
    dump.replace('SET NAMES utf8mb4', 'SET NAMES sjis'),
    /--default-character-set=utf8mb4/,
  ],
  [
    'rows without names of columns',
    'a.sql',
    dump.replaceAll('CREATE TABLE', 'DROP TABLE'),
    /--complete-insert/,
  ],
  [
    'a row with too few values',
    'a.sql',
    dump.replace("(1,'Left',2)", "(1,'Left')"),
    /core_kegtap with 2 values for 3 columns/,
  ],
  [
    'two databases',
    'a.sql',
    dump.replace(/\n-- Dump completed\n/, '') + dump,
    /has the table core_user twice|twice/,
  ],
])('refuses %s', async (_name, file, bytes, sentence) => {
  const site = openSite();
  site.write(file, bytes);
  const refused = await importFrom(site, file);
  expect(refused.err).toMatch(sentence);
  expect(refused.code).toBe(65);
  expect(readdirSync(site.path('data')).filter((name) => name.includes('staging'))).toEqual([]);
});

test('says what is missing, and that a file has no key', async () => {
  const site = openSite();
  expect(await importFrom(site, 'absent.sql')).toMatchObject({
    code: 66,
    err: 'The file absent.sql cannot be opened.\n',
  });
  site.write('a.sql', dump);
  expect(await importFrom(site, 'a.sql', '--key abc')).toMatchObject({ code: 64 });
  mkdirSync(site.path('unpacked'));
  expect((await importFrom(site, './unpacked')).err).toContain(
    'unpacked is a folder or a device, not a file',
  );
});

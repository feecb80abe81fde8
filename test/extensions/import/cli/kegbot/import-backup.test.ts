import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { fixtures, mysqlDump, postgresDump, tablesOf } from '../../../../kit/kegbot/old-tables.ts';
import { type KegbotServer, type OldBar, oldKey, startKegbot } from '../../../../kit/kegbot-server.ts';
import { makeZip } from '../../../../kit/make-zip.ts';
import { createSite, type ImportSite, readTotals } from '../import-site.ts';

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
    check: open.engine.site.checkDatabase(),
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
  expect(await fromFile.open(({ engine }) => engine.users.passwords.check('anna', 'secret'))).toBeNull();
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
  expect(done.out).toContain('1 drink names an account that is not in the file');
  expect(done.out).toContain('left out   2 drinks: with the id of another row before it');
  expect(done.out).toContain('left out   1 account: for pours of guests');
});

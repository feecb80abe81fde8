import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mysqlDump, tablesOf } from '../../../../../kit/kegbot/old-tables.ts';
import { makeZip } from '../../../../../kit/make-zip.ts';
import { createSite, type ImportSite } from '../../import-site.ts';

let site: ImportSite;
beforeEach(() => {
  site = createSite();
});
afterEach(() => site.remove());

const importFrom = (from: string, options = '') =>
  site.tapster(`import kegbot ${from} --no-backup ${options}`.trim());

const dump = mysqlDump(tablesOf({ users: [{ username: 'anna' }], drinks: 3 }));
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
  site.write(file, bytes);
  const refused = await importFrom(file);
  expect(refused.err).toMatch(sentence);
  expect(refused.code).toBe(65);
  const left = existsSync(site.path('data')) ? readdirSync(site.path('data')) : [];
  expect(left.filter((name) => name.includes('staging'))).toEqual([]);
});

test('says what is missing, and that a file has no key', async () => {
  expect(await importFrom('absent.sql')).toMatchObject({
    code: 66,
    err: 'The file absent.sql cannot be opened.\n',
  });
  site.write('a.sql', dump);
  expect(await importFrom('a.sql', '--key abc')).toMatchObject({ code: 64 });
  mkdirSync(site.path('unpacked'));
  expect((await importFrom('./unpacked')).err).toContain('unpacked is a folder or a device, not a file');
});

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeHiddenCharacters } from '../../../../src/core/text/text-rules.ts';
import { hasMariadb, startMariadb, type TestMariadb } from '../../../kit/mariadb.ts';
import { createSite, type ImportSite, readTotals } from '../cli/import-site.ts';

const read = (name: string) => readFileSync(new URL(`../../../kit/kegbot/${name}`, import.meta.url), 'utf8');

describe.skipIf(!hasMariadb)('a dump of a Kegbot in MariaDB', { timeout: 120_000 }, () => {
  let database: TestMariadb;
  let site: ImportSite;

  beforeAll(async () => {
    database = await startMariadb();
    database.run(read('schema.sql') + read('data.sql'));
  }, 120_000);
  afterAll(() => database?.remove());
  afterEach(() => site.remove());

  /** What the database itself says. */
  const expected = () => {
    const [drinks, volumeMl] = database
      .run('SELECT count(*), sum(volume_ml) FROM core_drink')
      .trim()
      .split('\t');
    const shouts = database
      .run("SELECT id, hex(shout) FROM core_drink WHERE shout <> '' ORDER BY id")
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([id, hex]) => [Number(id), Buffer.from(hex!, 'hex').toString()] as const);
    return { drinks: Number(drinks), volumeMl: Number(volumeMl), shouts };
  };
  const importFile = (name: string, options = '') =>
    site.tapster(`import kegbot ${name} --no-backup ${options}`.trim());

  test.each<[string, readonly string[]]>([
    ['as it is made without options', []],
    ['as Kegbot makes it', ['--skip-dump-date', '--single-transaction']],
    ['with one row per statement and names of columns', ['--skip-extended-insert', '--complete-insert']],
    ['without quoted names and comments', ['--skip-quote-names', '--skip-comments', '--hex-blob']],
    ['compact, in the form of ANSI', ['--compact', '--compatible=ansi', '--default-character-set=utf8mb4']],
    ['with REPLACE, and only rows', ['--replace', '--no-create-info', '--complete-insert']],
    ['of several databases', ['--databases', '--routines', '--triggers', '--events', '--add-drop-database']],
  ])('%s', async (_name, options) => {
    site = createSite();
    site.write('old.sql', database.dump(options));
    const { code, out, err } = await importFile('old.sql');
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain('accounts   2 imported\n');
    expect(out).toContain('beverages  2 imported\n');
    expect(out).toContain('kegs       3 imported\n');
    expect(out).toContain('drinks     230 imported\n');
    const { drinks, volumeMl, shouts } = expected();
    await site.open((open) => {
      expect(open.engine.site.checkDatabase()).toEqual([]);
      const totals = readTotals(open);
      expect(totals.drinks).toBe(drinks);
      expect(totals.volumeMl).toBeCloseTo(volumeMl, 3);
      expect(totals.byUser).toEqual({ '': 76, anna: 77, bernd: 77 });
      const rows = open.engine.lists.drinks({ limit: 1_000, isValid: true }).items;
      const inOrder = [...rows].sort((one, other) => one.pourTimeMs - other.pourTimeMs);
      expect(inOrder[0]!.pourTimeMs).toBe(Date.parse('2014-05-05T18:10:00.500Z'));
      for (const [id, shout] of shouts) {
        // Control characters are not allowed here, and blanks at the ends go.
        const clean = removeHiddenCharacters(shout, 'lines').trim();
        expect([id, inOrder[id - 1]!.shout]).toEqual([id, clean]);
      }
      const anna = open.engine.lists.users({ limit: 10 }).items.find(({ username }) => username === 'anna');
      expect(anna).toMatchObject({ displayName: 'Anna O\'Hara \\ "Änne" 🍺', isStaff: false });
      expect(totals.kegs.map(({ beverage, spilled, full }) => [beverage, full, spilled]).sort()).toEqual([
        ['Cola', 5_000, 0],
        ['Haus Helles', 18_927.1, 0],
        ['Haus Helles', 50_000, 400.5],
      ]);
    });
    const again = await importFile('old.sql');
    expect(again.err).toContain('There is nothing new to import.');
  });

  test('in Latin-1 and compressed', async () => {
    site = createSite();
    database.run("UPDATE core_user SET display_name = 'Änne' WHERE id = 2");
    site.write('old.sql.gz', gzipSync(database.dump(['--default-character-set=latin1'])));
    const { code, out } = await importFile('old.sql.gz');
    expect({ code, out }).toMatchObject({ code: 0 });
    const users = await site.open(({ engine }) => engine.lists.users({ limit: 10 }).items);
    expect(users.map(({ displayName }) => displayName)).toContain('Änne');
  });
});

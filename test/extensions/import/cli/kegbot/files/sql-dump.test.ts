import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSqlDump } from '../../../../../../src/extensions/import/cli/kegbot/files/sql-dump.ts';
import type { TableRow } from '../../../../../../src/extensions/import/cli/kegbot/files/table-rows.ts';
import { type Cell, mysqlDump, mysqlValue, postgresDump } from '../../../../../kit/kegbot/old-tables.ts';
import { propertyRuns } from '../../../../../kit/slow.ts';

/** Reads the rows of some tables; the text comes in pieces that end at these places. */
async function read(text: string | Buffer, { tables = ['core_drink'], cuts = [] as readonly number[] } = {}) {
  const bytes = Buffer.from(text as string);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  const dump = openSqlDump('old.sql', async function* () {
    for (const [index, from] of places.entries()) yield bytes.subarray(from, places[index + 1] ?? from);
  });
  const rows: TableRow[] = [];
  for await (const part of dump.rows(new Set(tables))) rows.push(...part);
  return { rows, values: rows.map(({ values }) => values), tables: dump.tables, notes: [...dump.notes] };
}

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));

const cell = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '\\',
      '\0',
      '\n',
      '\r',
      '\x1a',
      ';',
      '(',
      ')',
      ',',
      '-',
      '/',
      '*',
      '#',
      'ä',
      '🍺',
      '`',
      'N',
      '\t',
    ),
    maxLength: 12,
  }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constant(null),
);
const rowsOf = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
  )
  .map((rows) => rows.map((row) => Object.fromEntries(row.map((value, n) => [`column_${n}`, value]))));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test('every value that mysqldump writes is read as it was, wherever the file is cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, cuts, async (rows, places) => {
      const text = mysqlDump({ core_stats: rows, core_drink: rows });
      const { values, tables } = await read(text, { cuts: places });
      expect(values).toEqual(rows);
      expect([...tables]).toEqual(['core_stats', 'core_drink']);
    }),
    { numRuns: propertyRuns(400) },
  );
});

test('every value that pg_dump writes is read as it was', async () => {
  const texts = (rows: readonly Readonly<Record<string, Cell>>[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value === null ? null : String(value).replaceAll('\0', ''),
        ]),
      ),
    );
  await fc.assert(
    fc.asyncProperty(rowsOf, cuts, async (rows, places) => {
      const clean = texts(rows);
      const { values } = await read(postgresDump({ core_stats: clean, core_drink: clean }), { cuts: places });
      expect(values).toEqual(clean);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test.each(['mysqldump', 'pg_dump'])('a dump of %s that is cut anywhere is refused', async (program) => {
  const tables = {
    core_drink: [
      { id: 1, shout: "it's; (1)" },
      { id: 2, shout: null },
    ],
  };
  const text = program === 'pg_dump' ? postgresDump(tables) : mysqlDump(tables);
  const end = text.lastIndexOf(program === 'pg_dump' ? ' complete' : ' completed');
  // Behind the first comment, which tells a dump from other texts.
  for (let length = 60; length <= end; length++) {
    await expect(read(text.slice(0, length)), `${length}`).rejects.toThrow(/is incomplete/);
  }
  expect((await read(text)).rows).toHaveLength(2);
});

test.each<[string, string, readonly Cell[]]>([
  ['quotes that are doubled', "'it''s'", ["it's"]],
  ['escapes of characters that need none', "'\\q\\%\\_\\\"'", ['q%_"']],
  ['a hexadecimal value', "0x4142C3A4,x'43',X'44'", ['ABä', 'C', 'D']],
  ['an empty hexadecimal value', "0x,x''", ['', '']],
  ['bits', "b'101',b''", [5, 0]],
  ['a prefix', "_binary 'a\\0b',_utf8mb4'c',N'd',_binary 0x41", ['a\0b', 'c', 'd', 'A']],
  ['double quotes', '"a""b\'c"', ['a"b\'c']],
  ['numbers', '-1,+2,1e3,-2.5E-3,.5,007', [-1, 2, 1000, -0.0025, 0.5, 7]],
  ['words', 'NULL,null,TRUE,false,DEFAULT', [null, null, true, false, null]],
  ['expressions, whose values are not known', "(1+2),NOW(),CONCAT('a',','),-(1)", [null, null, null, null]],
  ['comments between values', "1 /* ) */,-- ;\n2,# '\n3", [1, 2, 3]],
])('reads %s', async (_name, written, expected) => {
  const columns = expected.map((_value, n) => `c${n}`).join(',');
  const text = `INSERT INTO core_drink (${columns}) VALUES (${written}) , (${written});\n`;
  const { values } = await read(text);
  expect(values.map((row) => Object.values(row))).toEqual([expected, expected]);
});

test.each<[string, string]>([
  ['a table of a database', 'INSERT INTO `bar`.`core_drink` (`id`) VALUES (1);'],
  ['unquoted names', 'insert into bar.core_drink (id) values (1);'],
  ['other words', 'INSERT LOW_PRIORITY IGNORE INTO core_drink(id)VALUES(1);'],
  ['REPLACE', 'REPLACE INTO core_drink (ID) VALUE (1);'],
  [
    'more behind the rows',
    'INSERT INTO core_drink (id) VALUES (1) ON DUPLICATE KEY UPDATE id = VALUES (id);',
  ],
  [
    'a table without columns in the statement',
    'CREATE TABLE core_drink (id int, KEY (id));INSERT INTO core_drink VALUES (1);',
  ],
  [
    'columns whose names are words',
    "CREATE TABLE IF NOT EXISTS `core_drink` (`id` enum('a',')') COMMENT 'x, key (', CONSTRAINT `key` CHECK (id in (1,2)), UNIQUE KEY `b` (`id`));\nINSERT INTO core_drink VALUES (1);",
  ],
  [
    'programs of the database',
    'DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN\n INSERT INTO core_drink (id) VALUES (NEW.id);\nEND ;;\nDELIMITER ;\nINSERT INTO core_drink (id) VALUES (1);',
  ],
  ['rows from a query', 'INSERT INTO core_drink SELECT * FROM x;INSERT INTO core_drink (id) VALUES (1);'],
  [
    'views and users',
    "CREATE VIEW v AS SELECT 1;CREATE USER x@y IDENTIFIED BY ';';GRANT ALL ON a TO b;INSERT INTO core_drink (id) VALUES (1);",
  ],
  ['no end of the last line', 'INSERT INTO core_drink (id) VALUES (1);-- end'],
])('finds the rows with %s', async (_name, text) => {
  expect((await read(text)).values).toEqual([{ id: 1 }]);
});

test('a backslash is itself in a dump of PostgreSQL with INSERT', async () => {
  const text = `--\n-- PostgreSQL database dump\n--\nCREATE TABLE public.core_drink (\n    id integer NOT NULL,\n    shout text,\n    price numeric(10,2)\n);\nINSERT INTO public.core_drink VALUES (1, 'a\\', 2.50);\n--\n-- PostgreSQL database dump complete\n--\n`;
  expect((await read(text)).values).toEqual([{ id: 1, shout: 'a\\', price: 2.5 }]);
});

test('texts in another character set, and texts that are not as announced', async () => {
  const insert = (name: Buffer) =>
    Buffer.concat([Buffer.from("INSERT INTO core_drink (shout) VALUES ('"), name, Buffer.from("');")]);
  const latin = insert(Buffer.from('Ä€', 'latin1'));
  const announced = await read(Buffer.concat([Buffer.from('/*!40101 SET NAMES latin1 */;'), latin]));
  expect(announced).toMatchObject({ notes: [], values: [{ shout: 'Ä¬' }] });
  const other = await read(
    Buffer.concat([Buffer.from('SET NAMES utf8;'), insert(Buffer.from([0xc4, 0x80, 0x41, 0xe4]))]),
  );
  expect(other.notes).toHaveLength(1);
  expect((await read(insert(Buffer.from('Ä🍺')))).values).toEqual([{ shout: 'Ä🍺' }]);
});

test('a statement of any length is read in parts, and a value of more than 4 MiB is refused', async () => {
  const row = `(${Array.from({ length: 3 }, () => mysqlValue('x'.repeat(300))).join(',')})`;
  const count = 20_000;
  const bytes = Buffer.from(
    `INSERT INTO core_drink (a,b,c) VALUES ${Array.from({ length: count }, () => row).join(',')};`,
  );
  const dump = openSqlDump('old.sql', async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  });
  let total = 0;
  for await (const part of dump.rows(new Set(['core_drink']))) {
    expect(part.length).toBeLessThan(200);
    total += part.length;
  }
  expect(total).toBe(count);
  const long = `INSERT INTO core_stats VALUES ('${'x'.repeat(5 * 1024 * 1024)}`;
  await expect(read(long, { cuts: [100, 4_500_000] })).rejects.toThrow(/more than 4 MiB/);
  await expect(read(`INSERT INTO core_drink (${'a,'.repeat(5_000)}`)).rejects.toThrow(
    /statement that no dump has/,
  );
  await expect(read(`CREATE TABLE core_drink (${'a int,'.repeat(2_000)}`)).rejects.toThrow(
    /more than 1000 columns/,
  );
});

test.each(['mariadb-dump.sql', 'mariadb-dump-options.sql', 'mysqldump.sql'])('reads %s', async (name) => {
  const tables = ['core_user', 'core_drink', 'core_keg'];
  const { rows, values, notes } = await read(recorded(name), { tables });
  expect(notes).toEqual([]);
  expect(rows.map(({ table, values: row }) => `${table} ${String(row.id)}`).sort()).toEqual([
    ...['core_drink 1', 'core_drink 2', 'core_drink 3', 'core_keg 1', 'core_user 1', 'core_user 2'],
  ]);
  expect(values.find(({ username }) => username === 'anna')).toMatchObject({
    display_name: 'Anna O\'Hara \\ "Änne" 🍺',
    is_staff: 1,
    activation_key: null,
  });
  expect(values.find(({ id, ticks }) => id === 2 && ticks !== undefined)).toMatchObject({
    volume_ml: 100.666666666,
    time: '2014-05-05 18:20:00.500000',
    shout: 'It\'s \\ "good"\n(very); INSERT INTO core_drink VALUES (1)',
  });
});

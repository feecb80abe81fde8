import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCharsetFinder } from '../../../../src/core/files/charset.ts';
import { type FileDelimiter, fileDelimiters, findSepLine } from '../../../../src/core/files/separator.ts';
import {
  chunksOf,
  maxRowCells,
  readTable,
  TableFault,
  type TableRow,
} from '../../../../src/engine/shared/files/read-table.ts';
import { propertyRuns } from '../../../kit/slow.ts';

/** Reads a file as both imports do; the separator is known, the character set is found. */
async function read(
  bytes: Uint8Array,
  delimiter: FileDelimiter,
  chunkBytes = 4_096,
): Promise<{ readonly rows: readonly TableRow[]; readonly charset: string }> {
  const finder = createCharsetFinder();
  finder.add(bytes);
  const charset = finder.found();
  const named = findSepLine(new TextDecoder().decode(bytes.subarray(0, 16)))?.delimiter ?? delimiter;
  const rows: TableRow[] = [];
  for await (const row of readTable({ chunks: chunksOf(bytes, chunkBytes), charset, delimiter: named }))
    rows.push(row);
  return { rows, charset };
}

const lineEnds = fc.constantFrom('\r\n', '\n', '\r');
const delimiters = fc.constantFrom(...fileDelimiters);
/** Characters that mean something to a reader, letters of Windows-1252 and others. */
const cells = fc.string({
  unit: fc.constantFrom('a', 'ö', '€', ' ', '"', "'", ',', ';', '\t', '|', '\n', '\r', '\r\n', '.', '7'),
  maxLength: 8,
});
const tables = fc
  .array(fc.array(cells, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 })
  .filter((rows) => rows.every((row) => row.some((cell) => cell !== '')));

const dialects = fc.record({
  delimiter: delimiters,
  charset: fc.constantFrom('utf-8', 'windows-1252'),
  hasMark: fc.boolean(),
  hasSepLine: fc.boolean(),
  quotesAll: fc.boolean(),
  hasLastEnd: fc.boolean(),
  chunkBytes: fc.constantFrom(64, 4_096),
});
type Dialect = typeof dialects extends fc.Arbitrary<infer T> ? T : never;

const windows1252: Readonly<Record<string, number>> = { ö: 0xf6, '€': 0x80 };

/** Writes a table; `ends` are the line ends, row by row. */
function write(rows: readonly (readonly string[])[], dialect: Dialect, ends: readonly string[]): Uint8Array {
  const { delimiter, quotesAll, charset } = dialect;
  const quote = (cell: string) =>
    quotesAll || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const end = (i: number) => ends[i % ends.length]!;
  const body = rows
    .map((row, i) => {
      const isLast = i === rows.length - 1 && !dialect.hasLastEnd;
      return row.map(quote).join(delimiter) + (isLast ? '' : end(i));
    })
    .join('');
  const text = (dialect.hasSepLine ? `sep=${delimiter}${end(rows.length)}` : '') + body;
  if (charset === 'utf-8') return Buffer.from((dialect.hasMark ? '\uFEFF' : '') + text);
  return Uint8Array.from([...text], (sign) => windows1252[sign] ?? sign.charCodeAt(0));
}

const countBreaks = (row: readonly string[]): number =>
  row.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

test('a table that is written in any dialect is read back, with the number of each line', async () => {
  await fc.assert(
    fc.asyncProperty(
      tables,
      dialects,
      fc.array(lineEnds, { minLength: 1, maxLength: 9 }),
      async (table, dialect, ends) => {
        const bytes = write(table, dialect, ends);
        const { rows } = await read(bytes, dialect.delimiter, dialect.chunkBytes);
        expect(rows.map((row) => row.cells)).toEqual(table);
        let line = dialect.hasSepLine ? 2 : 1;
        for (const [i, row] of table.entries()) {
          expect(rows[i]!.line).toBe(line);
          line += 1 + countBreaks(row);
        }
      },
    ),
    { numRuns: propertyRuns(1_500) },
  );
});

test('line ends and empty lines at any place change nothing', async () => {
  const ends = fc.array(fc.constantFrom('\r\n', '\n', '\r', '\n\n', '\r\n\r\n', '\n\r\n', '\r\r'), {
    minLength: 1,
    maxLength: 9,
  });
  await fc.assert(
    fc.asyncProperty(tables, dialects, ends, ends, async (table, dialect, some, others) => {
      const plain = { ...dialect, hasSepLine: false };
      const [one, other] = await Promise.all(
        [some, others].map((chosen) => read(write(table, plain, chosen), dialect.delimiter)),
      );
      expect(one!.rows.map((row) => row.cells)).toEqual(table);
      expect(other!.rows.map((row) => row.cells)).toEqual(table);
    }),
    { numRuns: propertyRuns(800) },
  );
});

test('no row is lost without a fault that names a line, wherever signs are put in and taken away', async () => {
  const row = fc.stringMatching(/^[a-c]{1,3},[0-9]{1,3}$/);
  const edit = fc.record({
    at: fc.nat(200),
    isPut: fc.boolean(),
    sign: fc.constantFrom('"', '""', ',', 'x'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(edit, { maxLength: 3 }),
      fc.array(lineEnds, { minLength: 1, maxLength: 5 }),
      async (rows, edits, ends) => {
        let text = rows.map((one, i) => one + ends[i % ends.length]!).join('');
        for (const { at, isPut, sign } of edits) {
          const place = at % text.length;
          const isBreak = /[\r\n]/.test(text[place]!);
          text = text.slice(0, place) + (isPut ? sign : '') + text.slice(place + (isPut || isBreak ? 0 : 1));
        }
        const written = text.split(/\r\n|\n|\r/).filter((line) => !/^("")?$/.test(line)).length;
        try {
          const { rows: found } = await read(Buffer.from(text), ',');
          const isFaulty = found.some(({ cells: of }) => of === null);
          // Rows within a cell that is quoted from its beginning to its end are its text.
          const inside = found.reduce((sum, { cells: of }) => sum + countBreaks(of ?? []), 0);
          if (!isFaulty) expect(found.length + inside).toBeGreaterThanOrEqual(written);
          for (const { line } of found) expect(line).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length);
        } catch (fault) {
          expect(fault).toBeInstanceOf(TableFault);
          expect((fault as TableFault).line).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: propertyRuns(1_500) },
  );
});

describe('bounds', () => {
  test('a row of too many cells is a fault of its line, and rows behind it are read', async () => {
    const { rows } = await read(Buffer.from(`a,b\n${','.repeat(maxRowCells)}\nc,d\n`), ',');
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: null, fault: 'cells' },
      { line: 3, cells: ['c', 'd'] },
    ]);
  });

  test.each([
    ['text', 'x'.repeat(70_000), 'row_too_long'],
    ['empty cells', ','.repeat(200_000), 'row_too_long'],
    ['lines in a quoted cell', `"${'x\n'.repeat(50_000)}"`, 'row_too_long'],
    ['a quotation mark that is not closed', '"x,1\ny,2\ny,3\n', 'quotation_open'],
  ])('a row of %s ends the file with its line', async (_name, text, code) => {
    await expect(read(Buffer.from(`a,b\r\nc,d\n${text}`), ',')).rejects.toMatchObject({ code, line: 3 });
  });

  test.each(['\n', '\r', '\r\n', 'sep=,', '\uFEFF', '', '\u0000', '"', '""'])('%j is read', async (text) => {
    await read(Buffer.from(text), ',').catch((fault: unknown) => expect(fault).toBeInstanceOf(TableFault));
  });
});

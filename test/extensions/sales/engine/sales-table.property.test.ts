import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { csvLine, standardCsv } from '../../../../src/core/text/csv.ts';
import { readSales } from '../../../../src/extensions/sales/engine/imports/read-sales.ts';
import { readSalesTable } from '../../../../src/extensions/sales/engine/imports/sales-table.ts';
import { isZip, unzip } from '../../../../src/extensions/sales/engine/imports/unzip.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { formatOf, genericFormat, pause, sample } from './sales-bar.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const charset = fc.constantFrom('utf-8', 'iso-8859-1', 'windows-1252' as const);
const delimiter = fc.constantFrom(',', ';', '\t', '|' as const);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', 'a', 'ä', '\u0000', ' '), maxLength: 200 })
    .map((text) => Buffer.from(text)),
);

describe('any bytes', () => {
  test('are read without an error but a named one', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        charset,
        delimiter,
        fc.constantFrom('generic', 'square', 'dsfinvk' as const),
        async (main, set, sign, preset) => {
          const head = Buffer.from(
            preset === 'generic' ? 'date;time;item_name;quantity\n'.replaceAll(';', sign) : '',
          );
          const format = formatOf(preset as 'generic', { charset: set as 'utf-8', delimiter: sign as ',' });
          const files = { main: Buffer.concat([head, main]), transactions: Buffer.from(main) };
          try {
            for (const row of await collect(readSales(files, { format, minorDigits: 2, pause, nowMs: null })))
              expect(['head', 'line', 'skipped', 'bad']).toContain(row.kind);
          } catch (fault) {
            expect(fault).toBeInstanceOf(AppError);
          }
        },
      ),
      { numRuns: propertyRuns(800) },
    );
  });

  test('that pretend to be an archive are unpacked without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (tail) => {
        const start = Buffer.from([0x50, 0x4b, 3, 4]);
        const end = Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6]), Buffer.from(tail)]);
        const archive = Buffer.concat([start, Buffer.from(tail), end, Buffer.alloc(18)]);
        expect(isZip(archive)).toBe(true);
        expect((await unzip(archive, ['lines.csv'], 1_000)).size).toBeLessThan(2);
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

test('cells come back as they were written, with the number of their line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.stringMatching(/^[a-z"',;\n äß]{1,12}$/), { minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (rows) => {
        const written = rows.map((cells) => cells.map((cell) => `x${cell}x`));
        const text = written.map((cells) => csvLine(cells, standardCsv)).join('');
        const read = await collect(
          readSalesTable(Buffer.from(text), { delimiter: ',', charset: 'utf-8' }, pause),
        );
        expect(read.map(({ cells }) => cells)).toEqual(written);
        let line = 1;
        for (const [i, cells] of written.entries()) {
          expect(read[i]!.line).toBe(line);
          line += 1 + cells.join('').split('\n').length - 1;
        }
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

describe('bounds', () => {
  const read = (main: Buffer) =>
    collect(readSales({ main }, { format: genericFormat, minorDigits: 2, pause, nowMs: null }));

  test('a file of more than 20 MiB, a row of more than 64 KiB and UTF-16 are refused by the field', async () => {
    for (const main of [
      Buffer.alloc(20 * 1024 * 1024 + 1),
      Buffer.from(`date;item_name;quantity\n${';'.repeat(70_000)}`),
      Buffer.from('\ufeffdate', 'utf16le'),
    ])
      await expect(read(main)).rejects.toMatchObject({
        code: 'invalid_request',
        fields: { file: expect.any(String) },
      });
  });

  test('a cell that is too long, too many cells and a wrong character set make a bad row', async () => {
    const head = 'date;time;item_name;quantity\n';
    const rows = [
      `01.05.2026;20:00;${'x'.repeat(129)};1`,
      `01.05.2026;20:00;Lager;1${';'.repeat(200)}`,
      '01.05.2026;20:00;K\xf6lsch;1',
      '01.05.2026;20:00',
      // Valid UTF-8, so that the row before has a wrong byte in it.
      '01.05.2026;20:00;M\xc3\xa4rz\xc3\xa9n',
    ];
    const found = await read(Buffer.from(head + rows.join('\n'), 'latin1'));
    expect(found.slice(1)).toEqual([
      { kind: 'bad', row: 2, fault: 'too_long' },
      { kind: 'bad', row: 3, fault: 'cells' },
      { kind: 'bad', row: 4, fault: 'charset' },
      { kind: 'bad', row: 5, fault: 'cells' },
      { kind: 'bad', row: 6, fault: 'cells' },
    ]);
  });

  test('a file that is not UTF-8 is read as Windows-1252, and one that is UTF-8 as that, whatever was chosen', async () => {
    const text = 'date;time;item_name;quantity\n01.05.2026;20:00;Kölsch;1\n';
    for (const charset of ['utf-8', 'windows-1252', 'iso-8859-1'] as const)
      for (const encoding of ['utf8', 'latin1'] as const) {
        const format = { ...genericFormat, charset };
        const rows = await collect(
          readSales({ main: Buffer.from(text, encoding) }, { format, minorDigits: 2, pause, nowMs: null }),
        );
        expect(rows[1]).toMatchObject({ kind: 'line', line: { itemName: 'Kölsch' } });
      }
  });

  const head = 'date;time;item_name;quantity\n';
  const row = '01.05.2026;20:00;Lager;1\n';

  test('a quotation mark that is never closed refuses the file and names the line', async () => {
    const main = Buffer.from(`${head}${row}\n\n01.05.2026;20:00;"Bock;3\n\n${row.repeat(3)}`);
    await expect(read(main)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { file: 'The quotation mark in line 5 is not closed.' },
      problem: { code: 'sales_quotation_open', params: { line: 5 } },
    });
  });

  test('a cell of more than 64 KiB is refused whatever it holds, before it is read to its end', async () => {
    for (const content of ['\n'.repeat(20_000_000), row.repeat(3_000)]) {
      const main = Buffer.from(`${head}${row}01.05.2026;20:00;"${content}";1\n`);
      let pauses = 0;
      const pausing = async () => void pauses++;
      const rows = collect(
        readSales({ main }, { format: genericFormat, minorDigits: 2, pause: pausing, nowMs: null }),
      );
      await expect(rows).rejects.toMatchObject({
        code: 'invalid_request',
        fields: { file: expect.stringContaining('line 3') },
      });
      expect(pauses).toBeLessThan(100);
    }
  });

  test('rows that two stray quotation marks join are a bad row, not a product', async () => {
    const open = '01.05.2026;20:00;"Bock;3\n';
    const joined = await read(Buffer.from(head + open + row + open + row));
    expect(joined.slice(1)).toMatchObject([
      { kind: 'bad', row: 2, fault: 'quotes' },
      { kind: 'line', row: 5 },
    ]);
    const closed = await read(Buffer.from(`${head}01.05.2026;20:00;"Bock\n${row}";3\n${row}`));
    expect(closed.slice(1)).toMatchObject([
      { kind: 'bad', row: 2, fault: 'quotes' },
      { kind: 'line', row: 5 },
    ]);
  });
});

test('no row is lost without a bad row or a refusal, wherever quotation marks stand', async () => {
  const head = 'item_name;date;time;quantity\n';
  const name = fc.stringMatching(/^"?[a-c]"?$/);
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 8 }), async (names) => {
      const main = Buffer.from(head + names.map((one) => `${one};01.05.2026;20:00;1\n`).join(''));
      const found = await collect(
        readSales({ main }, { format: genericFormat, minorDigits: 2, pause, nowMs: null }),
      ).catch((fault: unknown) => {
        expect(fault).toMatchObject({ fields: { file: expect.stringMatching(/line \d+ is not closed\.$/) } });
        return null;
      });
      if (found === null) return;
      const kinds = found.slice(1).map(({ kind }) => kind);
      expect(kinds.includes('bad') || kinds.length === names.length).toBe(true);
    }),
    { numRuns: propertyRuns(400) },
  );
});

test('the archive of a DSFinV-K export is read like its files', async () => {
  const { deflateRawSync } = await import('node:zlib');
  const entries = ['lines.csv', 'transactions.csv'].map((name) => ({
    name,
    content: sample(`dsfinvk-${name}`),
  }));
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const path = Buffer.from(`export/${name}`);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(path.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(path.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, path, packed);
    directory.push(entry, path);
    offset += local.length + path.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  const main = Buffer.concat([...locals, ...directory, end]);
  const options = { format: formatOf('dsfinvk'), minorDigits: 2, pause, nowMs: null };
  const [lines, transactions] = entries.map(({ content }) => content);
  expect(await collect(readSales({ main }, options))).toEqual(
    await collect(readSales({ main: lines!, transactions: transactions! }, options)),
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { guessFormat } from '../../../../src/extensions/sales/core/guess-format.ts';
import type { SalesFormat, SalesPreset } from '../../../../src/extensions/sales/core/sales-format.ts';
import type { ReadRow } from '../../../../src/extensions/sales/engine/imports/read-sales.ts';
import { readSales } from '../../../../src/extensions/sales/engine/imports/read-sales.ts';
import { formatOf, pause } from './sales-bar.ts';

const folder = new URL('samples/real/', import.meta.url);
const fileOf = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`${name}.csv`, folder)));

/** What the page fills in for a file of a kind of till. */
function prefilled(name: string, preset: SalesPreset, asked: Partial<SalesFormat> = {}): SalesFormat {
  const base = formatOf(preset, { timeZone: 'America/New_York' });
  const { delimiter, decimalSign, dateOrder, columns } = guessFormat(
    fileOf(name).toString('utf8'),
    base.columns,
  );
  return {
    ...base,
    delimiter: delimiter ?? base.delimiter,
    decimalSign: decimalSign ?? base.decimalSign,
    dateOrder: dateOrder === 'ask' || dateOrder === null ? base.dateOrder : dateOrder,
    columns,
    ...asked,
  };
}

async function read(name: string, format: SalesFormat): Promise<readonly ReadRow[]> {
  const rows: ReadRow[] = [];
  const nowMs = Date.UTC(2026, 10, 28);
  for await (const row of readSales({ main: fileOf(name) }, { format, minorDigits: 2, pause, nowMs }))
    rows.push(row);
  return rows;
}

const toText = (row: ReadRow): string => {
  if (row.kind === 'head') return `${row.row} head`;
  if (row.kind === 'bad') return `${row.row} ${row.fault}`;
  if (row.kind === 'skipped') return `${row.row} skipped`;
  const { quantity, itemName, writtenTime, timeMs, netMinor } = row.line;
  const time = writtenTime.endsWith('Z') ? new Date(timeMs).toISOString() : writtenTime;
  return `${row.row} ${quantity} ${itemName} ${time} ${netMinor}`;
};

const german = { timeZone: 'Europe/Berlin', dateOrder: 'dmy' as const };

test.each<[string, SalesPreset, Partial<SalesFormat>, readonly string[]]>([
  [
    'mix_crlf_head',
    'generic',
    german,
    ['1 head', '2 2 Helles 2026-05-02T18:04:00 900', '3 1 Dunkel 2026-05-02T18:05:00 400'],
  ],
  [
    'mix_one_lf_row',
    'generic',
    german,
    [
      '1 head',
      '2 2 Helles 2026-05-02T18:04:00 900',
      '3 1 Dunkel 2026-05-02T18:05:00 400',
      '4 2 Helles 2026-05-02T18:04:00 900',
    ],
  ],
  ['sq_sep', 'square', {}, ['2 head', '3 1 Pale Ale "Hazy" 2026-05-02T18:04:11 800']],
  ['ampm_nnbsp', 'generic', { dateOrder: 'mdy' }, ['1 head', '2 1 Pale Ale 2026-05-02T18:04:11 800']],
  ['clover_date', 'generic', {}, ['1 head', '2 1 Pale Ale 2026-05-02T18:04:00 800']],
  ['sumup', 'generic', {}, ['1 head', '2 1 Pale Ale 2026-05-02T18:04:00 800']],
  ['de_uhr', 'generic', german, ['1 head', '2 2 Helles 2026-05-02T18:04:00 900']],
  ['lightspeed_iso_tz', 'generic', {}, ['1 head', '2 1 Pale Ale 2026-05-02T16:04:11.000Z 800']],
  [
    'de_title_rows',
    'generic',
    german,
    ['1 skipped', '2 skipped', '4 head', '5 2 Helles 2026-05-02T18:04:00 900'],
  ],
  ['toast_utf8_name', 'toast', {}, ['1 head', '2 1 Kölsch Krug 2026-05-02T18:04:00 800']],
  ['sq_usdate', 'square', { dateOrder: 'mdy' }, ['1 head', '2 1 Pale Ale "Hazy" 2026-05-02T18:04:11 800']],
])('%s is read as a person reads it, with what the page fills in', async (name, preset, asked, expected) => {
  expect((await read(name, prefilled(name, preset, asked))).map(toText)).toEqual(expected);
});

test('a date with a year of two digits asks for the order, and is not read with the year first', async () => {
  const { dateOrder } = guessFormat(fileOf('sq_usdate').toString('utf8'), formatOf('square').columns);
  expect(dateOrder).toBe('ask');
  const rows = await read('sq_usdate', formatOf('square'));
  expect(rows.map(toText)).toEqual(['1 head', '2 date_order']);
});

test('every file has a test', () => {
  const text = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const names = readdirSync(fileURLToPath(folder)).map((name) => name.replace('.csv', ''));
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  expect(names.length).toBeGreaterThan(10);
});

async function readText(text: string, asked: Partial<SalesFormat> = {}): Promise<readonly string[]> {
  const format = formatOf('generic', asked);
  const rows: ReadRow[] = [];
  const nowMs = Date.UTC(2026, 10, 28);
  for await (const row of readSales({ main: Buffer.from(text) }, { format, minorDigits: 2, pause, nowMs }))
    rows.push(row);
  return rows.map(toText);
}

test('a time before 2000 or in the future makes a bad row, so that it takes no line of others away', async () => {
  const text =
    'date,item_name,quantity\n1970-01-01 00:00:10,Lager,1\n2026-12-24 18:00,Lager,1\n2026-11-27 18:00,Lager,1\n';
  expect(await readText(text)).toEqual([
    '1 head',
    '2 implausible_time',
    '3 implausible_time',
    '4 1 Lager 2026-11-27T18:00:00 null',
  ]);
});

test('full rows above the head are shown, and a head that is repeated is no line', async () => {
  const head = 'date,item_name,quantity\n';
  const row = '2026-05-02 18:00,Lager,1\n';
  expect(await readText(row + head + row + head + row)).toEqual([
    '1 above_head',
    '2 head',
    '3 1 Lager 2026-05-02T18:00:00 null',
    '4 skipped',
    '5 1 Lager 2026-05-02T18:00:00 null',
  ]);
});

test('the separator that the file names counts before the chosen one', async () => {
  const text = 'sep=|\r\ndate|item_name|quantity\n2026-05-02 18:00|Lager|1\r';
  expect(await readText(text)).toEqual(['2 head', '3 1 Lager 2026-05-02T18:00:00 null']);
});

test('a workbook is refused with what to do', async () => {
  await expect(readText('PK\u0003\u0004…')).rejects.toMatchObject({
    fields: { file: expect.stringMatching(/\.xlsx.*as CSV/) },
    problem: { code: 'sales_file_workbook' },
  });
});

test('a file without any row that can be a head has no line, and its rows are bad', async () => {
  expect(await readText('"a"b,c\n"d"e,f\n')).toEqual(['1 quotes', '2 quotes']);
});

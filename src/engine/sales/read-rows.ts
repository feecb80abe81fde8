import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, type Info, parse } from 'csv-parse';
import { createProblem } from '../../core/rules/problems.ts';
import type { SalesFormat } from '../../core/sales/sales-format.ts';
import { fileError } from './sales-bounds.ts';

/** Lets other work of the process be done. */
export type Pause = () => Promise<void>;

/** Bounds of a file: a till of a busy bar writes some 2 000 lines of 200 bytes a day. */
export const maxSalesFileBytes = 20 * 1024 * 1024;
export const maxSalesRows = 200_000;
export const maxSalesColumns = 200;

/** A longer row is of another kind of file, and its cells would fill the memory. */
const maxRowCharacters = 65_536;

/** Bytes parsed at once: some milliseconds on a Pi. */
const chunkBytes = 4_096;

/** A row with the number of its first line; null instead of cells where a quote is wrong. */
export interface TextRow {
  readonly line: number;
  readonly cells: readonly string[] | null;
}

/**
 * Reads the rows of a file, the head included, for any bytes. Pauses every few milliseconds. Throws `invalid_request` for a row that
 * is too long, as all rows after a quotation mark that is never closed would be one cell.
 */
export async function* readRows(
  bytes: Uint8Array,
  { delimiter, charset }: Pick<SalesFormat, 'delimiter' | 'charset'>,
  pause: Pause,
): AsyncGenerator<TextRow> {
  const broken: number[] = [];
  /** The end of the last row that was read, to find where the next one begins. */
  let [lastLine, emptyLines] = [0, 0];
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: maxRowCharacters,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (record: string[], info) => {
      [lastLine, emptyLines] = [info.lines, info.empty_lines];
      return record;
    },
    on_skip: (fault: CsvError | undefined) => {
      const line = lastLine + 1 + Number(fault?.empty_lines ?? 0) - emptyLines;
      if (fault?.code === 'CSV_MAX_RECORD_SIZE')
        throw fileError(createProblem('sales_row_too_long', { line, most: maxRowCharacters }));
      if (fault?.code === 'CSV_QUOTE_NOT_CLOSED')
        throw fileError(createProblem('sales_quotation_open', { line }));
      broken.push(Number(fault?.lines) || 0);
    },
  });
  const fed = pipeline(Readable.from(decode(bytes, charset, pause)), parser).catch(() => {});
  try {
    let isFirst = true;
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      // Excel writes this line before the head.
      if (isFirst && /^sep=/i.test(record[0] ?? '')) {
        isFirst = false;
        continue;
      }
      isFirst = false;
      const breaks = record.reduce((sum, cell) => sum + countBreaks(cell), 0);
      const isJoined = breaks > 0 && record.some(isJoinedCell);
      yield { line: Math.max(1, info.lines - breaks), cells: isJoined ? null : record };
    }
    for (const line of broken) yield { line: Math.max(1, line), cells: null };
  } finally {
    parser.destroy();
    await fed;
  }
}

/** Rows between two quotation marks without their pair: the parser keeps the first mark in the cell. */
const isJoinedCell = (cell: string): boolean => cell.startsWith('"') && countBreaks(cell) > 0;

function countBreaks(cell: string): number {
  let breaks = 0;
  for (let i = 0; i < cell.length; i++) {
    const isBreak = cell[i] === '\n' || (cell[i] === '\r' && cell[i + 1] !== '\n');
    if (isBreak) breaks += 1;
  }
  return breaks;
}

/** Bytes that the character set does not have become U+FFFD, which makes their row a bad one. */
async function* decode(
  bytes: Uint8Array,
  charset: SalesFormat['charset'],
  pause: Pause,
): AsyncGenerator<string> {
  const decoder = charset === 'iso-8859-1' ? null : new TextDecoder(charset, { ignoreBOM: true });
  let rowCharacters = 0;
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    const text = decoder?.decode(chunk, { stream: true }) ?? Buffer.from(chunk).toString('latin1');
    const lastBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    rowCharacters = lastBreak < 0 ? rowCharacters + text.length : text.length - lastBreak;
    if (rowCharacters > maxRowCharacters)
      throw fileError(createProblem('sales_rows_too_long', { most: maxRowCharacters }));
    if (text !== '') yield text;
    await pause();
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';
import type { FileCharset } from '../../../core/files/charset.ts';
import { findSepLine } from '../../../core/files/separator.ts';

/** Lets other work of the process be done. */
export type Pause = () => Promise<void>;

/** A longer row is of another kind of file, and its cells would fill the memory. */
export const maxRowCharacters = 65_536;
/** Cells of a row. */
export const maxRowCells = 200;

/** A row with the number of its first line; without cells where a quotation mark is wrong, or there are too many cells. */
export type TableRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly cells: null; readonly fault: 'quotes' | 'cells' };

/** Why a file is no table from a line on. */
export class TableFault extends Error {
  readonly code: 'row_too_long' | 'quotation_open';
  readonly line: number;

  constructor(code: TableFault['code'], line: number) {
    super(`${code} in line ${line}`);
    this.name = 'TableFault';
    this.code = code;
    this.line = line;
  }
}

export interface TableSource {
  /** The bytes from the beginning; the first chunk has the line `sep=;`, if there is one. */
  readonly chunks: Iterable<Uint8Array>;
  readonly charset: FileCharset;
  /** The sign between the cells. */
  readonly delimiter: string;
  /** Called after each chunk. */
  readonly pause?: Pause;
}

/**
 * Reads the rows of a CSV file one by one, for any bytes and any mixture of line ends. The head is a row like others; empty lines and the line
 * `sep=;` are none. Throws `TableFault` for a row that is too long and for a quotation mark that is never closed, since all rows behind it
 * would be one cell.
 */
export async function* readTable(source: TableSource): AsyncGenerator<TableRow> {
  const { delimiter } = source;
  const start = { skippedLines: 0 };
  let lines = 0;
  let fault: TableFault | null = null;
  const toRow = ({
    record,
    raw,
  }: {
    readonly record: readonly string[];
    readonly raw: string;
  }): TableRow | null => {
    const line = start.skippedLines + lines + 1;
    lines += 1 + record.reduce((sum, cell) => sum + countBreaks(cell), 0);
    if (record.length === 1 && record[0] === '') return null;
    if (record.length > maxRowCells) return { line, cells: null, fault: 'cells' };
    const isWrong = record.some((cell) => cell.startsWith('"') && !isQuoted(cell, raw, delimiter));
    return isWrong ? { line, cells: null, fault: 'quotes' } : { line, cells: record };
  };
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRowCharacters,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    // The types of the library do not know records with their text.
    on_record: toRow as unknown as (record: string[]) => string[] | null,
    on_skip: (error: CsvError | undefined) => {
      const code = error?.code === 'CSV_QUOTE_NOT_CLOSED' ? 'quotation_open' : 'row_too_long';
      fault ??= new TableFault(code, start.skippedLines + lines + 1);
      throw fault;
    },
  });
  const fed = pipeline(Readable.from(decode(source, start)), parser).catch((cause: unknown) => {
    if (cause instanceof TableFault) fault ??= cause;
  });
  try {
    for await (const row of parser as AsyncIterable<TableRow>) yield row;
  } catch (cause) {
    throw fault ?? cause;
  } finally {
    parser.destroy();
    await fed;
  }
  if (fault !== null) throw fault;
}

/**
 * Whether a cell that begins with a quotation mark was written with one inside its quotes. The parser also keeps the first mark in a cell in
 * which text follows the second one: rows between two marks without their pair become one cell in that way.
 */
function isQuoted(cell: string, raw: string, delimiter: string): boolean {
  const written = `"${cell.replaceAll('"', '""')}"`;
  for (let at = raw.indexOf(written); at >= 0; at = raw.indexOf(written, at + 1)) {
    const [before, after] = [raw.slice(0, at), raw.slice(at + written.length)];
    if ((before === '' || before.endsWith(delimiter)) && (after === '' || /^[\r\n]/.test(after))) return true;
    if ((before === '' || before.endsWith(delimiter)) && after.startsWith(delimiter)) return true;
  }
  return false;
}

function countBreaks(cell: string): number {
  let breaks = 0;
  for (let i = 0; i < cell.length; i++) {
    const isBreak = cell[i] === '\n' || (cell[i] === '\r' && cell[i + 1] !== '\n');
    if (isBreak) breaks += 1;
  }
  return breaks;
}

/** Bytes that the character set does not have become U+FFFD. */
async function* decode(
  { chunks, charset, pause }: TableSource,
  start: { skippedLines: number },
): AsyncGenerator<string> {
  const decoder = charset === 'iso-8859-1' ? null : new TextDecoder(charset, { ignoreBOM: true });
  let isFirst = true;
  let lines = 0;
  let rowCharacters = 0;
  for (const chunk of chunks) {
    let text = decoder?.decode(chunk, { stream: true }) ?? Buffer.from(chunk).toString('latin1');
    if (isFirst) {
      const sep = findSepLine(text);
      if (sep !== null) {
        start.skippedLines = 1;
        text = text.slice(sep.length);
      }
      isFirst = false;
    }
    const lastBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    rowCharacters = lastBreak < 0 ? rowCharacters + text.length : text.length - lastBreak;
    lines += countBreaks(text);
    // Cells without text do not count for the parser.
    if (rowCharacters > maxRowCharacters)
      throw new TableFault('row_too_long', start.skippedLines + lines + 1);
    if (text !== '') yield text;
    await pause?.();
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

/** The chunks of bytes that are in memory. */
export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

import { fstatSync, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../../core/app-error.ts';

/** Bounds of a file: ten years of a busy bar are a million rows of some 200 bytes. */
const maxFileBytes = 1024 ** 3;
const maxRows = 10_000_000;
const maxRowCharacters = 65_536;
const maxCells = 200;

/** Bytes that are read at once, also to find out which character separates the cells. */
const chunkBytes = 65_536;

/** One row with the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** An opened file. */
export interface CsvSource {
  /** Its name for messages. */
  readonly name: string;
  readonly descriptor: number;
}

/** The character that separates the cells: the most frequent one in the first row, outside quotes. */
export function findDelimiter(source: CsvSource): {
  readonly delimiter: string;
  readonly hasSepLine: boolean;
} {
  const sample = Buffer.alloc(chunkBytes);
  const bytes = readSync(source.descriptor, sample, 0, chunkBytes, 0);
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) {
    throw invalidFile(source, 'is in UTF-16: save it as “CSV UTF-8”');
  }
  const text = sample.toString('utf8', 0, bytes).replace(/^\ufeff/, '');
  // Excel writes and reads this line.
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named !== undefined) return { delimiter: named, hasSepLine: true };
  const first = text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  const unquoted = first.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((character) => ({
    character,
    count: unquoted.split(character).length,
  }));
  const [best] = counts.sort((one, other) => other.count - one.count);
  return { delimiter: best!.character, hasSepLine: false };
}

/** Reads the rows one by one, the header included. Throws `invalid_request` for what is no CSV file in UTF-8. */
export async function* readCsv(
  source: CsvSource,
  { delimiter, hasSepLine }: ReturnType<typeof findDelimiter>,
): AsyncGenerator<CsvRow> {
  if (fstatSync(source.descriptor).size > maxFileBytes) {
    throw invalidFile(source, 'is larger than 1 GiB: split it by years');
  }
  const parser = parse({
    bom: true,
    delimiter,
    from_line: hasSepLine ? 2 : 1,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowCharacters,
  });
  const rows = pipeline(Readable.from(decode(source)), parser, () => {});
  let count = 0;
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      count += 1;
      if (count > maxRows) throw invalidFile(source, `has more than ${maxRows} rows: split it by years`);
      if (record.length > maxCells) throw invalidFile(source, `has a row of more than ${maxCells} cells`);
      const breaks = record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      yield { line: info.lines - breaks, cells: record };
    }
  } catch (fault) {
    throw fault instanceof CsvError ? invalidFile(source, describe(fault)) : fault;
  }
}

/** Reads with the descriptor alone: a stream would close it when reading ends early. */
function* decode(source: CsvSource): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const chunk = Buffer.alloc(chunkBytes);
  try {
    for (let position = 0; ; ) {
      const bytes = readSync(source.descriptor, chunk, 0, chunkBytes, position);
      if (bytes === 0) break;
      position += bytes;
      yield decoder.decode(chunk.subarray(0, bytes), { stream: true });
    }
    yield decoder.decode();
  } catch (fault) {
    if (fault instanceof TypeError) throw invalidFile(source, 'is not in UTF-8: save it as “CSV UTF-8”');
    throw fault;
  }
}

function describe(fault: CsvError): string {
  const line = Number(fault.lines);
  const where = Number.isFinite(line) ? ` near line ${line}` : '';
  switch (fault.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `has a row of more than ${maxRowCharacters} characters${where}; a quote may be missing`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'ends within a quoted cell: a quote is missing';
    default:
      return `has a wrong quote${where}: a cell with quotes is written as "a ""b"" c"`;
  }
}

export const invalidFile = (source: CsvSource, what: string): AppError =>
  new AppError('invalid_request', `${source.name} ${what}.`);

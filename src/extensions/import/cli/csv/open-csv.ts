import { readSync } from 'node:fs';
import type { InputFile } from '../../../../cli/open-input.ts';
import { AppError } from '../../../../core/app-error.ts';
import { createCharsetFinder, type FileCharset, findOtherFile } from '../../../../core/files/charset.ts';
import { findDelimiter, findSepLine } from '../../../../core/files/separator.ts';
import { maxRowCharacters, readTable, TableFault, type TableRow } from '../../../../engine/engine.ts';

/** Bounds of a file: ten years of a busy bar are a million rows of some 200 bytes. */
export const csvBounds = { maxGib: 1, advice: ': split it by years' };
const maxRows = 10_000_000;

/** Bytes that are read at once, also to find out which character separates the cells. */
const chunkBytes = 65_536;

/** A file of which it is known how it is read. */
export interface CsvTable {
  readonly name: string;
  readonly charset: FileCharset;
  readonly delimiter: string;
  /** Reads all rows from the beginning, the head included. Throws `invalid_request` for what is no CSV file. */
  rows(): AsyncGenerator<TableRow>;
}

/** Finds out how a file is read. Throws `invalid_request` for one that is no CSV file. */
export function openCsv(source: InputFile): CsvTable {
  const finder = createCharsetFinder();
  let beginning: Uint8Array = new Uint8Array();
  for (const chunk of readChunks(source)) {
    if (beginning.length === 0) beginning = chunk.slice();
    finder.add(chunk);
  }
  const other = findOtherFile(beginning);
  if (other === 'utf16') throw invalidFile(source, 'is in UTF-16: save it as “CSV UTF-8”');
  if (other === 'workbook') {
    throw invalidFile(
      source,
      'is a workbook such as .xlsx, or an archive: open it in the spreadsheet and save the sheet as “CSV UTF-8”',
    );
  }
  if (other === 'binary') throw invalidFile(source, 'is no text: save the sheet as “CSV UTF-8”');
  const charset = finder.found();
  const text = new TextDecoder(charset).decode(beginning);
  const delimiter = findSepLine(text)?.delimiter ?? findDelimiter(text) ?? ',';
  return {
    name: source.name,
    charset,
    delimiter,
    async *rows() {
      let count = 0;
      try {
        for await (const row of readTable({ chunks: readChunks(source), charset, delimiter })) {
          count += 1;
          if (count > maxRows) throw invalidFile(source, `has more than ${maxRows} rows: split it by years`);
          yield row;
        }
      } catch (fault) {
        throw fault instanceof TableFault ? invalidFile(source, describe(fault)) : fault;
      }
    },
  };
}

/** Reads with the descriptor alone: a stream would close it when reading ends early. */
function* readChunks({ descriptor }: InputFile): Generator<Uint8Array> {
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = 0; ; ) {
    const bytes = readSync(descriptor, chunk, 0, chunkBytes, position);
    if (bytes === 0) return;
    position += bytes;
    yield chunk.subarray(0, bytes);
  }
}

const describe = ({ code, line }: TableFault): string =>
  code === 'quotation_open'
    ? `has a quotation mark in line ${line} that is not closed`
    : `has a row of more than ${maxRowCharacters} characters in line ${line}, or a quotation mark is missing there`;

export const invalidFile = ({ name }: Pick<InputFile, 'name'>, what: string): AppError =>
  new AppError('invalid_request', `${name} ${what}.`);

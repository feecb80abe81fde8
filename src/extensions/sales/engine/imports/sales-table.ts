import { createCharsetFinder, type FileCharset, findOtherFile } from '../../../../core/files/charset.ts';
import { findSepLine } from '../../../../core/files/separator.ts';
import { createProblem } from '../../../../core/health/problems.ts';
import {
  chunksOf,
  maxRowCharacters,
  type Pause,
  readTable,
  TableFault,
  type TableRow,
} from '../../../../engine/shared/files/read-table.ts';
import type { SalesFormat } from '../../core/sales-format.ts';
import { fileError } from '../sales-bounds.ts';

export type { Pause, TableRow } from '../../../../engine/shared/files/read-table.ts';

/** Bounds of a file: a till of a busy bar writes some 2 000 lines of 200 bytes a day. */
export const maxSalesFileBytes = 20 * 1024 * 1024;
export const maxSalesRows = 200_000;

/** Bytes parsed at once: some milliseconds on a Pi. */
const chunkBytes = 4_096;
/** Bytes whose character set is looked at between two pauses: some milliseconds on a Pi. */
const lookedAtBytes = 1_048_576;

/** The character set of a file: UTF-8 when its bytes are, whatever was chosen. */
export async function findSalesCharset(
  bytes: Uint8Array,
  chosen: SalesFormat['charset'],
  pause: Pause,
): Promise<FileCharset> {
  const finder = createCharsetFinder();
  for (const chunk of chunksOf(bytes, lookedAtBytes)) {
    finder.add(chunk);
    await pause();
  }
  return finder.found(chosen);
}

/** Reads the rows of a till's file, the head included. Pauses every few milliseconds. Throws `invalid_request` for what is no CSV file. */
export async function* readSalesTable(
  bytes: Uint8Array,
  { delimiter, charset }: Pick<SalesFormat, 'delimiter' | 'charset'>,
  pause: Pause,
): AsyncGenerator<TableRow> {
  const other = findOtherFile(bytes);
  if (other !== null) throw fileError(createProblem(`sales_file_${other}`));
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('utf8');
  try {
    yield* readTable({
      chunks: chunksOf(bytes, chunkBytes),
      charset: await findSalesCharset(bytes, charset, pause),
      delimiter: findSepLine(beginning)?.delimiter ?? delimiter,
      pause,
    });
  } catch (fault) {
    if (!(fault instanceof TableFault)) throw fault;
    const { code, line } = fault;
    throw fileError(
      code === 'quotation_open'
        ? createProblem('sales_quotation_open', { line })
        : createProblem('sales_row_too_long', { line, most: maxRowCharacters }),
    );
  }
}

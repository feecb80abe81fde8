import { createProblem } from '../../../../core/health/problems.ts';
import { dsfinvkJoined, type SalesFormat, toColumnKey } from '../../core/sales-format.ts';
import { fileError } from '../sales-bounds.ts';
import { maxSalesFileBytes, type Pause, readSalesTable, type TableRow } from './sales-table.ts';
import { isZip, unzip } from './unzip.ts';

/** The files of an import. */
export interface SalesFiles {
  readonly main: Buffer;
  /** Of DSFinV-K: transactions.csv, unless `main` is an archive with both. */
  readonly transactions?: Buffer | undefined;
}

/** Receipts kept while lines are joined; a till writes some 500 a day. */
const maxReceipts = 200_000;

interface Receipt {
  readonly kind: 'sale' | 'training' | 'storno' | 'other';
  readonly start: string;
  readonly end: string;
}

const lineColumns = ['z_kasse_id', 'z_nr', 'bon_id', 'pos_zeile', 'gv_typ'] as const;
const receiptColumns = ['z_kasse_id', 'z_nr', 'bon_id', 'bon_typ', 'bon_ende'] as const;

/**
 * Joins lines.csv and transactions.csv of a DSFinV-K export on till, closing and receipt, with columns for the times, the ids and the
 * kind. A line without its receipt has no kind and no time.
 */
export async function* joinDsfinvk(
  files: SalesFiles,
  format: SalesFormat,
  pause: Pause,
): AsyncGenerator<TableRow> {
  const { lines, transactions } = await findFiles(files);
  const receipts = await readReceipts(transactions, format, pause);
  let at: ReturnType<typeof positions<(typeof lineColumns)[number]>> | null = null;
  for await (const row of readSalesTable(lines, format, pause)) {
    const { line, cells } = row;
    if (cells === null) {
      yield row;
      continue;
    }
    if (at === null) {
      at = positions(cells, lineColumns, 'lines.csv');
      const { check_id, external_id, kind } = dsfinvkJoined;
      yield { line, cells: [...cells, 'BON_START', 'BON_ENDE', check_id, external_id, kind] };
      continue;
    }
    const cell = (name: (typeof lineColumns)[number]) => cells[at![name]] ?? '';
    const check = `${cell('z_kasse_id')}/${cell('z_nr')}/${cell('bon_id')}`;
    const receipt = receipts.get(check);
    const joined = receipt && [
      receipt.start,
      receipt.end,
      check,
      `${check}/${cell('pos_zeile')}`,
      toKind(receipt, cell('gv_typ')),
    ];
    yield { line, cells: joined === undefined ? [] : [...cells, ...joined] };
  }
}

async function findFiles({ main, transactions }: SalesFiles) {
  if (!isZip(main)) {
    if (transactions === undefined) throw missing('transactions.csv');
    return { lines: main, transactions };
  }
  const found = await unzip(main, ['lines.csv', 'transactions.csv'], maxSalesFileBytes);
  const [lines, receipts] = [found.get('lines.csv'), found.get('transactions.csv')];
  if (lines === undefined) throw missing('lines.csv');
  if (receipts === undefined) throw missing('transactions.csv');
  return { lines, transactions: receipts };
}

const missing = (file: string) => fileError(createProblem('sales_archive_incomplete', { file }));

async function readReceipts(bytes: Buffer, format: SalesFormat, pause: Pause) {
  const receipts = new Map<string, Receipt>();
  let at: ReturnType<typeof positions<(typeof receiptColumns)[number]>> | null = null;
  let start = -1;
  let storno = -1;
  for await (const { cells } of readSalesTable(bytes, format, pause)) {
    if (cells === null) continue;
    if (at === null) {
      at = positions(cells, receiptColumns, 'transactions.csv');
      const names = cells.map(toColumnKey);
      [start, storno] = [names.indexOf('bon_start'), names.indexOf('bon_storno')];
      continue;
    }
    if (receipts.size >= maxReceipts)
      throw fileError(createProblem('sales_too_many_receipts', { most: maxReceipts }));
    const cell = (name: (typeof receiptColumns)[number]) => cells[at![name]]?.trim() ?? '';
    receipts.set(`${cell('z_kasse_id')}/${cell('z_nr')}/${cell('bon_id')}`, {
      kind: receiptKind(cell('bon_typ'), cells[storno]?.trim() ?? ''),
      start: cells[start]?.trim() ?? '',
      end: cell('bon_ende'),
    });
  }
  return receipts;
}

function receiptKind(type: string, storno: string): Receipt['kind'] {
  if (type === 'AVTraining') return 'training';
  if (type !== 'Beleg') return 'other';
  return storno === '1' ? 'storno' : 'sale';
}

/** Only sales of products are of interest; of those it matters what the receipt is. */
function toKind({ kind }: Receipt, transaction: string): string {
  const type = transaction.trim().toLowerCase() || 'other';
  if (kind === 'other') return kind;
  return type === 'umsatz' && kind !== 'sale' ? kind : type;
}

/** Finds columns by name. Throws `invalid_request` naming the first that is missing. */
function positions<N extends string>(
  head: readonly string[],
  names: readonly N[],
  file: string,
): Record<N, number> {
  const found = head.map(toColumnKey);
  const entries = names.map((name) => [name, found.indexOf(name)] as const);
  const absent = entries.find(([, position]) => position < 0);
  if (absent !== undefined)
    throw fileError(createProblem('sales_columns_missing', { file, columns: absent[0].toUpperCase() }));
  return Object.fromEntries(entries) as Record<N, number>;
}

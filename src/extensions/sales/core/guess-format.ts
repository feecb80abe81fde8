import { cleanCell } from '../../../core/files/cells.ts';
import type { DateOrder } from '../../../core/files/dates.ts';
import { createOrderFinder, createSignFinder } from '../../../core/files/file-answers.ts';
import { findHead, maxRowsAboveHead } from '../../../core/files/find-head.ts';
import type { DecimalSign } from '../../../core/files/numbers.ts';
import {
  type FileDelimiter,
  fileDelimiters,
  findDelimiter,
  findSepLine,
} from '../../../core/files/separator.ts';
import { parseFileTime } from '../../../core/files/times.ts';
import { countKnownHeads, guessColumns } from './guess-columns.ts';
import { requiredSaleFields, type SaleField, toColumnKey } from './sales-format.ts';

/** What the beginning of a file shows about how it is read; a person sees and corrects it before anything is stored. */
export interface GuessedFormat {
  /** Null: no line has a separator, as in an archive. */
  readonly delimiter: FileDelimiter | null;
  /** Null: no number shows it. */
  readonly decimalSign: DecimalSign | null;
  /** `ask`: its dates can be read in two ways. Null: no date shows it. */
  readonly dateOrder: DateOrder | 'ask' | null;
  /** The columns by field. */
  readonly columns: Readonly<Partial<Record<SaleField, string>>>;
}

/** Lines that are looked at. */
const maxLines = 2_000;

/** Guesses from the beginning of a file; `known` are the columns of the kind of till, which count before any guess. */
export function guessFormat(
  beginning: string,
  known: Readonly<Partial<Record<SaleField, string>>> = {},
): GuessedFormat {
  const sep = findSepLine(beginning);
  const named = fileDelimiters.find((sign) => sign === sep?.delimiter);
  const delimiter = named ?? findDelimiter(beginning);
  const rows = beginning
    .slice(sep?.length ?? 0)
    .split(/\r\n|\n|\r/, maxLines)
    .map((line) => splitLine(line, delimiter ?? ','));
  const rate = (cells: readonly string[]) => {
    const columns = columnsOf(cells, known);
    return {
      known: Math.max(countKnownHeads(cells), Object.keys(columns).length),
      fits: requiredSaleFields.every((field) => columns[field] !== undefined),
    };
  };
  const at = findHead(rows.slice(0, maxRowsAboveHead + 1), rate);
  const head = rows[at];
  if (delimiter === null || head === undefined || rate(head).known === 0)
    return { delimiter, decimalSign: null, dateOrder: null, columns: {} };
  const columns = columnsOf(head, known);
  const texts = (field: SaleField): readonly { readonly line: number; readonly text: string }[] => {
    const position = head.findIndex((name) => toColumnKey(name) === toColumnKey(columns[field] ?? ''));
    if (columns[field] === undefined || position < 0) return [];
    return rows
      .slice(at + 1)
      .map((cells, i) => ({ line: at + i + 2, text: cleanCell(cells[position] ?? '') }))
      .filter(({ text }) => text !== '');
  };
  const signs = createSignFinder('');
  for (const field of ['quantity', 'gross', 'discount', 'net'] as const)
    for (const { line, text } of texts(field)) signs.add({ line, text, column: field });
  const sign = signs.answer();
  const hasSign = (['quantity', 'gross', 'discount', 'net'] as const).some((field) =>
    texts(field).some(({ text }) => /[.,]/.test(text)),
  );
  return {
    delimiter,
    decimalSign: sign.kind === 'known' && hasSign ? sign.value : null,
    dateOrder: guessOrder(texts('date')),
    columns,
  };
}

function guessOrder(
  dates: readonly { readonly line: number; readonly text: string }[],
): GuessedFormat['dateOrder'] {
  const orders = createOrderFinder();
  for (const { line, text } of dates) orders.add({ line, text, column: 'date' });
  const order = orders.answer();
  if (order.kind !== 'known') return 'ask';
  if (order.value !== null) return order.value;
  const needsNone = dates.some(({ text }) => {
    const time = parseFileTime(text, /\d:\d/.test(text) ? '' : '00:00', 'ymd');
    return time !== null && time !== 'order';
  });
  return needsNone ? 'ymd' : null;
}

/** The columns of the kind of till that the head has; where it lacks a required one, those that are guessed. */
function columnsOf(
  head: readonly string[],
  known: Readonly<Partial<Record<SaleField, string>>>,
): Readonly<Partial<Record<SaleField, string>>> {
  const keys = new Set(head.map(toColumnKey));
  const hasAll = requiredSaleFields.every((field) => keys.has(toColumnKey(known[field] ?? '')));
  return hasAll ? known : guessColumns(head.map((name) => cleanCell(name)));
}

/** Splits a line whose quoted cells have no line breaks. */
function splitLine(line: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
}

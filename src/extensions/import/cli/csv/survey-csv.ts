import { cleanCell } from '../../../../core/files/cells.ts';
import type { DateOrder } from '../../../../core/files/dates.ts';
import {
  createOrderFinder,
  createSignFinder,
  type Evidence,
  type FileAnswer,
} from '../../../../core/files/file-answers.ts';
import { findHead, isFullRow, maxRowsAboveHead } from '../../../../core/files/find-head.ts';
import type { DecimalSign } from '../../../../core/files/numbers.ts';
import type { TableRow } from '../../../../engine/engine.ts';
import type { BadRow } from '../import-report.ts';
import {
  type ColumnPlaces,
  type CsvKind,
  columnsHolding,
  countKnownColumns,
  readHeader,
  withoutPercent,
} from './columns.ts';
import { type CsvTable, invalidFile } from './open-csv.ts';

/** What the caller says about a file; absent: the file must show it. */
export interface CsvAnswers {
  readonly decimalSign?: DecimalSign | undefined;
  readonly dateOrder?: DateOrder | undefined;
}

interface SurveyOptions extends CsvAnswers {
  readonly kind: CsvKind;
  readonly ignoresUnknown: boolean;
  /** Columns of our own exports. */
  readonly exported: readonly string[];
}

/** How the rows of a file are read. */
export interface CsvSurvey {
  readonly places: ColumnPlaces;
  /** Cells of the head. */
  readonly width: number;
  readonly headLine: number;
  /** Rows above the head, such as titles. */
  readonly rowsAbove: number;
  readonly decimalSign: DecimalSign;
  /** Null: no date of the file needs it. */
  readonly dateOrder: DateOrder | null;
}

type Fault = Omit<BadRow, 'place'> & { readonly line: number };

/**
 * Reads a file once to find its head, its decimal sign and the order of its dates. Nothing is guessed: what the file does not prove, or what it
 * contradicts itself in, is a fault.
 */
export async function surveyCsv(
  table: CsvTable,
  options: SurveyOptions,
): Promise<CsvSurvey | { readonly faults: readonly Fault[] }> {
  const signs = createSignFinder(table.delimiter);
  const orders = createOrderFinder();
  let first: TableRow[] | null = [];
  let head: HeadFound | { readonly faults: readonly Fault[] } | null = null;
  const add = ({ line, cells }: TableRow): void => {
    if (head === null || 'faults' in head || cells === null) return;
    for (const [holds, finder] of [
      ['number', signs],
      ['time', orders],
    ] as const) {
      for (const name of columnsHolding(options.kind, holds)) {
        const place = head.places.get(name);
        const text = place === undefined ? '' : cleanCell(cells[place.index] ?? '');
        if (text !== '') finder.add({ line, column: place!.title, text: withoutPercent(name, text) });
      }
    }
  };
  const begin = (rows: readonly TableRow[]): void => {
    head = readHead(table, rows, options);
    if ('faults' in head) return;
    for (const row of rows.slice(head.rowsAbove + 1)) add(row);
  };
  for await (const row of table.rows()) {
    if (first === null) {
      add(row);
      continue;
    }
    first.push(row);
    if (!fits(row.cells ?? [], options) && first.length <= maxRowsAboveHead) continue;
    begin(first);
    first = null;
    if (head !== null && 'faults' in head) return head;
  }
  if (first !== null) begin(first);
  const found = head as HeadFound | { readonly faults: readonly Fault[] } | null;
  if (found === null || 'faults' in found) return found ?? { faults: [] };
  return decide(found, {
    sign: options.decimalSign ?? signs.answer(),
    order: options.dateOrder ?? orders.answer(),
  });
}

type HeadFound = Pick<CsvSurvey, 'places' | 'width' | 'headLine' | 'rowsAbove'>;

const fits = (cells: readonly string[], { kind, ...options }: SurveyOptions): boolean =>
  'places' in readHeader(kind, cells, options);

function readHead(
  table: CsvTable,
  rows: readonly TableRow[],
  options: SurveyOptions,
): HeadFound | { readonly faults: readonly Fault[] } {
  const index = findHead(
    rows.map(({ cells }) => cells ?? []),
    (cells) => ({ known: countKnownColumns(options.kind, cells), fits: fits(cells, options) }),
  );
  const row = rows[index];
  if (row === undefined || row.cells === null)
    throw invalidFile(table, 'is empty: its first row must name the columns');
  const { line, cells } = row;
  const header = readHeader(options.kind, cells, options);
  if ('faults' in header) {
    return { faults: header.faults.map((message) => ({ line, column: null, message })) };
  }
  const lost = rows.slice(0, index).filter((one) => isFullRow(one.cells ?? [], cells));
  if (lost.length > 0) {
    const message = `stands above the names of the columns, which are in line ${line}`;
    return { faults: lost.map((one) => ({ line: one.line, column: null, message })) };
  }
  return { places: header.places, width: cells.length, headLine: line, rowsAbove: index };
}

function decide(
  head: HeadFound,
  {
    sign,
    order,
  }: {
    readonly sign: DecimalSign | FileAnswer<DecimalSign>;
    readonly order: DateOrder | FileAnswer<DateOrder | null>;
  },
): CsvSurvey | { readonly faults: readonly Fault[] } {
  const signs = typeof sign === 'string' ? ({ kind: 'known', value: sign } as const) : sign;
  const orders = typeof order === 'string' ? ({ kind: 'known', value: order } as const) : order;
  if (signs.kind === 'known' && orders.kind === 'known')
    return { ...head, decimalSign: signs.value, dateOrder: orders.value };
  return {
    faults: [
      ...toFaults(signs, {
        doubt: 'may be a decimal number or have thousands',
        contradiction: 'has another decimal sign than',
        answer: 'say with --decimal-sign whether “,” or “.” is decimal',
      }),
      ...toFaults(orders, {
        doubt: 'may have the day or the month first',
        contradiction: 'has another order of day and month than',
        answer: 'say the order: --date-order dmy or --date-order mdy',
      }),
    ],
  };
}

function toFaults(
  answer: FileAnswer<unknown>,
  texts: { readonly doubt: string; readonly contradiction: string; readonly answer: string },
): readonly Fault[] {
  if (answer.kind === 'known') return [];
  if (answer.kind === 'doubt') {
    const { line, column } = answer.cell;
    return [{ line, column, message: `${quote(answer.cell)} ${texts.doubt}; ${texts.answer}` }];
  }
  const [before, cell] = answer.cells;
  const message = `${quote(cell)} ${texts.contradiction} ${quote(before)} in line ${before.line}; correct the file, or ${texts.answer}`;
  return [{ line: cell.line, column: cell.column, message }];
}

const quote = ({ text }: Evidence): string => `“${text.slice(0, 40)}”`;

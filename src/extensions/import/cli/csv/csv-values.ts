import { localInstant } from '../../../../core/clock/local-days.ts';
import { parseTime } from '../../../../core/clock/parse-time.ts';
import { parseUtcOffset } from '../../../../core/clock/shown-time.ts';
import { cleanCell } from '../../../../core/files/cells.ts';
import type { DateOrder } from '../../../../core/files/dates.ts';
import { type DecimalSign, parseNumber } from '../../../../core/files/numbers.ts';
import { parseFileTime } from '../../../../core/files/times.ts';
import type { TextKind } from '../../../../core/text/text-rules.ts';
import { type ColumnPlaces, withoutPercent } from './columns.ts';

/** What is wrong with a value of a row. */
export class CellFault extends Error {
  /** The column as the file writes it; null for the whole row. */
  readonly column: string | null;

  constructor(column: string | null, message: string) {
    super(message);
    this.name = 'CellFault';
    this.column = column;
  }
}

/** A quote that our exports put before a text which a spreadsheet would take for a formula. */
const guardedFormula = /^'(?=\s*[=+\-@|\t\r＝＋－＠｜])/;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'y', 'x'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n'].map((word) => [word, false] as const),
]);

/** Reads the values of one row by the names of the columns. An empty cell is an absent value. */
export interface RowReader {
  /** Whether the file has the column. */
  has(name: string): boolean;
  text(name: string, kind?: TextKind): string | null;
  /** In the column's unit, or millilitres for a volume. */
  number(name: string): number | null;
  boolean(name: string): boolean | null;
  /** Unix milliseconds. */
  time(name: string): number | null;
  /** The column as the file writes it. */
  title(name: string): string;
}

/** The format of a file. */
export interface CsvFormat {
  readonly places: ColumnPlaces;
  readonly decimalSign: DecimalSign;
  /** Null: no date needs it. */
  readonly dateOrder: DateOrder | null;
  /** The zone of times without one. */
  readonly timeZone: string;
}

export function createRowReader(
  { places, decimalSign, dateOrder, timeZone }: CsvFormat,
  row: readonly string[],
): RowReader {
  const title = (name: string): string => places.get(name)?.title ?? name;
  const text = (name: string, kind: TextKind = 'line'): string | null => {
    const place = places.get(name);
    const cell = place === undefined ? '' : cleanCell(row[place.index] ?? '', kind);
    return cell === '' ? null : cell.replace(guardedFormula, '');
  };
  const fault = (name: string, allowed: string, cell: string) =>
    new CellFault(title(name), `${allowed}, not “${cell.slice(0, 40)}”`);
  return {
    has: (name) => places.has(name),
    title,
    text,
    number(name) {
      const cell = text(name);
      if (cell === null) return null;
      const value = parseNumber(withoutPercent(name, cell), decimalSign);
      if (value === null) throw fault(name, `must be a number such as 330 or 330${decimalSign}5`, cell);
      return value * (places.get(name)?.factor ?? 1);
    },
    boolean(name) {
      const cell = text(name);
      if (cell === null) return null;
      const value = booleans.get(cell.toLowerCase());
      if (value === undefined) throw fault(name, 'must be true or false', cell);
      return value;
    },
    time(name) {
      const cell = text(name);
      if (cell === null) return null;
      const offset = text(`${name}_utc_offset`);
      if (offset === null) return readTime(name, cell, timeZone);
      const offsetMs = parseUtcOffset(offset);
      if (offsetMs === null) throw fault(`${name}_utc_offset`, 'must be an offset such as UTC+02:00', offset);
      const ms = readTime(name, cell, 'UTC');
      // Unix seconds and a time with an offset of its own are the same in every zone.
      return ms === readTime(name, cell, 'Etc/GMT-1') ? ms : ms - offsetMs;
    },
  };

  function readTime(name: string, cell: string, zone: string): number {
    const ms = parseTime(cell, zone);
    if (ms !== null) return ms;
    const written = parseFileTime(cell, '', dateOrder);
    if (written === 'order')
      throw fault(name, 'must have the order of day, month and year of the file', cell);
    if (written === null) {
      throw fault(name, 'must be a time such as 2026-05-02T17:04:11Z, or whole Unix seconds', cell);
    }
    return written.kind === 'instant' ? written.ms : localInstant(written.shownMs, zone);
  }
}

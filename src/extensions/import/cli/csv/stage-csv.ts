import type { InputFile } from '../../../../cli/open-input.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import { type Engine, maxRowCells, type TableRow } from '../../../../engine/engine.ts';
import type { ImportedKeg, Imports } from '../../engine/imports.ts';
import type { ImportStaging, StagedRecord } from '../../store/import-staging.ts';
import type { ImportReport } from '../import-report.ts';
import type { CsvKind } from './columns.ts';
import { describeRowFault, toBeverage, toDrink, toKeg, toRowKey } from './csv-records.ts';
import { CellFault, createRowReader, type RowReader } from './csv-values.ts';
import { openCsv } from './open-csv.ts';
import { type CsvAnswers, surveyCsv } from './survey-csv.ts';

/** Equal rows without ids that a file may have. */
const maxEqualRows = 1_000;

/** Rows that are staged in one transaction. */
const rowsPerStep = 1_000;

const stagedKinds = { beers: 'beverage', kegs: 'keg', drinks: 'drink' } as const;

interface CsvFile {
  readonly kind: CsvKind;
  readonly source: InputFile;
}

interface StagingOptions {
  readonly engine: Engine;
  readonly imports: Imports;
  readonly now: Moment;
  readonly staging: ImportStaging;
  readonly report: ImportReport;
  readonly ignoresUnknownColumns: boolean;
  readonly answers: CsvAnswers;
  /** Whether unknown names of drinks become accounts. */
  readonly createsUsers: boolean;
}

/** Reads a file, checks its rows and stages them; faulty rows go into the report. Throws for a file that is no CSV. */
export async function stageCsv({ kind, source }: CsvFile, options: StagingOptions): Promise<void> {
  const { engine, imports, staging, report } = options;
  const table = openCsv(source);
  const placeOf = (line: number): string => `${source.name} line ${line}`;
  const survey = await surveyCsv(table, {
    kind,
    ...options.answers,
    ignoresUnknown: options.ignoresUnknownColumns,
    exported: kind === 'beers' ? [] : imports.exportedColumns(kind),
  });
  if ('faults' in survey) {
    for (const { line, column, message } of survey.faults) {
      report.addBad({ place: placeOf(line), column, message: message.replace(/\.$/, '') });
    }
    return;
  }
  const { width, headLine, rowsAbove } = survey;
  const format = { ...survey, timeZone: engine.users.site().timeZone };
  if (table.charset !== 'utf-8') report.addNote(`${source.name} is not UTF-8 and was read as Windows-1252.`);
  if (rowsAbove > 0)
    report.addNote(
      `${source.name}: the names of the columns are in line ${headLine}; what is above it was skipped.`,
    );

  let waiting: TableRow[] = [];
  const stageWaiting = () => {
    imports.requireSpace();
    staging.transaction(() => {
      for (const row of waiting) stageRow(row);
    });
    waiting = [];
  };
  const stageRow = ({ line, ...read }: TableRow) => {
    const row = createRowReader(format, read.cells ?? []);
    try {
      requireCells(read, width);
      const staged = toStaged(kind, row, line, options);
      if (staged === null) return;
      addStaged(staging, staged, row);
      const warning = warningOf(staged);
      if (warning !== null) report.addNote(`${placeOf(line)}: ${warning}.`);
    } catch (fault) {
      const { column, message } = describeRowFault(fault, row);
      report.addBad({ place: placeOf(line), column, message });
    }
  };

  for await (const row of table.rows()) {
    if (row.line <= headLine || row.cells?.every((cell) => cell.trim() === '')) continue;
    waiting.push(row);
    if (waiting.length >= rowsPerStep) stageWaiting();
  }
  stageWaiting();
}

/** Throws for a row whose cells are not those of the head. */
function requireCells(row: Omit<TableRow, 'line'>, width: number): void {
  const { cells } = row;
  if (cells === null) {
    throw new CellFault(
      null,
      'fault' in row && row.fault === 'cells'
        ? `has more than ${maxRowCells} cells`
        : 'has a wrong quotation mark: a cell with quotes is written as "a ""b"" c"',
    );
  }
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw new CellFault(null, `has ${cells.length} cells, but the header has ${width}`);
  }
}

/** Smallest volume of what is sold as a keg, mL. */
const smallestKegMl = 1_000;

/** What is possible, but hardly meant; null for nothing. */
function warningOf({ kind, data }: Keyless): string | null {
  if (kind !== 'keg') return null;
  const { fullVolumeMl } = data as ImportedKeg;
  return fullVolumeMl === null || fullVolumeMl >= smallestKegMl
    ? null
    : `a keg of ${fullVolumeMl} mL: check its unit and its decimal sign`;
}

/** A checked record before it has a key; without an id the key is made of its values. */
interface Keyless extends Omit<StagedRecord, 'key'> {
  readonly id: string | null;
}

function toStaged(
  kind: CsvKind,
  row: RowReader,
  line: number,
  { imports, now, staging, createsUsers }: StagingOptions,
): Keyless | null {
  const { check } = imports;
  const staged = { kind: stagedKinds[kind], line };
  if (kind === 'beers') {
    const { id, record } = toBeverage(row);
    return { ...staged, id, order: line, data: check.beverage(record) };
  }
  if (kind === 'kegs') {
    const { id, record } = toKeg(row);
    return { ...staged, id, order: line, data: check.keg(record, now) };
  }
  const read = toDrink(row);
  if (read === null) return null;
  const drink = check.drink(read.record, now);
  if (createsUsers && drink.username !== null) {
    const user = { username: drink.username, displayName: '', email: '', isActive: true, joinedTimeMs: null };
    staging.add({ kind: 'user', key: drink.username, order: line, line, data: check.user(user) });
  }
  return { ...staged, id: read.id ?? drink.pourId, order: drink.pourTimeMs, data: drink };
}

function addStaged(staging: ImportStaging, { id, ...record }: Keyless, row: RowReader): void {
  if (id !== null) {
    if (staging.add({ ...record, key: id })) return;
    throw new CellFault(row.title('id'), `is that of line ${staging.lineOf(record.kind, id)} too`);
  }
  const key = toRowKey(record.data);
  for (let count = 1; count <= maxEqualRows; count++) {
    if (staging.add({ ...record, key: count === 1 ? key : `${key}.${count}` })) return;
  }
  throw new CellFault(
    null,
    `is the same as ${maxEqualRows} rows before; rows without ids are told apart by their values`,
  );
}

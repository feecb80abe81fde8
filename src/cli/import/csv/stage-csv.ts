import type { Moment } from '../../../core/clock/moment.ts';
import type { Engine, ImportStaging, StagedRecord } from '../../../engine/engine.ts';
import type { ImportReport } from '../import-report.ts';
import { type CsvKind, readHeader } from './columns.ts';
import { describeRowFault, toBeverage, toDrink, toKeg, toRowKey } from './csv-records.ts';
import { CellFault, createRowReader, type RowReader } from './csv-values.ts';
import { type CsvSource, findDelimiter, invalidFile, readCsv } from './read-csv.ts';

/** Equal rows without ids that a file may have. */
const maxEqualRows = 1_000;

/** Rows that are staged in one transaction. */
const rowsPerStep = 1_000;

const stagedKinds = { beers: 'beverage', kegs: 'keg', drinks: 'drink' } as const;

interface CsvFile {
  readonly kind: CsvKind;
  readonly source: CsvSource;
}

interface StagingOptions {
  readonly engine: Engine;
  readonly now: Moment;
  readonly staging: ImportStaging;
  readonly report: ImportReport;
  readonly ignoresUnknownColumns: boolean;
  /** Whether unknown names of drinks become accounts. */
  readonly createsUsers: boolean;
}

/** Reads a file, checks its rows and stages them; faulty rows go into the report. Throws for a file that is no CSV. */
export async function stageCsv({ kind, source }: CsvFile, options: StagingOptions): Promise<void> {
  const { engine, staging, report } = options;
  const found = findDelimiter(source);
  const { timeZone } = engine.users.site();
  let format: Parameters<typeof createRowReader>[0] | null = null;
  let width = 0;
  let waiting: { readonly line: number; readonly cells: readonly string[] }[] = [];
  const stageWaiting = () => {
    engine.imports.requireSpace();
    staging.transaction(() => {
      for (const { line, cells } of waiting) stageRow(line, cells);
    });
    waiting = [];
  };
  const stageRow = (line: number, cells: readonly string[]) => {
    const row = createRowReader(format!, cells);
    try {
      if (cells.slice(width).some((cell) => cell.trim() !== '')) {
        throw new CellFault(null, `has ${cells.length} cells, but the header has ${width}`);
      }
      const staged = toStaged(kind, row, line, options);
      if (staged !== null) addStaged(staging, staged, row);
    } catch (fault) {
      const { column, message } = describeRowFault(fault, row);
      report.addBad({ place: `${source.name} line ${line}`, column, message });
    }
  };

  for await (const { line, cells } of readCsv(source, found)) {
    if (format === null) {
      const header = readHeader(kind, cells, {
        ignoresUnknown: options.ignoresUnknownColumns,
        exported: kind === 'beers' ? [] : engine.imports.exportedColumns(kind),
      });
      if ('faults' in header) {
        for (const message of header.faults) {
          report.addBad({
            place: `${source.name} line ${line}`,
            column: null,
            message: message.replace(/\.$/, ''),
          });
        }
        return;
      }
      format = { places: header.places, delimiter: found.delimiter, timeZone };
      width = cells.length;
      continue;
    }
    if (cells.every((cell) => cell.trim() === '')) continue;
    waiting.push({ line, cells });
    if (waiting.length >= rowsPerStep) stageWaiting();
  }
  if (format === null) throw invalidFile(source, 'is empty: its first row must name the columns');
  stageWaiting();
}

/** A checked record before it has a key; without an id the key is made of its values. */
interface Keyless extends Omit<StagedRecord, 'key'> {
  readonly id: string | null;
}

function toStaged(
  kind: CsvKind,
  row: RowReader,
  line: number,
  { engine, now, staging, createsUsers }: StagingOptions,
): Keyless | null {
  const { check } = engine.imports;
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

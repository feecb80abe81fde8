import type { Database } from '../../../store/database.ts';
import { preparePages, type Slice } from '../../../store/shared/slice.ts';
import type { SaleRowFault } from '../core/parse-sale-row.ts';
import type { TimeMeaning } from '../core/sales-format.ts';

/** A row of a file that was not understood. */
export interface BadRow {
  /** Number of its first line. */
  readonly line: number;
  readonly fault: SaleRowFault;
}

export const importSources = ['file', 'folder', 'api'] as const;
export type ImportSource = (typeof importSources)[number];

/** Counts of an import. */
export interface ImportCounts {
  /** Rows with a line; those that are neither new nor changed are known from another import. */
  readonly lines: number;
  readonly newLines: number;
  readonly changedLines: number;
  readonly skippedRows: number;
  readonly badRows: number;
  /** The first bad rows. */
  readonly faults: readonly BadRow[];
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** Lines that came at once. */
export interface SalesImport extends ImportCounts {
  readonly id: number;
  readonly tillId: number;
  readonly source: ImportSource;
  readonly fileName: string;
  readonly contentHash: string;
  readonly startedMs: number;
  readonly state: 'running' | 'complete' | 'undoing' | 'undone';
  readonly timeMeaning: TimeMeaning;
  /** It has all lines of its till from its first to its last one. */
  readonly isComplete: boolean;
  /** Lines of earlier imports that it does not have. */
  readonly goneLines: number;
}

export type NewImport = Pick<
  SalesImport,
  'tillId' | 'source' | 'fileName' | 'contentHash' | 'startedMs' | 'timeMeaning'
>;

interface ImportRow {
  readonly id: number;
  readonly till_id: number;
  readonly source: ImportSource;
  readonly file_name: string;
  readonly content_hash: string;
  readonly started_ms: number;
  readonly state: SalesImport['state'];
  readonly time_meaning: TimeMeaning;
  readonly lines: number;
  readonly new_lines: number;
  readonly changed_lines: number;
  readonly skipped_rows: number;
  readonly bad_rows: number;
  readonly faults: string;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
  readonly is_complete: number;
  readonly gone_lines: number;
}

/** Imports of sales. */
export function salesImportsTable(db: Database) {
  const byId = db.prepare<[number], ImportRow>('SELECT * FROM sales_imports WHERE id = ?');
  const byHash = db.prepare<[number, string], ImportRow>(
    `SELECT * FROM sales_imports WHERE till_id = ? AND content_hash = ? AND state IN ('complete', 'running')
     ORDER BY id DESC LIMIT 1`,
  );
  const latestOfApi = db.prepare<[number, number], ImportRow>(
    `SELECT * FROM sales_imports WHERE till_id = ? AND content_hash = '' AND source = 'api' AND started_ms >= ?
     ORDER BY id DESC LIMIT 1`,
  );
  const page = preparePages<ImportRow>(db, { select: 'SELECT * FROM sales_imports' });
  const count = db.prepare<[], number>('SELECT count(*) FROM sales_imports').pluck();
  const insert = db
    .prepare<NewImport, number>(
      `INSERT INTO sales_imports (till_id, source, file_name, content_hash, started_ms, state, time_meaning)
       VALUES (@tillId, @source, @fileName, @contentHash, @startedMs, 'running', @timeMeaning) RETURNING id`,
    )
    .pluck();
  const setState = db.prepare<{ id: number; state: SalesImport['state'] }>(
    'UPDATE sales_imports SET state = @state WHERE id = @id',
  );
  const complete = db.prepare<{ id: number; contentHash: string }>(
    `UPDATE sales_imports SET state = 'complete', content_hash = @contentHash WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM sales_imports WHERE id = ?');
  const setCounts = db.prepare<Omit<ImportCounts, 'faults'> & { id: number; faults: string }>(
    `UPDATE sales_imports SET lines = @lines, new_lines = @newLines, changed_lines = @changedLines,
       skipped_rows = @skippedRows, bad_rows = @badRows, faults = @faults, first_ms = @firstMs, last_ms = @lastMs
     WHERE id = @id`,
  );
  const setGone = db.prepare<{ id: number; isComplete: number; lines: number }>(
    'UPDATE sales_imports SET is_complete = @isComplete, gone_lines = @lines WHERE id = @id',
  );
  const latestComplete = db
    .prepare<[number], number | null>(
      'SELECT max(id) FROM sales_imports WHERE till_id = ? AND is_complete = 1',
    )
    .pluck();
  return {
    byId: (id: number): SalesImport | null => orNull(byId.get(id)),
    /** The latest complete import of a till with this content, else one that was interrupted. */
    byHash: (tillId: number, hash: string): SalesImport | null => orNull(byHash.get(tillId, hash)),
    /** The latest import of lines by the API since a time. */
    latestOfApi: (tillId: number, sinceMs: number): SalesImport | null =>
      orNull(latestOfApi.get(tillId, sinceMs)),
    page: (slice: Slice): readonly SalesImport[] => page(slice).map(toImport),
    count: (): number => count.get()!,
    add: (created: NewImport): number => insert.get(created)!,
    /** Notes that all lines of a content are stored. */
    complete: (id: number, contentHash: string): void => void complete.run({ id, contentHash }),
    /** Whether an import is complete for its span, and how many lines are gone by it. */
    setGone: (id: number, isComplete: boolean, lines: number): void =>
      void setGone.run({ id, isComplete: Number(isComplete), lines }),
    /** Id of the latest import of a till that is complete for its span; 0 without one. */
    latestComplete: (tillId: number): number => latestComplete.get(tillId) ?? 0,
    remove: (id: number): void => void remove.run(id),
    setState: (id: number, state: SalesImport['state']): void => void setState.run({ id, state }),
    setCounts: (id: number, { faults, ...counts }: ImportCounts): void =>
      void setCounts.run({ ...counts, id, faults: JSON.stringify(faults) }),
  };
}

const orNull = (row: ImportRow | undefined): SalesImport | null => (row === undefined ? null : toImport(row));

const toImport = (row: ImportRow): SalesImport => ({
  id: row.id,
  tillId: row.till_id,
  source: row.source,
  fileName: row.file_name,
  contentHash: row.content_hash,
  startedMs: row.started_ms,
  state: row.state,
  timeMeaning: row.time_meaning,
  lines: row.lines,
  newLines: row.new_lines,
  changedLines: row.changed_lines,
  skippedRows: row.skipped_rows,
  badRows: row.bad_rows,
  faults: JSON.parse(row.faults) as readonly BadRow[],
  firstMs: row.first_ms,
  lastMs: row.last_ms,
  isComplete: row.is_complete === 1,
  goneLines: row.gone_lines,
});

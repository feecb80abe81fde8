import type { Problem } from '../../../core/health/problems.ts';
import type { Database } from '../../../store/database.ts';

/** A file of the watched folder that was read. */
export interface SalesFile {
  /** Below the folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly readMs: number;
  /** Null when it was not imported, or its import is gone. */
  readonly importId: number | null;
  /** Why it was not imported; null when it was. */
  readonly problem: Problem | null;
}

interface FileRow {
  readonly path: string;
  readonly size_bytes: number;
  readonly modified_ms: number;
  readonly read_ms: number;
  readonly import_id: number | null;
  readonly problem: string | null;
}

/** Files of the watched folder. */
export function salesFilesTable(db: Database) {
  const all = db.prepare<[], FileRow>('SELECT * FROM sales_files ORDER BY read_ms DESC, path');
  const put = db.prepare<Omit<SalesFile, 'problem'> & { problem: string | null }>(
    `INSERT INTO sales_files VALUES (@path, @sizeBytes, @modifiedMs, @readMs, @importId, @problem)
     ON CONFLICT (path) DO UPDATE SET size_bytes = @sizeBytes, modified_ms = @modifiedMs, read_ms = @readMs,
       import_id = @importId, problem = @problem`,
  );
  const remove = db.prepare<[string]>('DELETE FROM sales_files WHERE path = ?');
  return {
    /** Those that were read last first. */
    all: (): readonly SalesFile[] =>
      all.all().map((row) => ({
        path: row.path,
        sizeBytes: row.size_bytes,
        modifiedMs: row.modified_ms,
        readMs: row.read_ms,
        importId: row.import_id,
        problem: row.problem === null ? null : (JSON.parse(row.problem) as Problem),
      })),
    put: (file: SalesFile): void =>
      void put.run({ ...file, problem: file.problem && JSON.stringify(file.problem) }),
    remove: (path: string): void => void remove.run(path),
  };
}

import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createPrivateFile } from '../../../store/files.ts';

/** Kinds of staged records. */
export type StagedKind = 'user' | 'beverage' | 'keg' | 'drink';

/** A record read from the source and not written yet. */
export interface StagedRecord {
  readonly kind: StagedKind;
  /** Identifies it within its kind. */
  readonly key: string;
  /** Records are read back in this order, then in that of their arrival: the time of a drink, Unix milliseconds. */
  readonly order: number;
  /** Number of the line in its file; 0 without one. */
  readonly line: number;
  /** A JSON value. */
  readonly data: unknown;
}

/** A record of the source that is not staged, and why. */
export interface StagingFinding {
  readonly kind: StagedKind;
  /** Identifies it within its kind; a later finding replaces one with the same key. */
  readonly key: string;
  /** Names it for people. */
  readonly place: string;
  /** The field that is wrong; null for the whole record. */
  readonly column: string | null;
  readonly message: string;
  /** False when nothing is wrong with it: such records are never imported. */
  readonly isFault: boolean;
}

interface FindingRow extends Omit<StagingFinding, 'isFault'> {
  readonly isFault: number;
}

interface Row {
  kind: StagedKind;
  key: string;
  position: number;
  line: number;
  data: string;
  seq: number;
}

/** Version of the file's format; a file of another one is deleted. */
const formatVersion = 2;

/** Records read at once. */
const pageRows = 500;

/**
 * A file of records that are read but not imported yet. It puts the drinks in the order of their times without holding
 * them in memory, lets all be checked before one is written, and keeps what was read from a server when the import is
 * interrupted. It contains personal data, so only its owner may read it.
 */
export function openImportStaging(file: string, { resume = false } = {}) {
  if (!resume) removeFiles(file);
  createPrivateFile(file);
  let db = open(file);
  const isUsable = () => {
    try {
      return [0, formatVersion].includes(Number(db.pragma('user_version', { simple: true })));
    } catch {
      return false;
    }
  };
  if (!isUsable()) {
    db.close();
    removeFiles(file);
    createPrivateFile(file);
    db = open(file);
  }
  // A file lost in a power cut is read again from the source, so nothing waits for the disk.
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -4096');
  db.exec(`
    CREATE TABLE IF NOT EXISTS records (
      seq INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      position INTEGER NOT NULL,
      line INTEGER NOT NULL,
      data TEXT NOT NULL,
      UNIQUE (kind, key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS records_in_order ON records (kind, position, seq);
    CREATE TABLE IF NOT EXISTS findings (
      seq INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      place TEXT NOT NULL,
      field TEXT,
      message TEXT NOT NULL,
      is_fault INTEGER NOT NULL,
      UNIQUE (kind, key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    PRAGMA user_version = ${formatVersion};
  `);
  const add = db.prepare<[string, string, number, number, string]>(
    'INSERT INTO records (kind, key, position, line, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const replace = db.prepare<[string, string, number, number, string]>(
    `INSERT INTO records (kind, key, position, line, data) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET position = excluded.position, line = excluded.line, data = excluded.data`,
  );
  const lineOf = db
    .prepare<[string, string], number>('SELECT line FROM records WHERE kind = ? AND key = ?')
    .pluck();
  const count = db.prepare<[string], number>('SELECT count(*) FROM records WHERE kind = ?').pluck();
  const page = db.prepare<[string, number, number], Row>(
    `SELECT * FROM records WHERE kind = ? AND (position, seq) > (?, ?) ORDER BY position, seq LIMIT ${pageRows}`,
  );
  const progress = db.prepare<[string], string>('SELECT value FROM progress WHERE name = ?').pluck();
  const setProgress = db.prepare<[string, string]>('INSERT OR REPLACE INTO progress VALUES (?, ?)');
  const addFinding = db.prepare<[string, string, string, string | null, string, number]>(
    `INSERT INTO findings (kind, key, place, field, message, is_fault) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET place = excluded.place, field = excluded.field, message = excluded.message,
       is_fault = excluded.is_fault`,
  );
  const clearFindings = db.prepare<[string]>('DELETE FROM findings WHERE kind = ?');
  const findings = db.prepare<[], FindingRow>(
    'SELECT kind, key, place, field AS "column", message, is_fault AS isFault FROM findings ORDER BY seq',
  );
  const run = db.transaction(<T>(work: () => T): T => work());
  const params = ({ kind, key, order, line, data }: StagedRecord) =>
    [kind, key, Math.round(order), line, JSON.stringify(data)] as const;
  return {
    /** Returns false, and changes nothing, if a record of that kind has the key already. */
    add: (record: StagedRecord): boolean => add.run(...params(record)).changes > 0,
    replace: (record: StagedRecord): void => void replace.run(...params(record)),
    /** The line of the record with that key; null without one. */
    lineOf: (kind: StagedKind, key: string): number | null => lineOf.get(kind, key) ?? null,
    count: (kind: StagedKind): number => count.get(kind)!,
    /** All records of a kind in their order, in pages. */
    *pages(kind: StagedKind): Generator<readonly StagedRecord[]> {
      let [position, seq] = [Number.MIN_SAFE_INTEGER, 0];
      for (;;) {
        const rows = page.all(kind, position, seq);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map((row) => ({
          kind: row.kind,
          key: row.key,
          order: row.position,
          line: row.line,
          data: JSON.parse(row.data) as unknown,
        }));
        ({ position, seq } = last);
      }
    },
    addFinding: ({ kind, key, place, column, message, isFault }: StagingFinding): void =>
      void addFinding.run(kind, key, place, column, message, Number(isFault)),
    clearFindings: (kind: StagedKind): void => void clearFindings.run(kind),
    /** Everything that is not staged, in the order of its arrival. */
    *findings(): Generator<StagingFinding> {
      for (const row of findings.iterate()) yield { ...row, isFault: row.isFault !== 0 };
    },
    progress: (name: string): string | null => progress.get(name) ?? null,
    setProgress: (name: string, value: string): void => void setProgress.run(name, value),
    transaction: <T>(work: () => T): T => run(work) as T,
    close: (): void => void db.close(),
    /** Closes it and deletes the file. */
    remove(): void {
      db.close();
      removeFiles(file);
    },
  };
}

export type ImportStaging = ReturnType<typeof openImportStaging>;

const open = (file: string) => new Sqlite(file, { timeout: 0 });

function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

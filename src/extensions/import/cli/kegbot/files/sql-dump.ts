import { createSqlScanner, readCopyLine, type SqlScanner } from './sql-scanner.ts';
import { createStatementReader } from './sql-statements.ts';
import { createTextDecoder, isKnownCharset } from './sql-text.ts';
import {
  invalidBackup,
  rememberTable,
  type TableRow,
  type TableSource,
  type TableValue,
} from './table-rows.ts';

/** The first and last comments of `mysqldump`, `mariadb-dump` and `pg_dump`. */
const firstComment = /^ (?:MySQL|MariaDB|PostgreSQL database) dump\b/;
const lastComment = /^ (?:Dump completed|PostgreSQL database dump complete)\b/;

const otherTextsNote =
  'Some texts are not in UTF-8; they were read as Windows-1252: look at names with accents.';

/**
 * The tables of a dump that `mysqldump`, `mariadb-dump` or `pg_dump` wrote as SQL; `open` begins to read the file, whose
 * name is for messages.
 */
export function openSqlDump(name: string, open: () => AsyncIterable<Buffer>): TableSource {
  const tables = new Set<string>();
  const notes = new Set<string>();
  return {
    tables,
    notes,
    async *rows(wanted) {
      const reader = createDumpReader({ name, wanted, tables, notes });
      for await (const chunk of open()) {
        const rows = reader.read(chunk);
        if (rows.length > 0) yield rows;
      }
      const rows = reader.end();
      if (rows.length > 0) yield rows;
    },
  };
}

interface ReaderOptions {
  readonly name: string;
  readonly wanted: ReadonlySet<string>;
  readonly tables: Set<string>;
  readonly notes: Set<string>;
}

function createDumpReader({ name, wanted, tables, notes }: ReaderOptions) {
  const scanner = createSqlScanner();
  const text = createTextDecoder(() => notes.add(otherTextsNote));
  let rows: TableRow[] = [];
  let isFirst = true;
  let hasStart = false;
  let hasEnd = false;
  const reject = (what: string) => invalidBackup(name, what);
  const statements = createStatementReader({
    wanted,
    reject,
    onTable: (table) => rememberTable(tables, table),
    onRow: (table, columns, values) => rows.push({ table, values: toValues(columns, values, text.decode) }),
    onCharset: (charset) => {
      if (!isKnownCharset(charset)) {
        throw reject(
          `has its texts in “${charset.slice(0, 40)}”: make it again with --default-character-set=utf8mb4`,
        );
      }
      text.use(charset);
    },
  });
  const comment = (words: string): void => {
    const charset = /^(?:!|M!)\d*\s+SET\s+NAMES\s+'?(\w+)/i.exec(words)?.[1];
    if (charset !== undefined) statements.useCharset(charset);
    // Several dumps may follow each other in a file.
    if (firstComment.test(words)) [hasStart, hasEnd] = [true, false];
    if (/^ PostgreSQL/.test(words)) scanner.readBackslashesAsThemselves();
    if (lastComment.test(words)) hasEnd = true;
  };
  const readTokens = (): void => {
    for (;;) {
      if (statements.copiedTable() !== null && !readCopied(scanner, statements)) return;
      if (statements.isLineWanted()) {
        const line = scanner.line();
        if (line === null) return;
        statements.takeLine(line);
        continue;
      }
      const kind = scanner.next();
      if (kind === 'more' || kind === 'end') return;
      if (kind === 'comment') comment(scanner.text());
      else statements.take(kind, scanner.text());
    }
  };
  const taken = (): readonly TableRow[] => {
    const found = rows;
    rows = [];
    return found;
  };
  const read = (): readonly TableRow[] => {
    try {
      readTokens();
    } catch (fault) {
      if (fault instanceof RangeError) throw reject('has a value of more than 4 MiB, or is no SQL file');
      throw fault;
    }
    return taken();
  };
  return {
    read(chunk: Buffer): readonly TableRow[] {
      const start = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
      isFirst = false;
      scanner.push(chunk.toString('latin1', start));
      return read();
    },
    /** Throws when the file is cut. */
    end(): readonly TableRow[] {
      scanner.end();
      const last = read();
      if (!statements.isBetween() || !scanner.isDone() || (hasStart && !hasEnd)) {
        throw reject('is incomplete: it ends before the end of the dump. Make or copy it again');
      }
      return last;
    },
  };
}

/** Reads the lines of a `COPY`; false when the text ends before the last one. */
function readCopied(scanner: SqlScanner, statements: ReturnType<typeof createStatementReader>): boolean {
  for (;;) {
    const line = scanner.line();
    if (line === null) return false;
    if (line === '\\.') {
      statements.endCopy();
      return true;
    }
    statements.takeCopied(readCopyLine(line));
  }
}

function toValues(
  columns: readonly string[],
  values: readonly TableValue[],
  decode: (text: string) => string,
): TableRow['values'] {
  return Object.fromEntries(
    columns.map((column, index) => {
      const value = values[index]!;
      return [column, typeof value === 'string' ? decode(value) : value];
    }),
  );
}

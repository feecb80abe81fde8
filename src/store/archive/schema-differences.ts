import Sqlite from 'better-sqlite3';
import { type Database, openDatabase } from '../database.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Parts of a ledger's schema that this program never made, and parts that are missing. A trigger acts by itself whenever
 * something is written: a ledger from elsewhere must bring none of its own.
 */
export function schemaDifferences(file: string): readonly string[] {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  const ours = openDatabase(':memory:');
  try {
    const [found, expected] = [readSchemaObjects(db), readSchemaObjects(ours)];
    return [
      ...[...found.keys()].filter((piece) => !expected.has(piece)),
      ...[...expected.keys()].filter((piece) => !found.has(piece)),
      ...[...found].flatMap(([piece, sql]) =>
        isExecutable(piece) && expected.has(piece) && expected.get(piece) !== sql ? [piece] : [],
      ),
    ];
  } finally {
    db.close();
    ours.close();
  }
}

/** Type and name → text. SQLite keeps figures of its own in tables whose names begin with its own. */
function readSchemaObjects(db: Database): Map<string, string> {
  const all = db
    .prepare<[], SchemaObject>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  return new Map(
    all.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replaceAll(/\s+/g, ' ').trim()]),
  );
}

/** Tables and indexes lie still, and other versions of SQLite may word them otherwise. */
const isExecutable = (piece: string): boolean => /^(trigger|view) /.test(piece);

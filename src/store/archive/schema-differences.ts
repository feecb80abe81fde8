import Sqlite from 'better-sqlite3';
import { type Database, openDatabase } from '../database.ts';
import type { SchemaStep } from '../schema/migrations.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Names of objects in a database's schema that this program did not create, that are missing, or that execute
 * and differ. A trigger runs at every write, so a restored database must not bring one of its own.
 */
export function schemaDifferences(file: string, steps: readonly SchemaStep[]): readonly string[] {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  const ours = openDatabase(':memory:', { steps });
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

/** Type and name → SQL text. SQLite's internal tables (`sqlite_…`) are left out. */
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

/** Tables and indexes execute nothing, and other SQLite versions may format their text differently. */
const isExecutable = (piece: string): boolean => /^(trigger|view) /.test(piece);

import Sqlite from 'better-sqlite3';
import { type Database, openDatabase } from '../database.ts';

interface Piece {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Parts of a ledger's schema that this program never made, and parts that are missing. A trigger acts by itself whenever
 * something is written: a ledger from elsewhere must bring none of its own.
 */
export function schemaStrangers(file: string): readonly string[] {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  const ours = openDatabase(':memory:');
  try {
    const [found, wanted] = [piecesOf(db), piecesOf(ours)];
    return [
      ...[...found.keys()].filter((piece) => !wanted.has(piece)),
      ...[...wanted.keys()].filter((piece) => !found.has(piece)),
      ...[...found].flatMap(([piece, sql]) =>
        acts(piece) && wanted.has(piece) && wanted.get(piece) !== sql ? [piece] : [],
      ),
    ];
  } finally {
    db.close();
    ours.close();
  }
}

/** Type and name → text. SQLite keeps figures of its own in tables whose names begin with its own. */
function piecesOf(db: Database): Map<string, string> {
  const all = db
    .prepare<[], Piece>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  return new Map(
    all.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replaceAll(/\s+/g, ' ').trim()]),
  );
}

/** Tables and indexes lie still, and other versions of SQLite may word them otherwise. */
const acts = (piece: string): boolean => /^(trigger|view) /.test(piece);

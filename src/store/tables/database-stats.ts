import type { Database } from '../database.ts';

/** How far a table has come. */
export interface TableExtent {
  readonly table: string;
  /** The highest id ever given that is still there; null where rows have none. */
  readonly highestId: number | null;
}

/** What staff are shown of the ledger as a whole. */
export function databaseStats(db: Database) {
  const userCounts = db.prepare<[number], { active: number; fresh: number }>(
    `SELECT count(*) AS active, total(joined_time_ms >= ?) AS fresh FROM users WHERE is_active = 1`,
  );
  // Nobody holds more names than this in a text at once.
  const names = db.prepare<[], { username: string; display_name: string; email: string }>(
    'SELECT username, display_name, email FROM users ORDER BY id DESC LIMIT 5000',
  );
  const tables = db.prepare<[], { name: string; wr: number }>(
    `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
     ORDER BY name`,
  );
  return {
    /** Active accounts, and those of them that joined at or after a time. */
    userCounts: (sinceMs: number): { readonly active: number; readonly fresh: number } =>
      userCounts.get(sinceMs)!,
    /** Names and addresses of everybody, to be kept out of what leaves the house. */
    names: (): readonly string[] => names.all().flatMap((row) => [row.username, row.display_name, row.email]),
    schemaVersion: (): number => Number(db.pragma('user_version', { simple: true })),
    /** Bytes of the ledger's file, its log aside. */
    bytes: (): number =>
      Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    /** Counting rows would read every one of them; the highest id is found at once. */
    tableExtents: (): readonly TableExtent[] =>
      tables.all().map(({ name, wr }) => ({
        table: name,
        highestId:
          wr === 1 ? null : (db.prepare<[], number>(`SELECT max(rowid) FROM "${name}"`).pluck().get() ?? 0),
      })),
  };
}

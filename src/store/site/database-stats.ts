import type { Database } from '../database.ts';

/** Extent of a table. */
export interface TableExtent {
  readonly table: string;
  /** The highest existing id; null if the table has no row ids. */
  readonly highestId: number | null;
}

/** Figures about the whole database, for staff. */
export function databaseStats(db: Database) {
  const userCounts = db.prepare<[number], { active: number; recent: number }>(
    `SELECT count(*) AS active, total(joined_time_ms >= ?) AS recent FROM users WHERE is_active = 1`,
  );
  // Limit for the list of names that are redacted from a bug report.
  const names = db.prepare<[], { username: string; display_name: string; email: string }>(
    'SELECT username, display_name, email FROM users ORDER BY id DESC LIMIT 5000',
  );
  const tables = db.prepare<[], { name: string; wr: number }>(
    `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
     ORDER BY name`,
  );
  return {
    /** Number of active accounts, and of those that joined at or after a time. */
    userCounts: (sinceMs: number): { readonly active: number; readonly recent: number } =>
      userCounts.get(sinceMs)!,
    /** Names and addresses of all users, to be redacted from texts that leave the machine. */
    names: (): readonly string[] => names.all().flatMap((row) => [row.username, row.display_name, row.email]),
    schemaVersion: (): number => Number(db.pragma('user_version', { simple: true })),
    /** Size of the database file without its log, bytes. */
    bytes: (): number =>
      Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    /** The highest id of each table. Counting the rows would read all of them. */
    tableExtents: (): readonly TableExtent[] =>
      tables.all().map(({ name, wr }) => ({
        table: name,
        highestId:
          wr === 1 ? null : (db.prepare<[], number>(`SELECT max(rowid) FROM "${name}"`).pluck().get() ?? 0),
      })),
  };
}

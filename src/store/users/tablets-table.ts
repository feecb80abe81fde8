import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** A registered shared tablet. */
export interface TabletRecord {
  readonly id: number;
  /** The name given by staff. */
  readonly name: string;
  /** Username of who registered it; null if unknown. */
  readonly enrolledBy: string | null;
  readonly createdTimeMs: number;
  readonly seenTimeMs: number;
}

interface TabletRow {
  id: number;
  name: string;
  username: string | null;
  created_time_ms: number;
  seen_time_ms: number;
}

const select = `SELECT t.id, t.name, u.username, t.created_time_ms, t.seen_time_ms
  FROM tablets t LEFT JOIN users u ON u.id = t.enrolled_by`;

/** Shared tablets, found by the hash of the token in their cookie. */
export function tabletsTable(db: Database) {
  const byHash = db.prepare<[Uint8Array], TabletRow>(`${select} WHERE t.token_hash = ?`);
  const byId = db.prepare<[number], TabletRow>(`${select} WHERE t.id = ?`);
  const page = preparePages<TabletRow>(db, { select, id: 't.id' });
  const count = db.prepare<[], number>('SELECT count(*) FROM tablets').pluck();
  const insert = db
    .prepare<{ name: string; hash: Uint8Array; userId: number; ms: number }, number>(
      `INSERT INTO tablets (name, token_hash, enrolled_by, created_time_ms, seen_time_ms)
       VALUES (@name, @hash, @userId, @ms, @ms) RETURNING id`,
    )
    .pluck();
  const rename = db.prepare<[string, number]>('UPDATE tablets SET name = ? WHERE id = ?');
  const seen = db.prepare<[number, number]>('UPDATE tablets SET seen_time_ms = ? WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM tablets WHERE id = ?');
  const removeAll = db.prepare<[]>('DELETE FROM tablets');
  return {
    byHash: (hash: Uint8Array): TabletRecord | null => toTablet(byHash.get(hash)),
    byId: (id: number): TabletRecord | null => toTablet(byId.get(id)),
    /** Newest first. */
    page: (slice: Slice): readonly TabletRecord[] => page(slice).map((row) => toTablet(row)!),
    count: (): number => count.get()!,
    add: (tablet: { name: string; hash: Uint8Array; userId: number; ms: number }): number =>
      insert.get(tablet)!,
    rename: (id: number, name: string): void => void rename.run(name, id),
    seen: (id: number, ms: number): void => void seen.run(ms, id),
    remove: (id: number): void => void remove.run(id),
    removeAll: (): void => void removeAll.run(),
  };
}

function toTablet(row: TabletRow | undefined): TabletRecord | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    enrolledBy: row.username,
    createdTimeMs: row.created_time_ms,
    seenTimeMs: row.seen_time_ms,
  };
}

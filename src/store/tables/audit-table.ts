import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from './paged-list.ts';
import { blockSizes } from './span-blocks.ts';

/**
 * By which door a change came in: a page with a login, a program with a key, a shared tablet with somebody's PIN, the
 * Pi's own console, or nobody's hand.
 */
export type Via = 'page' | 'key' | 'tablet' | 'console' | 'house';

/** Who changed what, when, from what to what. */
export interface AuditEntry {
  readonly id: number;
  /** Unix milliseconds. */
  readonly timeMs: number;
  /** Null when the house acted by itself. */
  readonly username: string | null;
  readonly via: Via;
  /** What the shared tablet was called, where it was one; else null. */
  readonly tablet: string | null;
  /** What was done, `drink.cancelled`. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  /** JSON text of at most 16 384 characters; null where there was nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** True for a correction of drinks, which can be undone. */
  readonly isCorrection: boolean;
  /** The entry that took it back. */
  readonly undoneBy: number | null;
}

/** An entry about to be written. */
export interface NewAuditEntry {
  readonly timeMs: number;
  readonly userId: number | null;
  readonly via: Via;
  readonly tablet: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface AuditRow {
  id: number;
  time_ms: number;
  username: string | null;
  via: Exclude<Via, 'tablet'>;
  tablet: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  before: string | null;
  after: string | null;
  correction_id: number | null;
  undone_by: number | null;
}

const columns = 'a.*, u.username, c.id AS correction_id, c.undone_by';
const joins = 'LEFT JOIN users u ON u.id = a.user_id LEFT JOIN corrections c ON c.id = a.id';

/** The book of changes made by hand. Nothing is ever taken out of it. */
export function auditTable(db: Database) {
  const list = pagedList<AuditRow>(db, {
    table: 'audit_entries',
    alias: 'a',
    columns,
    joins,
    time: { column: 'time_ms', blockSize: blockSizes.audit_entries },
  });
  const byId = db.prepare<[number], AuditRow>(
    `SELECT ${columns} FROM audit_entries a ${joins} WHERE a.id = ?`,
  );
  const insert = db
    .prepare<Omit<NewAuditEntry, 'via'> & Pick<AuditRow, 'via'>, number>(
      `INSERT INTO audit_entries (time_ms, user_id, via, tablet, action, subject_kind, subject_id, before, after)
       VALUES (@timeMs, @userId, @via, @tablet, @action, @subjectKind, @subjectId, @before, @after) RETURNING id`,
    )
    .pluck();
  return {
    byId: (id: number): AuditEntry | null => toEntry(byId.get(id)),
    /** Gives its id. */
    // What a tablet sends comes by its page.
    add: ({ via, ...entry }: NewAuditEntry): number =>
      insert.get({ ...entry, via: via === 'tablet' ? 'page' : via })!,
    /** Any cut of them, newest first, from id `from` downwards. */
    page: (cut: ListFilter, from: number, limit: number): readonly AuditEntry[] =>
      list.page(cut, from, limit).map((row) => toEntry(row)!),
    /** Counted one by one, up to `mostCounted`. */
    count: list.count,
  };
}

function toEntry(row: AuditRow | undefined): AuditEntry | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    timeMs: row.time_ms,
    username: row.username,
    via: row.tablet === null ? row.via : 'tablet',
    tablet: row.tablet,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    before: row.before,
    after: row.after,
    isCorrection: row.correction_id !== null,
    undoneBy: row.undone_by,
  };
}

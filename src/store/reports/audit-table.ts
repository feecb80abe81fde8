import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from '../shared/paged-list.ts';
import type { Slice } from '../shared/slice.ts';

/** How a change was made: with a login, an API key, a PIN on a tablet, at the console, or by the daemon. */
export const vias = ['page', 'key', 'tablet', 'console', 'daemon', 'link'] as const;

/** One of the base, or one that an extension declares. */
export type Via = (typeof vias)[number] | (string & {});

/** One change: who, when, what, before and after. */
export interface AuditEntry {
  readonly id: number;
  /** Unix milliseconds. */
  readonly timeMs: number;
  /** Null for a change by the daemon itself. */
  readonly username: string | null;
  readonly via: Via;
  /** Name of the shared tablet; null if none was used. */
  readonly tablet: string | null;
  /** For example `drink.cancelled`. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  /** JSON text of at most 16 384 characters; null if there was nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** By what it is undone: as a correction of that kind, or with `pin` as the newest change of the wiring; null when it cannot be. */
  readonly undoKind: string | null;
  /** Id of the entry that undid it. */
  readonly undoneBy: number | null;
}

/** An entry about to be written. */
interface NewAuditEntry {
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
  via: Via;
  tablet: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  before: string | null;
  after: string | null;
  undo_kind: string | null;
  undone_by: number | null;
}

const columns = `a.*, u.username, coalesce(c.kind, iif(p.id IS NULL, NULL, 'pin')) AS undo_kind,
  coalesce(c.undone_by, p.undone_by) AS undone_by`;
const joins = `LEFT JOIN users u ON u.id = a.user_id LEFT JOIN corrections c ON c.id = a.id
  LEFT JOIN pin_entry_changes p ON p.id = a.id`;

/** The audit log. Entries are never removed, except those of logins. */
export function auditTable(db: Database) {
  const list = pagedList<AuditRow>(db, {
    table: 'audit_entries',
    alias: 'a',
    columns,
    joins,
    time: 'time_ms',
    conditions: {
      is_login: {
        seek: `@is_login = 1 AND a.subject_kind = 'login'`,
        scan: `(+a.subject_kind = 'login') = @is_login`,
      },
    },
  });
  const removeOldLogins = (['=', '<>'] as const).map((comparison) =>
    db.prepare<{ kept: number; sinceMs: number }>(
      `DELETE FROM audit_entries INDEXED BY audit_logins WHERE subject_kind = 'login' AND action ${comparison} 'login.succeeded' AND (time_ms < @sinceMs
         OR id <= (SELECT id FROM audit_entries INDEXED BY audit_logins WHERE subject_kind = 'login' AND action ${comparison} 'login.succeeded'
                   ORDER BY id DESC LIMIT 1 OFFSET @kept))`,
    ),
  );
  const removeTimes = db.prepare(
    `DELETE FROM provisional_times WHERE kind = 'audit' AND row_id NOT IN (SELECT id FROM audit_entries)`,
  );
  const byId = db.prepare<[number], AuditRow>(
    `SELECT ${columns} FROM audit_entries a ${joins} WHERE a.id = ?`,
  );
  const insert = db
    .prepare<NewAuditEntry, number>(
      `INSERT INTO audit_entries (time_ms, user_id, via, tablet, action, subject_kind, subject_id, before, after)
       VALUES (@timeMs, @userId, @via, @tablet, @action, @subjectKind, @subjectId, @before, @after) RETURNING id`,
    )
    .pluck();
  return {
    byId: (id: number): AuditEntry | null => toEntry(byId.get(id)),
    /** Returns its id. */
    add: (entry: NewAuditEntry): number => insert.get(entry)!,
    /** The rows that match the filter, newest first. */
    page: (filter: ListFilter, slice: Slice): readonly AuditEntry[] =>
      list.page(filter, slice).map((row) => toEntry(row)!),
    /** Removes old entries of logins and of attempts: those before a time, and all but the newest. */
    removeOldLogins({
      logins,
      attempts,
      sinceMs,
    }: {
      readonly logins: number;
      readonly attempts: number;
      readonly sinceMs: number;
    }): void {
      const removed = [logins, attempts].map((kept, i) => removeOldLogins[i]!.run({ kept, sinceMs }).changes);
      if (removed.some((count) => count > 0)) removeTimes.run();
    },
    /** Counted row by row, up to `maxCounted`. */
    count: list.count,
    between: list.between,
  };
}

function toEntry(row: AuditRow | undefined): AuditEntry | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    timeMs: row.time_ms,
    username: row.username,
    via: row.via,
    tablet: row.tablet,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    before: row.before,
    after: row.after,
    undoKind: row.undo_kind,
    undoneBy: row.undone_by,
  };
}

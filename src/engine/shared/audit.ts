import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { AuditEntry, Via } from '../../store/reports/audit-table.ts';
import type { Store } from '../../store/store.ts';
import { hasTimeSpan, validateText } from './bounds.ts';
import { type Page, type PageRequest, readPage } from './paging.ts';
import type { EngineParts } from './parts.ts';

export { type AuditEntry, vias } from '../../store/reports/audit-table.ts';

/** Who acts, and how they were authenticated. */
export interface Actor {
  readonly userId: number | null;
  readonly via: Via;
  /** Name of the shared tablet when `via` is `tablet`. */
  readonly tablet?: string;
}

/** The daemon itself. */
export const systemActor: Actor = { userId: null, via: 'daemon' };

/** Somebody with a shell on the machine. */
export const consoleActor: Actor = { userId: null, via: 'console' };

/** A user on a page or with a key. */
export const toActor = (user: User, via: Via): Actor => ({ userId: user.id, via });

/** A user who entered their PIN on the tablet of that name. */
export const toTabletActor = (user: User, tablet: string): Actor => ({
  userId: user.id,
  via: 'tablet',
  tablet,
});

/** A change to be logged. `before` and `after` are plain values; never secrets. */
interface NewAuditEntry {
  readonly actor: Actor;
  /** Subject and past tense, `keg.ended`, `user.password_set`; at most 64 characters. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: number | string };
  /** Stored as JSON; absent when there was nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Filters for the audit log; absent ones do not filter. */
interface AuditQuery extends PageRequest {
  /** An unknown name gives an empty list. */
  readonly username?: string;
  readonly action?: string;
  readonly subject?: { readonly kind: string; readonly id: string };
  /** Only logins and attempts, or all but those; absent for all. */
  readonly isLogin?: boolean;
  /** Earliest time, inclusive, Unix milliseconds. */
  readonly sinceMs?: number;
  /** Latest time, exclusive, Unix milliseconds. */
  readonly untilMs?: number;
}

/** Longer values are truncated: the log shows what happened, it is not a copy of the database. */
const maxJsonLength = 16_384;

export function createAudit({ store }: EngineParts) {
  return {
    /** Newest first. With a filter the total is counted up to 2 000. */
    list(query: AuditQuery): Page<AuditEntry> {
      const { username, action, subject, isLogin } = query;
      const user = username === undefined ? null : store.users.byName(username);
      if (username !== undefined && user === null) return readPage(query, 0, () => []);
      // The first filter uses an index: one subject has few entries, one user has many.
      const [seek = {}, ...scan] = [
        ...(subject ? [{ subject_kind: subject.kind, subject_id: subject.id }] : []),
        ...(user ? [{ user_id: user.id }] : []),
        ...(action === undefined ? [] : [{ action }]),
        ...(isLogin === true ? [{ is_login: 1 }] : []),
      ];
      const filter = {
        seek,
        scan: Object.assign({}, ...scan, isLogin === false ? { is_login: 0 } : {}),
        ...(hasTimeSpan(query) && { time: store.reports.audit.between(query) }),
      };
      return readPage(query, store.reports.audit.count(filter), (slice) =>
        store.reports.audit.page(filter, slice),
      );
    },

    /** The entry by which the latest change of that kind to the subject can be undone; null without one. */
    latestCorrection: store.drinks.corrections.latestOf,

    /** Logs an action outside the database, such as a backup. */
    record: (entry: NewAuditEntry, now: Moment): void =>
      store.transaction(() => void writeAudit(store, entry, now)),
  };
}

/** Writes an entry to the audit log; call it inside the transaction of the change. Returns the entry's id. */
export function writeAudit(store: Store, entry: NewAuditEntry, now: Moment): number {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  const id = store.reports.audit.add({
    timeMs: Math.max(0, Math.round(now.wallMs)),
    userId: entry.actor.userId,
    via: entry.actor.via,
    tablet: entry.actor.tablet ?? null,
    action: validateText('action', entry.action, { max: 64 }),
    subjectKind: entry.subject.kind,
    subjectId: String(entry.subject.id),
    before: toJson(entry.before),
    after: toJson(entry.after),
  });
  store.provisionalTimes.note('audit', id, now);
  return id;
}

function toJson(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  if (text.length <= maxJsonLength) return text;
  // Half the size: every character may need a backslash.
  return JSON.stringify({ cut: text.slice(0, maxJsonLength / 2 - 100) });
}

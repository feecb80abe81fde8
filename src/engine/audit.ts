import type { Moment } from '../core/moment.ts';
import type { User } from '../core/records.ts';
import type { Store } from '../store/store.ts';
import type { AuditEntry, Via } from '../store/tables/audit-table.ts';
import type { ListFilter } from '../store/tables/paged-list.ts';
import { readPage, validateText } from './bounds.ts';
import type { EngineParts } from './parts.ts';
import type { Page, PageRequest } from './views.ts';

export type { AuditEntry, Via } from '../store/tables/audit-table.ts';

/** Who acts, and by which door. */
export interface Actor {
  readonly userId: number | null;
  readonly via: Via;
  /** What the shared tablet is called, where `via` is one. */
  readonly tablet?: string;
}

/** Nobody's hand: the program itself. */
export const systemActor: Actor = { userId: null, via: 'house' };

/** That person, by a page or a key. */
export const toActor = (user: User, via: Via): Actor => ({ userId: user.id, via });

/** That person, who has typed their PIN on a tablet of that name. */
export const toTabletActor = (user: User, tablet: string): Actor => ({
  userId: user.id,
  via: 'tablet',
  tablet,
});

/** A change as it is written down. `before` and `after` are plain values; never secrets. */
export interface NewAuditEntry {
  readonly actor: Actor;
  /** Subject and past tense, `keg.ended`, `user.password_set`; at most 64 characters. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: number | string };
  /** What is put away as JSON; absent where there was nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Which entries a page is cut from; what is absent cuts nothing. */
export interface AuditQuery extends PageRequest {
  /** A name nobody has gives an empty list. */
  readonly username?: string;
  readonly action?: string;
  readonly subject?: { readonly kind: string; readonly id: string };
  /** Only what was done from here, Unix milliseconds. */
  readonly sinceMs?: number;
  /** Only what was done before this, Unix milliseconds. */
  readonly untilMs?: number;
}

export interface Audit {
  /** Newest first. Its total is counted up to 2 000 where anything cuts the list. */
  list(query: AuditQuery): Page<AuditEntry>;
  /** Writes down what was done outside the ledger, such as with a backup. */
  record(record: NewAuditEntry, now: Moment): void;
}

/** Longer texts are cut: the book tells what happened, it is no copy of the ledger. */
const maxJsonLength = 16_384;

export function createAudit({ store }: EngineParts): Audit {
  return {
    list({ start, limit, username, action, subject, ...time }) {
      const page = { ...(start === undefined ? {} : { start }), ...(limit === undefined ? {} : { limit }) };
      const user = username === undefined ? null : store.users.byName(username);
      if (username !== undefined && user === null) return readPage(page, 0, () => []);
      // The first way to cut is searched by its index: of one thing there are few entries, of one person many.
      const [seek = {}, ...sift] = [
        ...(subject ? [{ subject_kind: subject.kind, subject_id: subject.id }] : []),
        ...(user ? [{ user_id: user.id }] : []),
        ...(action === undefined ? [] : [{ action }]),
      ];
      const cut: ListFilter = { seek, scan: Object.assign({}, ...sift), ...time };
      return readPage(page, store.audit.count(cut), (from, count) => store.audit.page(cut, from, count));
    },
    record: (record, now) => store.transaction(() => void writeAudit(store, record, now)),
  };
}

/** Writes a change into the book; call it inside the transaction that makes the change. Gives the entry's id. */
export function writeAudit(store: Store, entry: NewAuditEntry, now: Moment): number {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  const id = store.audit.add({
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
  // Half the room: every character may need a backslash before it.
  return JSON.stringify({ cut: text.slice(0, maxJsonLength / 2 - 100) });
}

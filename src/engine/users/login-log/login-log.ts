import type { Moment } from '../../../core/clock/moment.ts';
import type { User } from '../../../core/records.ts';
import type { Via } from '../../../store/reports/audit-table.ts';
import { type AuditEntry, writeAudit } from '../../shared/audit.ts';
import { type Page, type PageRequest, readPage } from '../../shared/paging.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import {
  type LoginEvent,
  type LoginOutcome,
  type LoginSummary,
  LoginWindows,
  type ProvenBy,
} from './login-windows.ts';

/** Entries that are kept: logins and attempts apart, so that a flood of attempts removes no login. */
const kept = { logins: 2_000, attempts: 4_000 };
/** Entries are kept for this long, milliseconds: ninety days. */
const keptMs = 90 * 24 * 3_600_000;

/** What is written of logins and attempts, for the daemon's log; an account by its name. */
export interface LoginLine {
  readonly outcome: LoginOutcome;
  readonly address: string;
  readonly user: string | null;
  readonly methods: readonly ProvenBy[];
  readonly counts: LoginSummary['counts'];
}

/** How a method shows in the audit log. */
const viaOf = (methods: readonly ProvenBy[], tablet: string | undefined): Via => {
  if (tablet !== undefined) return 'tablet';
  if (methods.includes('key') || methods.includes('token')) return 'key';
  return methods.includes('link') ? 'link' : 'page';
};

/** Logins, and attempts that failed or were refused, as entries of the audit log with address and method. */
export function createLoginLog(parts: EngineParts) {
  const { store } = parts;
  const windows = new LoginWindows();

  const write = (summaries: readonly LoginSummary[], now: Moment): readonly LoginLine[] => {
    if (summaries.length === 0) return [];
    const lines = summaries.map(toLine);
    try {
      change(
        parts,
        () => {
          for (const [i, summary] of summaries.entries()) writeEntry(summary, lines[i]!.outcome, now);
          store.reports.audit.removeOldLogins({
            ...kept,
            sinceMs: now.synced ? Math.max(0, Math.round(now.wallMs - keptMs)) : 0,
          });
        },
        'operation',
      );
    } catch {
      // A full disk must not lock out the person who comes to free space. The daemon's log has it all the same.
    }
    return lines;
  };

  const writeEntry = (summary: LoginSummary, outcome: LoginOutcome, now: Moment): void => {
    const { address, userId, methods, counts, addresses, tablet } = summary;
    const { succeeded, failed, locked } = counts;
    writeAudit(
      store,
      {
        actor: { userId, via: viaOf(methods, tablet), ...(tablet !== undefined && { tablet }) },
        action: `login.${outcome}`,
        subject: { kind: 'login', id: address.slice(0, 64) },
        after: {
          method: methods.join(', '),
          ...(succeeded + failed + locked > 1 && {
            ...(succeeded > 0 && { succeeded }),
            ...(failed > 0 && { failed }),
            ...(locked > 0 && { locked }),
          }),
          ...(addresses !== undefined && { addresses }),
        },
      },
      now,
    );
  };

  const toLine = ({ address, userId, methods, counts }: LoginSummary): LoginLine => ({
    outcome: counts.locked > 0 ? 'locked' : counts.failed > 0 ? 'failed' : 'succeeded',
    address,
    user: userId === null ? null : (store.users.byId(userId)?.username ?? null),
    methods,
    counts,
  });

  return {
    /** Records a login or an attempt, at once or with the next summary. Returns what was written; never throws. */
    record(event: LoginEvent, now: Moment): readonly LoginLine[] {
      if (!windows.add(event, now)) return [];
      const { address, userId, method, outcome, tablet } = event;
      const counts = { succeeded: 0, failed: 0, locked: 0, [outcome]: 1 };
      const summary = { address, userId, methods: [method], counts, ...(tablet !== undefined && { tablet }) };
      return write([summary], now);
    },

    /** Writes the summaries that are due, in one transaction; all of them before the daemon stops. */
    flush: (now: Moment, { all = false } = {}): readonly LoginLine[] => write(windows.take(now, all), now),

    /** Logins and attempts of a user's own account, newest first. */
    ofUser({ id }: User, page: PageRequest): Page<AuditEntry> {
      const filter = { seek: { user_id: id }, scan: { is_login: 1 } };
      return readPage(page, store.reports.audit.count(filter), (slice) =>
        store.reports.audit.page(filter, slice),
      );
    },
  };
}

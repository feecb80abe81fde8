import type { SessionTimeout } from '../../../core/pours/session-rules.ts';
import type { Database } from '../../database.ts';
import type { Caches } from '../../shared/caches.ts';

/** The session time-outs that the site has had; a change of the setting adds one. */
export function sessionTimeoutsTable(db: Database, caches: Caches) {
  const all = db.prepare<[], SessionTimeout>(
    'SELECT from_ms AS fromMs, timeout_minutes * 60000 AS timeoutMs FROM session_timeouts ORDER BY from_ms DESC',
  );
  const removeBefore = db.prepare<{ ms: number }>(
    `DELETE FROM session_timeouts WHERE from_ms >= @ms
       AND from_ms < (SELECT max(from_ms) FROM session_timeouts)`,
  );
  const moveTo = db.prepare<{ ms: number }>('UPDATE session_timeouts SET from_ms = @ms WHERE from_ms > @ms');
  return {
    /** Newest first; never empty. */
    all: caches.untilChange((): readonly SessionTimeout[] => all.all()),
    /** Lets the present time-out hold from that time at the latest. Returns false when it does already. */
    limitTo(ms: number): boolean {
      const isLater = all.get()!.fromMs > ms;
      if (!isLater) return false;
      removeBefore.run({ ms });
      return moveTo.run({ ms }).changes > 0;
    },
  };
}

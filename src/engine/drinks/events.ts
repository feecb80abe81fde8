import type { Moment } from '../../core/clock/moment.ts';
import { isSessionActive } from '../../core/pours/session-rules.ts';
import type { Session, User } from '../../core/records.ts';
import type { SystemEvent } from '../../core/system-events.ts';
import { validateNumber } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';

export function createEvents({ store }: EngineParts) {
  return {
    /** Newest first; with `since` only ids above it. */
    list({ since, limit }: { readonly since?: number; readonly limit: number }): readonly SystemEvent[] {
      const count = validateNumber('limit', limit, { min: 1, max: 1_000, whole: true });
      if (since === undefined) return store.drinks.events.newest(count);
      const max = Number.MAX_SAFE_INTEGER;
      return store.drinks.events.since(validateNumber('since', since, { min: 0, max, whole: true }), count);
    },

    /** The latest session while it has not ended. */
    currentSession(now: Moment): Session | null {
      const newest = store.drinks.sessions.newest();
      return newest !== null && isSessionActive(newest, now.wallMs) ? newest : null;
    },
    /** The session; for a merged one that of which it is part. */
    session: (id: number): Session | null =>
      Number.isSafeInteger(id) ? store.drinks.sessions.byId(store.drinks.sessions.survivorId(id)) : null,

    /** Users with drinks in a session, each once; without unattributed drinks. */
    participants: (sessionId: number): readonly User[] =>
      store.users.bySession(store.drinks.sessions.survivorId(sessionId)),
  };
}

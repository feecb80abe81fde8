import type { SeenToken } from '../../core/access/seen-token.ts';
import type { Database } from '../database.ts';

/** Number of stored presentments. */
const maxPresentments = 1_000;

interface SeenRow {
  auth_device: string;
  token_value: string;
  raw: string | null;
  device: string;
  times: number;
  last_time_ms: number;
}

// The `+` takes the column's affinity away: with it, SQLite would not search the index of the dotted form.
const isUnknown = `NOT EXISTS
    (SELECT 1 FROM auth_tokens t WHERE t.auth_device = s.auth_device AND t.token_value = s.token_value
     UNION ALL SELECT 1 FROM token_forms f WHERE f.auth_device = s.auth_device AND f.token_value = s.token_value)
  AND NOT (s.auth_device = '' AND EXISTS
    (SELECT 1 FROM auth_tokens t WHERE t.token_value IN (s.token_value, lower(s.token_value))
     UNION ALL SELECT 1 FROM token_forms f WHERE f.token_value IN (s.token_value, lower(s.token_value))
     UNION ALL SELECT 1 FROM auth_tokens t WHERE t.auth_device || '.' || t.token_value = +s.token_value))`;

/** The latest presentment of each token, known or unknown. */
export function presentedTokensTable(db: Database) {
  const one = db.prepare<[string, string], SeenRow>(
    'SELECT * FROM presented_tokens WHERE auth_device = ? AND token_value = ?',
  );
  const times = db
    .prepare<[string, string], number>(
      'SELECT times FROM presented_tokens WHERE auth_device = ? AND token_value = ?',
    )
    .pluck();
  // REPLACE gives a new id, so that the newest id is the latest presentment.
  const note = db.prepare<Omit<SeenToken, 'id'>>(
    `INSERT OR REPLACE INTO presented_tokens (auth_device, token_value, raw, device, times, last_time_ms)
     VALUES (@authDevice, @tokenValue, @raw, @device, @times, @lastTimeMs)`,
  );
  const removeOld = db.prepare<[number]>(
    'DELETE FROM presented_tokens WHERE id <= (SELECT max(id) FROM presented_tokens) - ?',
  );
  const unknown = db.prepare<[number], SeenRow>(
    `SELECT * FROM presented_tokens s WHERE ${isUnknown} ORDER BY s.id DESC LIMIT ?`,
  );
  const removeUnknown = db.prepare<[string, string]>(
    `DELETE FROM presented_tokens AS s WHERE s.auth_device = ? AND s.token_value = ? AND ${isUnknown}`,
  );
  return {
    has: (authDevice: string, tokenValue: string): boolean => times.get(authDevice, tokenValue) !== undefined,
    note(token: Omit<SeenToken, 'times' | 'raw'> & Partial<Pick<SeenToken, 'raw'>>): void {
      const before = times.get(token.authDevice, token.tokenValue) ?? 0;
      note.run({ raw: null, ...token, times: before + 1 });
      removeOld.run(maxPresentments);
    },
    /** Unknown tokens, latest presented first. */
    unknown: (limit: number): readonly SeenToken[] => unknown.all(limit).map(toSeenToken),
    /** Removes an unknown token; false when there is none. */
    removeUnknown: (authDevice: string, tokenValue: string): boolean =>
      removeUnknown.run(authDevice, tokenValue).changes > 0,
    /** The latest presentment of a token; null when it was not presented lately. */
    find(authDevice: string, tokenValue: string): SeenToken | null {
      const row = one.get(authDevice, tokenValue);
      return row === undefined ? null : toSeenToken(row);
    },
  };
}

const toSeenToken = (row: SeenRow): SeenToken => ({
  authDevice: row.auth_device,
  tokenValue: row.token_value,
  raw: row.raw,
  device: row.device,
  times: row.times,
  lastTimeMs: row.last_time_ms,
});

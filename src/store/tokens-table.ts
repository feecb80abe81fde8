import type { AuthToken } from '../core/ledger.ts';
import type { Database } from './database.ts';

interface TokenRow {
  id: number;
  auth_device: string;
  token_value: string;
  nice_name: string;
  username: string | null;
  enabled: number;
  created_time_ms: number;
  expire_time_ms: number | null;
}

const select = `SELECT t.id, t.auth_device, t.token_value, t.nice_name, u.username, t.enabled, t.created_time_ms,
    t.expire_time_ms
  FROM auth_tokens t LEFT JOIN users u ON u.id = t.user_id`;

/** Tags and buttons that people present at the tap. */
export function tokensTable(db: Database) {
  const byId = db.prepare<[number], TokenRow>(`${select} WHERE t.id = ?`);
  const exact = db.prepare<[string, string], TokenRow>(
    `${select} WHERE t.auth_device = ? AND t.token_value = ?`,
  );
  const dotted = db.prepare<[string], TokenRow>(
    `${select} WHERE t.auth_device || '.' || t.token_value = ? ORDER BY t.id LIMIT 1`,
  );
  const byValue = db.prepare<[string], TokenRow>(`${select} WHERE t.token_value = ? ORDER BY t.id LIMIT 2`);
  const page = db.prepare<[number, number], TokenRow>(`${select} WHERE t.id <= ? ORDER BY t.id DESC LIMIT ?`);
  const insert = db
    .prepare<
      {
        authDevice: string;
        tokenValue: string;
        niceName: string;
        userId: number | null;
        enabled: number;
        createdTimeMs: number;
        expireTimeMs: number | null;
      },
      number
    >(
      `INSERT INTO auth_tokens (auth_device, token_value, nice_name, user_id, enabled, created_time_ms, expire_time_ms)
       VALUES (@authDevice, @tokenValue, @niceName, @userId, @enabled, @createdTimeMs, @expireTimeMs) RETURNING id`,
    )
    .pluck();
  return {
    find: (device: string, value: string): AuthToken | null => toToken(exact.get(device, value)),
    /** The newest first, from id `from` downwards. */
    page: (from: number, limit: number): readonly AuthToken[] =>
      page.all(from, limit).map((row) => toToken(row)!),
    /** By `<device>.<value>` as a whole. */
    findDotted: (text: string): AuthToken | null => toToken(dotted.get(text)),
    /** At most two of that value, on whatever device: one is an answer, two are a doubt. */
    findByValue: (value: string): readonly AuthToken[] => byValue.all(value).map((row) => toToken(row)!),
    add: (token: {
      authDevice: string;
      tokenValue: string;
      niceName: string;
      userId: number | null;
      enabled: boolean;
      createdTimeMs: number;
      expireTimeMs: number | null;
    }): AuthToken => toToken(byId.get(insert.get({ ...token, enabled: Number(token.enabled) })!))!,
  };
}

function toToken(row: TokenRow | undefined): AuthToken | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    authDevice: row.auth_device,
    tokenValue: row.token_value,
    niceName: row.nice_name,
    username: row.username,
    enabled: row.enabled === 1,
    createdTimeMs: row.created_time_ms,
    expireTimeMs: row.expire_time_ms,
  };
}

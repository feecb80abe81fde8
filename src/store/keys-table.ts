import type { Database } from './database.ts';

/** What is kept of an API key: enough to recognise it, not enough to use it. */
export interface StoredKey {
  readonly id: number;
  readonly userId: number;
  /** SHA-256 of the secret, 32 bytes. */
  readonly hash: Uint8Array;
  readonly isActive: boolean;
}

interface KeyRow {
  id: number;
  user_id: number;
  hash: Buffer;
  is_active: number;
}

/** API keys, found by the first digits of their secret. */
export function keysTable(db: Database) {
  const byPrefix = db.prepare<[string], KeyRow>(
    'SELECT id, user_id, hash, is_active FROM api_keys WHERE prefix = ?',
  );
  const insert = db
    .prepare<
      { userId: number; prefix: string; hash: Uint8Array; description: string; createdTimeMs: number },
      number
    >(
      `INSERT INTO api_keys (user_id, prefix, hash, description, created_time_ms)
       VALUES (@userId, @prefix, @hash, @description, @createdTimeMs) RETURNING id`,
    )
    .pluck();
  const touch = db.prepare<{ id: number; ms: number }>(
    'UPDATE api_keys SET last_used_time_ms = @ms WHERE id = @id',
  );
  return {
    byPrefix: (prefix: string): readonly StoredKey[] =>
      byPrefix.all(prefix).map((row) => ({
        id: row.id,
        userId: row.user_id,
        hash: row.hash,
        isActive: row.is_active === 1,
      })),
    add: (key: {
      userId: number;
      prefix: string;
      hash: Uint8Array;
      description: string;
      createdTimeMs: number;
    }): number => insert.get(key)!,
    used: (id: number, ms: number): void => void touch.run({ id, ms }),
  };
}

import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** A stored API key: its hash can verify a key but not be used as one. */
interface StoredKey {
  readonly id: number;
  readonly userId: number;
  /** SHA-256 of the secret, 32 bytes. */
  readonly hash: Uint8Array;
  readonly isActive: boolean;
}

/** A key as its owner sees it. */
export interface KeyRecord {
  readonly id: number;
  readonly userId: number;
  /** The first eight digits of the secret, by which its owner identifies it. */
  readonly prefix: string;
  readonly description: string;
  readonly isActive: boolean;
  readonly createdTimeMs: number;
  readonly lastUsedTimeMs: number | null;
  /** Address from which it was last used; null before the first use. */
  readonly lastUsedAddress: string | null;
}

interface KeyRow {
  id: number;
  user_id: number;
  hash: Buffer;
  is_active: number;
}

interface RecordRow {
  id: number;
  user_id: number;
  prefix: string;
  description: string;
  is_active: number;
  created_time_ms: number;
  last_used_time_ms: number | null;
  last_used_address: string | null;
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
  const touch = db.prepare<{ id: number; timeMs: number; address: string | null }>(
    'UPDATE api_keys SET last_used_time_ms = @timeMs, last_used_address = @address WHERE id = @id',
  );
  const byId = db.prepare<[number], RecordRow>('SELECT * FROM api_keys WHERE id = ?');
  const pageByUser = preparePages<RecordRow>(db, {
    select: 'SELECT * FROM api_keys',
    where: 'user_id = @userId',
  });
  const countByUser = db.prepare<[number], number>('SELECT count(*) FROM api_keys WHERE user_id = ?').pluck();
  const change = db.prepare<{ id: number; description: string; isActive: number }>(
    'UPDATE api_keys SET description = @description, is_active = @isActive WHERE id = @id',
  );
  const remove = db.prepare<[number]>('DELETE FROM api_keys WHERE id = ?');
  return {
    byId: (id: number): KeyRecord | null => toRecord(byId.get(id)),
    /** Newest first, from id `from` downwards. */
    pageByUser: (userId: number, slice: Slice): readonly KeyRecord[] =>
      pageByUser(slice, { userId }).map((row) => toRecord(row)!),
    countByUser: (userId: number): number => countByUser.get(userId)!,
    change: (id: number, key: { readonly description: string; readonly isActive: boolean }): void =>
      void change.run({ id, description: key.description, isActive: Number(key.isActive) }),
    remove: (id: number): void => void remove.run(id),
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
    used: (id: number, use: { readonly timeMs: number; readonly address: string | null }): void =>
      void touch.run({ id, timeMs: use.timeMs, address: use.address }),
  };
}

function toRecord(row: RecordRow | undefined): KeyRecord | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    userId: row.user_id,
    prefix: row.prefix,
    description: row.description,
    isActive: row.is_active === 1,
    createdTimeMs: row.created_time_ms,
    lastUsedTimeMs: row.last_used_time_ms,
    lastUsedAddress: row.last_used_address,
  };
}

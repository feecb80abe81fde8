import type { Database } from '../database.ts';

/** A stored login. Only a hash of its token is stored. */
export interface StoredLogin {
  readonly id: number;
  readonly userId: number;
  /** Data stored with the login. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdTimeMs: number;
  readonly seenTimeMs: number;
  readonly expireTimeMs: number;
  /** Last use on the monotonic clock, if it was before the clock was set; else null. */
  readonly provisional: { readonly bootId: string; readonly monoMs: number } | null;
}

interface LoginRow {
  id: number;
  user_id: number;
  data: string;
  created_time_ms: number;
  seen_time_ms: number;
  expire_time_ms: number;
  unset_boot_id: string | null;
  unset_mono_ms: number | null;
}

/** Logins, found by the hash of the token in the cookie. */
export function loginsTable(db: Database) {
  const byHash = db.prepare<[Uint8Array], LoginRow>('SELECT * FROM logins WHERE token_hash = ?');
  const insert = db
    .prepare<Omit<LoginRow, 'id'> & { hash: Uint8Array }, number>(
      `INSERT INTO logins (token_hash, user_id, data, created_time_ms, seen_time_ms, expire_time_ms, unset_boot_id,
         unset_mono_ms)
       VALUES (@hash, @user_id, @data, @created_time_ms, @seen_time_ms, @expire_time_ms, @unset_boot_id, @unset_mono_ms)
       RETURNING id`,
    )
    .pluck();
  const touch = db.prepare<Omit<LoginRow, 'data' | 'user_id'>>(
    `UPDATE logins SET created_time_ms = @created_time_ms, seen_time_ms = @seen_time_ms,
       expire_time_ms = @expire_time_ms, unset_boot_id = @unset_boot_id, unset_mono_ms = @unset_mono_ms
     WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM logins WHERE id = ?');
  const removeByUser = db.prepare<[number, number]>('DELETE FROM logins WHERE user_id = ? AND id <> ?');
  const removeAll = db.prepare<[]>('DELETE FROM logins');
  const removeOld = db.prepare<{ userId: number; keep: number }>(
    `DELETE FROM logins WHERE user_id = @userId AND id <=
       (SELECT id FROM logins WHERE user_id = @userId ORDER BY id DESC LIMIT 1 OFFSET @keep)`,
  );
  const removeExpired = db.prepare<[number]>('DELETE FROM logins WHERE expire_time_ms <= ?');
  const byUser = db.prepare<[number], LoginRow>('SELECT * FROM logins WHERE user_id = ? ORDER BY id DESC');
  const countByUser = db.prepare<[number], number>('SELECT count(*) FROM logins WHERE user_id = ?').pluck();

  return {
    byHash: (hash: Uint8Array): StoredLogin | null => toLogin(byHash.get(hash)),
    add: (hash: Uint8Array, login: Omit<StoredLogin, 'id'>): number =>
      insert.get({
        hash,
        user_id: login.userId,
        data: JSON.stringify(login.data),
        ...toTimeColumns(login),
      })!,
    /** Updates the times of a login. */
    touch: (login: StoredLogin): void => void touch.run({ id: login.id, ...toTimeColumns(login) }),
    remove: (id: number): void => void remove.run(id),
    /** Removes all logins of a user except one. */
    removeByUser: (userId: number, exceptId = 0): void => void removeByUser.run(userId, exceptId),
    removeAll: (): void => void removeAll.run(),
    /** Removes all but the newest `keep` logins of a user. */
    removeOld: (userId: number, keep: number): void => void removeOld.run({ userId, keep }),
    removeExpired: (nowMs: number): void => void removeExpired.run(nowMs),
    /** Newest first. */
    byUser: (userId: number): readonly StoredLogin[] => byUser.all(userId).map((row) => toLogin(row)!),
    countByUser: (userId: number): number => countByUser.get(userId)!,
  };
}

const toTimeColumns = (login: Omit<StoredLogin, 'id'>) => ({
  created_time_ms: login.createdTimeMs,
  seen_time_ms: login.seenTimeMs,
  expire_time_ms: login.expireTimeMs,
  unset_boot_id: login.provisional?.bootId ?? null,
  unset_mono_ms: login.provisional?.monoMs ?? null,
});

function toLogin(row: LoginRow | undefined): StoredLogin | null {
  if (row === undefined) return null;
  const { unset_boot_id: bootId, unset_mono_ms: monoMs } = row;
  return {
    id: row.id,
    userId: row.user_id,
    data: JSON.parse(row.data) as Record<string, unknown>,
    createdTimeMs: row.created_time_ms,
    seenTimeMs: row.seen_time_ms,
    expireTimeMs: row.expire_time_ms,
    provisional: bootId === null || monoMs === null ? null : { bootId, monoMs },
  };
}

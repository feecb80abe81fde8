import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** What the secret in a mail permits. */
export type MailedPurpose = 'invitation' | 'activation' | 'password_reset' | 'confirm_email';

/** A secret that was sent by mail. Only its hash is stored. */
export interface MailedSecret {
  readonly id: number;
  readonly purpose: MailedPurpose;
  /** The inviting user, or the user of the account; null for a secret without effect. */
  readonly userId: number | null;
  /** SHA-256 of the secret, 32 bytes. */
  readonly hash: Uint8Array;
  /** The address concerned. */
  readonly email: string;
  readonly createdTimeMs: number;
  /** How long it is valid, milliseconds; null: until it is used. */
  readonly lifeMs: number | null;
  /** Creation on the monotonic clock, if it was before the clock was set; else null. */
  readonly provisional: { readonly bootId: string; readonly monoMs: number } | null;
}

interface Row {
  id: number;
  purpose: MailedPurpose;
  user_id: number | null;
  secret_hash: Buffer;
  email: string;
  created_time_ms: number;
  life_ms: number | null;
  unset_boot_id: string | null;
  unset_mono_ms: number | null;
}

/** Mailed secrets, found by their hash. */
export function mailedSecretsTable(db: Database) {
  const insert = db
    .prepare<Omit<Row, 'id'>, number>(
      `INSERT INTO mailed_secrets
         (purpose, user_id, secret_hash, email, created_time_ms, life_ms, unset_boot_id, unset_mono_ms)
       VALUES
         (@purpose, @user_id, @secret_hash, @email, @created_time_ms, @life_ms, @unset_boot_id, @unset_mono_ms)
       RETURNING id`,
    )
    .pluck();
  const byId = db.prepare<[number], Row>('SELECT * FROM mailed_secrets WHERE id = ?');
  const byHash = db.prepare<[Uint8Array], Row>('SELECT * FROM mailed_secrets WHERE secret_hash = ?');
  const page = preparePages<Row>(db, {
    select: 'SELECT * FROM mailed_secrets',
    where: 'user_id IS @userId AND purpose = @purpose',
  });
  const count = db
    .prepare<[number, MailedPurpose], number>(
      'SELECT count(*) FROM mailed_secrets WHERE user_id = ? AND purpose = ?',
    )
    .pluck();
  const remove = db.prepare<[number]>('DELETE FROM mailed_secrets WHERE id = ?');
  const removePasswordSecrets = db.prepare<[number]>(
    "DELETE FROM mailed_secrets WHERE user_id = ? AND purpose IN ('activation', 'password_reset')",
  );
  const removeOld = db.prepare<{ userId: number | null; purpose: MailedPurpose; keep: number }>(
    `DELETE FROM mailed_secrets WHERE user_id IS @userId AND purpose = @purpose AND id <=
       (SELECT id FROM mailed_secrets WHERE user_id IS @userId AND purpose = @purpose
          ORDER BY id DESC LIMIT 1 OFFSET @keep)`,
  );
  const removeAll = db.prepare<[]>('DELETE FROM mailed_secrets');

  return {
    /** Returns its id. */
    add: (secret: Omit<MailedSecret, 'id'>): number =>
      insert.get({
        purpose: secret.purpose,
        user_id: secret.userId,
        secret_hash: Buffer.from(secret.hash),
        email: secret.email,
        created_time_ms: secret.createdTimeMs,
        life_ms: secret.lifeMs,
        unset_boot_id: secret.provisional?.bootId ?? null,
        unset_mono_ms: secret.provisional?.monoMs ?? null,
      })!,
    byId: (id: number): MailedSecret | null => toSecret(byId.get(id)),
    byHash: (hash: Uint8Array): MailedSecret | null => toSecret(byHash.get(hash)),
    /** Secrets of a user for one purpose, newest first. */
    page: (userId: number | null, purpose: MailedPurpose, slice: Slice): readonly MailedSecret[] =>
      page(slice, { userId, purpose }).map((row) => toSecret(row)!),
    count: (userId: number, purpose: MailedPurpose): number => count.get(userId, purpose)!,
    remove: (id: number): void => void remove.run(id),
    /** Removes all secrets that could set the account's password. */
    removePasswordSecrets: (userId: number): void => void removePasswordSecrets.run(userId),
    /** Removes all but the newest `keep` secrets of a user for one purpose. */
    removeOld: (userId: number | null, purpose: MailedPurpose, keep: number): void =>
      void removeOld.run({ userId, purpose, keep }),
    removeAll: (): void => void removeAll.run(),
  };
}

function toSecret(row: Row | undefined): MailedSecret | null {
  if (row === undefined) return null;
  const { unset_boot_id: bootId, unset_mono_ms: monoMs } = row;
  return {
    id: row.id,
    purpose: row.purpose,
    userId: row.user_id,
    hash: row.secret_hash,
    email: row.email,
    createdTimeMs: row.created_time_ms,
    lifeMs: row.life_ms,
    provisional: bootId === null || monoMs === null ? null : { bootId, monoMs },
  };
}

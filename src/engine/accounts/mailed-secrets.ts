import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import type { MailedPurpose, MailedSecret } from '../../store/tables/mailed-secrets-table.ts';
import { sameHash } from './secrets.ts';

/** A secret about to be mailed. */
export interface NewSecret {
  readonly purpose: MailedPurpose;
  /** Who invites, or whose account it is about; null for one that opens nothing. */
  readonly userId: number | null;
  readonly email: string;
  /** How long it is good, milliseconds; null: until it is used. */
  readonly lifeMs: number | null;
  /** So many of the same person and purpose may wait in letter boxes; the oldest makes room. */
  readonly keep: number;
}

/** Part of what is hashed, so that one kind of secret can never stand for another. */
const format = 'tapster-mailed-1';

/**
 * Makes a secret of 256 bits in 43 letters and keeps its hash; to be called inside a transaction. What it gives belongs
 * into the mail and nowhere else.
 */
export function createSecret(store: Store, input: NewSecret, now: Moment): { id: number; secret: string } {
  const { purpose, userId, email, lifeMs, keep } = input;
  const secret = randomBytes(32).toString('base64url');
  const id = store.mailedSecrets.add({
    purpose,
    userId,
    hash: hashSecret(purpose, secret),
    email,
    createdTimeMs: Math.max(0, Math.round(now.wallMs)),
    lifeMs,
    provisional: now.synced ? null : { bootId: now.bootId, monoMs: now.monoMs },
  });
  store.mailedSecrets.removeOld(userId, purpose, keep);
  return { id, secret };
}

/**
 * The secret that somebody brings back, while it is good; null for any other. Throws `conflict` when it cannot be told
 * whether its time is over.
 */
export function findValidSecret(
  store: Store,
  { purpose, secret }: { readonly purpose: MailedPurpose; readonly secret: string },
  now: Moment,
): MailedSecret | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return null;
  const hash = hashSecret(purpose, secret);
  const found = store.mailedSecrets.byHash(hash);
  if (found === null || found.purpose !== purpose || !sameHash(found.hash, hash)) return null;
  return isExpired(found, now) ? null : found;
}

/** Whether its time is over; throws `conflict` while nobody can tell. */
export function isExpired(secret: MailedSecret, now: Moment): boolean {
  if (secret.lifeMs === null) return false;
  const ageMs = toAgeMs(secret, now);
  if (ageMs !== null) return ageMs >= secret.lifeMs;
  throw new AppError(
    'conflict',
    'This house does not know what time it is, so it cannot tell whether the link is still good. Try again once its clock is set.',
    { reason: { name: 'clock_unknown' } },
  );
}

/**
 * Time since it was made, milliseconds; null while it cannot be known: a clock nobody has set says too early a time, and
 * would let links live on that are over.
 */
export function toAgeMs({ createdTimeMs, provisional }: MailedSecret, now: Moment): number | null {
  if (provisional?.bootId === now.bootId) return now.monoMs - provisional.monoMs;
  return now.synced ? Math.max(0, now.wallMs - createdTimeMs) : null;
}

/** One hash is enough for 256 random bits: nobody guesses those by trying. */
const hashSecret = (purpose: MailedPurpose, secret: string): Buffer =>
  createHash('sha256').update(`${format}:${purpose}:${secret}`).digest();

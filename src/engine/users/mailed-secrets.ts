import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { MailedPurpose, MailedSecret } from '../../store/users/mailed-secrets-table.ts';
import { sameHash } from './secrets.ts';

/** A secret to be mailed. */
interface NewSecret {
  readonly purpose: MailedPurpose;
  /** The inviting user, or the account it concerns; null for a secret that opens nothing. */
  readonly userId: number | null;
  readonly email: string;
  /** Validity, milliseconds; null: until it is used. */
  readonly lifeMs: number | null;
  /** Most secrets of one user and purpose that stay valid; the oldest is removed. */
  readonly keep: number;
}

/** Part of the hashed text, so that a secret of one purpose never matches another. */
const format = 'tapster-mailed-1';

/**
 * Creates a secret of 256 bits in 43 characters and stores its hash; call it inside a transaction. The secret
 * itself belongs only in the mail.
 */
export function createSecret(store: Store, input: NewSecret, now: Moment): { id: number; secret: string } {
  const { purpose, userId, email, lifeMs, keep } = input;
  const secret = randomBytes(32).toString('base64url');
  const id = store.users.mailedSecrets.add({
    purpose,
    userId,
    hash: hashSecret(purpose, secret),
    email,
    createdTimeMs: Math.max(0, Math.round(now.wallMs)),
    lifeMs,
    provisional: now.synced ? null : { bootId: now.bootId, monoMs: now.monoMs },
  });
  store.users.mailedSecrets.removeOld(userId, purpose, keep);
  return { id, secret };
}

/**
 * The stored secret while it is valid, else null. Throws `conflict` when the clock is not set and its age is
 * unknown.
 */
export function findValidSecret(
  store: Store,
  { purpose, secret }: { readonly purpose: MailedPurpose; readonly secret: string },
  now: Moment,
): MailedSecret | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return null;
  const hash = hashSecret(purpose, secret);
  const found = store.users.mailedSecrets.byHash(hash);
  if (found === null || found.purpose !== purpose || !sameHash(found.hash, hash)) return null;
  return isExpired(found, now) ? null : found;
}

/** Whether it has expired; throws `conflict` while its age is unknown. */
function isExpired(secret: MailedSecret, now: Moment): boolean {
  if (secret.lifeMs === null) return false;
  const ageMs = toAgeMs(secret, now);
  if (ageMs !== null) return ageMs >= secret.lifeMs;
  throw new AppError(
    'conflict',
    'The clock is not set, so it is unknown whether the link is still valid. Try again once the clock is set.',
    { reason: { name: 'clock_not_set' } },
  );
}

/**
 * Time since creation, milliseconds; null while unknown: a clock that is not set is too early and would keep
 * expired links valid.
 */
export function toAgeMs({ createdTimeMs, provisional }: MailedSecret, now: Moment): number | null {
  if (provisional?.bootId === now.bootId) return now.monoMs - provisional.monoMs;
  return now.synced ? Math.max(0, now.wallMs - createdTimeMs) : null;
}

/** A single hash is enough for 256 random bits, which cannot be guessed. */
const hashSecret = (purpose: MailedPurpose, secret: string): Buffer =>
  createHash('sha256').update(`${format}:${purpose}:${secret}`).digest();

/** Links in mails; `siteUrl` is the base URL, `http://bar.example`. */
export const registerLink = (siteUrl: string, code: string): string =>
  `${siteUrl}/accounts/register/?invite_code=${code}`;

export const activationLink = (siteUrl: string, key: string): string => `${siteUrl}/account/activate/${key}/`;

export const resetLink = (siteUrl: string, user: User, token: string): string =>
  `${siteUrl}/accounts/password/reset/confirm/${user.id}-${token}/`;

export const confirmEmailLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/account/confirm-email/${token}`;

/** Throws `conflict` when no mail server is set. */
export function requireMailServer(store: Store): void {
  if (store.notifications.mailSettings.read().host !== '') return;
  throw new AppError('conflict', 'No mail server is set up: ask the staff for help.', {
    reason: { name: 'no_mail' },
  });
}

import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import { newestRows } from '../../store/shared/slice.ts';
import type { Store } from '../../store/store.ts';
import { toActor, writeAudit } from '../shared/audit.ts';
import { validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { parseMailAddress, queueMail } from '../shared/queue-mail.ts';
import { endKeys } from './keys/end-keys.ts';
import {
  confirmEmailLink,
  createSecret,
  findValidSecret,
  requireMailServer,
  resetLink,
  toAgeMs,
} from './mailed-secrets.ts';
import type { HashedPassword } from './secrets.ts';

/** The parts of a reset link. */
interface ResetProof {
  readonly uid: string;
  readonly token: string;
}

const hourMs = 3_600_000;

/** Validity of these links, milliseconds. */
const resetLifeMs = 3 * 24 * hourMs;
const confirmEmailLifeMs = 24 * hourMs;

/** Most reset links mailed to an account per hour, so that nobody can flood a mailbox. */
const maxResetsPerHour = 3;

/** Accounts that share an address: a family's, a club's. */
const maxUsersPerAddress = 10;

/** Account changes confirmed by mail: a forgotten password, a new address. */
export function createAccountLinks(parts: EngineParts) {
  const { store } = parts;

  const findResetUser = ({ uid, token }: ResetProof, now: Moment): User => {
    const secret = findValidSecret(store, { purpose: 'password_reset', secret: token }, now);
    const user = secret?.userId == null ? null : store.users.byId(secret.userId);
    if (!user?.isActive || String(user.id) !== uid || user.email !== secret?.email) throw invalidLinkError();
    return user;
  };

  return {
    /**
     * Mails a link to every active account with that address. Does the same work, one commit, when there is
     * none. Throws `conflict` when no mail server is set.
     */
    requestReset: (
      { email, siteUrl }: { readonly email: string; readonly siteUrl: string },
      now: Moment,
    ): void =>
      change(parts, () => {
        requireMailServer(store);
        const users = store.users
          .activeByEmail(email.trim(), maxUsersPerAddress)
          .filter((user) => user.email !== '' && !hasReachedResetLimit(store, user, now));
        // An unknown address takes the same time, so that timing does not reveal who has an account.
        for (const user of users.length > 0 ? users : [null]) {
          const { secret } = createSecret(
            store,
            {
              purpose: 'password_reset',
              userId: user?.id ?? null,
              email: user?.email ?? '',
              lifeMs: resetLifeMs,
              keep: maxResetsPerHour,
            },
            now,
          );
          if (user === null) continue;
          const values = { username: user.username, link: resetLink(siteUrl, user, secret) };
          queueMail(store, { to: user.id, template: 'password_reset', values }, now);
        }
      }),

    /**
     * The account of a reset link; `invalid_request` naming `token` when the link is invalid, used or expired.
     */
    findResetUser,

    /** Sets the password and ends all logins and links of the account, and its keys if so chosen. Throws as `findResetUser`. */
    reset: (
      proof: ResetProof,
      { password, endsKeys }: { readonly password: HashedPassword; readonly endsKeys: boolean },
      now: Moment,
    ): User =>
      change(parts, () => {
        const user = findResetUser(proof, now);
        store.users.setPassword(user.id, password);
        store.users.logins.removeByUser(user.id);
        store.users.mailedSecrets.removePasswordSecrets(user.id);
        store.users.pins.remove(user.id);
        const note = { action: 'user.password_reset', subject: { kind: 'user', id: user.username } };
        const actor = toActor(user, 'page');
        writeAudit(store, { actor, ...note }, now);
        if (endsKeys) endKeys(store, user, { actor, now });
        return user;
      }),

    /**
     * Mails a link to the new address, which is saved when the link is opened. Throws `invalid_request`,
     * `conflict`.
     */
    requestEmailChange: (
      user: User,
      { email, siteUrl }: { readonly email: string; readonly siteUrl: string },
      now: Moment,
    ): void => change(parts, () => queueEmailConfirmation(store, user, { email, siteUrl }, now)),

    /**
     * Saves the address; `invalid_request` naming `token` when the link is invalid, used, expired or another
     * user's.
     */
    confirmEmail: (user: User, token: string, now: Moment): User =>
      change(parts, () => {
        const secret = findValidSecret(store, { purpose: 'confirm_email', secret: token }, now);
        if (secret === null || secret.userId !== user.id) throw invalidLinkError();
        store.users.mailedSecrets.remove(secret.id);
        const subject = { kind: 'user', id: user.username };
        writeAudit(store, { actor: toActor(user, 'page'), action: 'user.email_confirmed', subject }, now);
        store.users.change({ ...store.users.byId(user.id)!, email: secret.email });
        return store.users.byId(user.id)!;
      }),
  };
}

/**
 * Mails the link that confirms a new address; call it inside a transaction. Throws `invalid_request` for an address that
 * is invalid or the present one, `conflict` without a mail server.
 */
export function queueEmailConfirmation(
  store: Store,
  user: User,
  { email, siteUrl }: { readonly email: string; readonly siteUrl: string },
  now: Moment,
): void {
  const address = parseMailAddress('email', email);
  if (address === user.email)
    throw validationError('email', 'is the address of this account already', { name: 'already_exists' });
  requireMailServer(store);
  const { secret } = createSecret(
    store,
    { purpose: 'confirm_email', userId: user.id, email: address, lifeMs: confirmEmailLifeMs, keep: 1 },
    now,
  );
  const values = { username: user.username, link: confirmEmailLink(siteUrl, secret) };
  queueMail(
    store,
    { to: address, template: 'confirm_email', values, language: user.notificationLanguage },
    now,
  );
}

/** Whether the account has received its maximum of links within the hour. */
function hasReachedResetLimit(store: Store, user: User, now: Moment): boolean {
  const newest = store.users.mailedSecrets.page(user.id, 'password_reset', newestRows(maxResetsPerHour));
  return newest.filter((secret) => (toAgeMs(secret, now) ?? 0) < hourMs).length >= maxResetsPerHour;
}

const invalidLinkError = () =>
  validationError('token', 'belongs to a link that was used, has expired or is invalid', { name: 'link' });

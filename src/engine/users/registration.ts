import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { User } from '../../core/records.ts';
import { newestRows } from '../../store/shared/slice.ts';
import type { Store } from '../../store/store.ts';
import type { MailedSecret } from '../../store/users/mailed-secrets-table.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { parseMailAddress, queueMail } from '../shared/queue-mail.ts';
import { requireAccessChangeable } from './account-rights.ts';
import { mayInvite } from './invitations.ts';
import { activationLink, createSecret, findValidSecret, toAgeMs } from './mailed-secrets.ts';
import type { HashedPassword } from './secrets.ts';
import type { Users } from './users.ts';

/** Minimum time between two links to the same mailbox, milliseconds. */
const minLinkIntervalMs = 300_000;

/** Registration of new accounts. */
export function createRegistration(parts: EngineParts, users: Users) {
  const { store } = parts;

  /** The invitation of a code; null when registration needs none. */
  const requireInvitation = (code: string, now: Moment): MailedSecret | null => {
    const site = store.site.read();
    const isOpen = site.registrationMode === 'public';
    if (code === '') {
      if (isOpen) return null;
      throw new AppError('not_allowed', 'Registration needs an invitation: open its link.', {
        reason: { name: 'invitation_required' },
      });
    }
    const invitation = findValidSecret(store, { purpose: 'invitation', secret: code }, now);
    const inviter = invitation?.userId == null ? null : store.users.byId(invitation.userId);
    if (invitation !== null && mayInvite(site, inviter)) return invitation;
    if (isOpen) return null;
    throw new AppError(
      'not_allowed',
      'This invitation was used, has expired or is invalid. Ask for another one.',
      { reason: { name: 'link_invalid' } },
    );
  };

  const findByActivationKey = (key: string, now: Moment): User => {
    const secret = findValidSecret(store, { purpose: 'activation', secret: key }, now);
    const user = secret?.userId == null ? null : store.users.byId(secret.userId);
    const isTheirs = user !== null && user.email === secret?.email;
    const account = requireFound(isTheirs ? user : null, 'account for this link: it was used or is invalid');
    if (!account.isActive)
      throw new AppError('not_allowed', 'This account is switched off. Ask the staff.', {
        reason: { name: 'switched_off' },
      });
    return account;
  };

  return {
    /**
     * Throws `not_allowed` with the reason when the site does not let somebody with this code (or none)
     * register.
     */
    requireMayRegister: (code: string | undefined = '', now: Moment): void =>
      void requireInvitation(code, now),

    /** Creates an account, uses up its invitation, and mails a welcome. Throws as `requireMayRegister`. */
    register(
      {
        username,
        email,
        password,
        inviteCode = '',
      }: {
        readonly username: string;
        readonly email: string;
        readonly password: HashedPassword;
        readonly inviteCode?: string;
      },
      now: Moment,
    ): User {
      const address = parseMailAddress('email', email);
      return users.addUser(
        {
          username,
          email: address,
          password,
          onCreated(user) {
            const invitation = requireInvitation(inviteCode, now);
            if (invitation !== null) store.users.mailedSecrets.remove(invitation.id);
            queueMail(store, { to: user.id, template: 'welcome', values: { username: user.username } }, now);
          },
        },
        now,
      );
    },

    /**
     * Creates an account for somebody. Its owner gets a welcome mail; without a password, a link to choose one,
     * when a mail server is set and `siteUrl` is known. Without either, the account can only pour with a token.
     */
    addByStaff(
      {
        password,
        siteUrl,
        ...input
      }: {
        readonly username: string;
        readonly password?: HashedPassword;
        readonly email: string;
        readonly displayName: string;
        readonly isStaff: boolean;
        readonly actor: Actor;
        readonly siteUrl: string | null;
      },
      now: Moment,
    ): { readonly user: User; readonly isLinkMailed: boolean } {
      let isLinkMailed = false;
      const user = users.addUser(
        {
          ...input,
          ...omitUndefined({ password }),
          onCreated({ id, email, username }) {
            if (email === '') return;
            if (password !== undefined) {
              queueMail(store, { to: id, template: 'welcome', values: { username } }, now);
              return;
            }
            if (siteUrl === null || store.notifications.mailSettings.read().host === '') return;
            queueActivationMail(store, { id, email, username }, siteUrl, now);
            isLinkMailed = true;
          },
        },
        now,
      );
      return { user, isLinkMailed };
    },

    /**
     * Mails the link for a first password again; the previous one becomes invalid. Throws as
     * `requireAccessChangeable`; `conflict` when no mail server is set, and for an account that has a password, is inactive or has no
     * address; `too_many` within five minutes of the last one.
     */
    sendLink: (
      username: string,
      { actor, siteUrl }: { readonly actor: Actor; readonly siteUrl: string },
      now: Moment,
    ): void =>
      change(parts, () => {
        const user = requireAccessChangeable(store, username, actor);
        requireLinkAllowed(store, user, now);
        queueActivationMail(store, user, siteUrl, now);
        const subject = { kind: 'user', id: user.username };
        writeAudit(store, { actor, action: 'user.activation_sent', subject }, now);
      }),

    /** The account that waits for its first password, by the mailed key. Throws `not_found`, `not_allowed`. */
    findByActivationKey,

    /** Sets that account's password; the key becomes invalid. Throws as `findByActivationKey`. */
    activate: (key: string, password: HashedPassword, now: Moment): User =>
      change(parts, () => {
        const user = findByActivationKey(key, now);
        store.users.setPassword(user.id, password);
        store.users.logins.removeByUser(user.id);
        store.users.mailedSecrets.removePasswordSecrets(user.id);
        return user;
      }),
  };
}

/** Why an account gets no link. */
type NoLink = 'account_off' | 'has_password' | 'no_mail_address' | 'no_mail_server';

type Owner = Pick<User, 'id' | 'username' | 'email'>;

/** Mails the only valid link for a first password; call it inside a transaction. */
function queueActivationMail(
  store: Store,
  { id, username, email }: Owner,
  siteUrl: string,
  now: Moment,
): void {
  const input = { purpose: 'activation', userId: id, email, lifeMs: null, keep: 1 } as const;
  const { secret } = createSecret(store, input, now);
  const values = { username, link: activationLink(siteUrl, secret) };
  queueMail(store, { to: id, template: 'activation', values }, now);
}

/** Throws unless a link for a first password can reach its owner and is useful. */
function requireLinkAllowed(store: Store, user: User, now: Moment): void {
  const linkError = (name: NoLink, sentence: string) =>
    new AppError('conflict', sentence, { reason: { name } });
  if (!user.isActive) throw linkError('account_off', 'This account is switched off. Switch it on first.');
  if (store.users.passwordHash(user.username) !== null)
    throw linkError(
      'has_password',
      'This account has a password. A forgotten password is reset on the login page.',
    );
  if (user.email === '')
    throw linkError('no_mail_address', 'This account has no mail address. Give it one, or set its password.');
  if (store.notifications.mailSettings.read().host === '')
    throw linkError(
      'no_mail_server',
      'No mail server is set up. Set one up first, or set the password of this account.',
    );
  const [last] = store.users.mailedSecrets.page(user.id, 'activation', newestRows(1));
  const age = last?.email === user.email ? toAgeMs(last, now) : null;
  if (age === null || age >= minLinkIntervalMs) return;
  const seconds = Math.ceil((minLinkIntervalMs - age) / 1_000);
  throw new AppError(
    'too_many',
    'A link was mailed less than five minutes ago. Ask its owner to check the mailbox and the spam folder.',
    { reason: { name: 'link_sent_recently', seconds }, retryAfterS: seconds },
  );
}

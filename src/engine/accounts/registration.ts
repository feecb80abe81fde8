import { KegError } from '../../core/keg-error.ts';
import type { User } from '../../core/ledger.ts';
import type { Moment } from '../../core/moment.ts';
import type { MailedSecret } from '../../store/tables/mailed-secrets-table.ts';
import type { Actor } from '../audit.ts';
import { found } from '../bounds.ts';
import { mailAddressIn, queueMail } from '../outbox/queue-mail.ts';
import { change, type EngineParts } from '../parts.ts';
import { mayInvite } from './invitations.ts';
import { goodSecret, mintSecret } from './mailed-secrets.ts';
import { activationLink } from './page-links.ts';
import type { People } from './people.ts';
import type { HashedPassword } from './secrets.ts';

/** How people come by an account. */
export interface Registration {
  /** Throws `not_allowed` with the reason when the house does not let somebody with this code (or none) register. */
  mayRegister(inviteCode: string | undefined, now: Moment): void;
  /** Makes somebody's own account, uses their invitation up, and mails a welcome. Throws as `mayRegister`. */
  register(
    wanted: {
      readonly username: string;
      readonly email: string;
      readonly password: HashedPassword;
      readonly inviteCode?: string;
    },
    now: Moment,
  ): User;
  /**
   * An account made by staff. Its owner gets a welcome by mail; without a password, a link to choose one, where
   * `houseAddress` is known.
   */
  addByStaff(
    wanted: {
      readonly username: string;
      readonly password?: HashedPassword;
      readonly email: string;
      readonly displayName: string;
      readonly isStaff: boolean;
      readonly by: Actor;
      readonly houseAddress: string | null;
    },
    now: Moment,
  ): User;
  /** The account that waits for its first password, by the key that was mailed. Throws `not_found`, `not_allowed`. */
  waiting(activationKey: string, now: Moment): User;
  /** Gives that account its password; the key is worth nothing from then on. Throws as `waiting`. */
  activate(activationKey: string, password: HashedPassword, now: Moment): User;
}

export function createRegistration(parts: EngineParts, people: People): Registration {
  const { store } = parts;

  /** The invitation that lets somebody in; null where none is needed. */
  const invitationOf = (code: string, now: Moment): MailedSecret | null => {
    const site = store.site.read();
    const isOpen = site.registrationMode === 'public';
    if (code === '') {
      if (isOpen) return null;
      throw new KegError(
        'not_allowed',
        'Who gets an account here is invited: it takes the link of an invitation.',
        { reason: { name: 'invited_only' } },
      );
    }
    const invitation = goodSecret(store, { purpose: 'invitation', secret: code }, now);
    const inviter = invitation?.userId == null ? null : store.users.byId(invitation.userId);
    if (invitation !== null && mayInvite(site, inviter)) return invitation;
    if (isOpen) return null;
    throw new KegError(
      'not_allowed',
      'This invitation was used, has run out, or never was. Ask for another one.',
      { reason: { name: 'link_over' } },
    );
  };

  const waiting = (key: string, now: Moment): User => {
    const secret = goodSecret(store, { purpose: 'activation', secret: key }, now);
    const user = secret?.userId == null ? null : store.users.byId(secret.userId);
    const isTheirs = user !== null && user.email === secret?.email;
    const account = found(
      isTheirs ? user : null,
      'account that waits for this link: it was used, or never was',
    );
    if (!account.isActive)
      throw new KegError('not_allowed', 'This account is switched off. Ask the staff.', {
        reason: { name: 'switched_off' },
      });
    return account;
  };

  return {
    mayRegister: (code = '', now) => void invitationOf(code, now),

    register({ username, email, password, inviteCode = '' }, now) {
      const address = mailAddressIn('email', email);
      return people.addUser(
        {
          username,
          email: address,
          password,
          along(user) {
            const invitation = invitationOf(inviteCode, now);
            if (invitation !== null) store.mailedSecrets.remove(invitation.id);
            queueMail(store, { to: user.id, template: 'welcome', values: { username: user.username } }, now);
          },
        },
        now,
      );
    },

    addByStaff: ({ password, houseAddress, ...user }, now) =>
      people.addUser(
        {
          ...user,
          ...(password === undefined ? {} : { password }),
          along({ id, email, username }) {
            if (email === '') return;
            if (password !== undefined) {
              queueMail(store, { to: id, template: 'welcome', values: { username } }, now);
              return;
            }
            if (houseAddress === null || store.mailSettings.read().host === '') return;
            const wanted = { purpose: 'activation', userId: id, email, lifeMs: null, keep: 1 } as const;
            const { secret } = mintSecret(store, wanted, now);
            const values = { username, link: activationLink(houseAddress, secret) };
            queueMail(store, { to: id, template: 'activation', values }, now);
          },
        },
        now,
      ),

    waiting,
    activate: (key, password, now) =>
      change(parts, () => {
        const user = waiting(key, now);
        store.users.setPassword(user.id, password);
        store.logins.removeOfUser(user.id);
        store.mailedSecrets.removeWaysIn(user.id);
        return user;
      }),
  };
}

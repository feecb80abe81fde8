import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { queueEmailConfirmation } from './account-links.ts';
import { requireChangeable } from './account-rights.ts';
import type { Logins, OwnLogin } from './logins.ts';

/**
 * What staff do for people who lost a phone, a PIN or a mailbox. Only superusers do it for superusers: `not_allowed`. Throws
 * `not_found` for an unknown name.
 */
export function createAccountHelp(parts: EngineParts, logins: Logins) {
  const { store } = parts;
  const log = (action: string, { username }: User, actor: Actor, now: Moment) =>
    writeAudit(store, { actor, action, subject: { kind: 'user', id: username } }, now);
  return {
    /** The valid logins of an account, newest first. */
    logins: (username: string, actor: Actor, now: Moment): readonly OwnLogin[] =>
      logins.list(requireChangeable(store, username, actor), now),

    /** Ends the logins of an account except the given one; returns how many there were. */
    endLogins: (
      username: string,
      { actor, exceptLoginId }: { readonly actor: Actor; readonly exceptLoginId?: number },
      now: Moment,
    ): number =>
      change(
        parts,
        () => {
          const user = requireChangeable(store, username, actor);
          const ended = logins.list(user, now).filter(({ id }) => id !== exceptLoginId);
          store.logins.removeByUser(user.id, exceptLoginId);
          if (ended.length > 0) log('user.logins_ended', user, actor, now);
          return ended.length;
        },
        'removal',
      ),

    /** Removes the PIN of an account, so that its owner can choose another one. */
    removePin: (username: string, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          const user = requireChangeable(store, username, actor);
          if (store.pins.remove(user.id)) log('user.pin_removed', user, actor, now);
        },
        'removal',
      ),

    /**
     * Mails a link to a new address, which is saved when the owner of the account opens it. Throws `invalid_request`;
     * `conflict` without a mail server.
     */
    requestEmailChange: (
      username: string,
      { actor, ...address }: { readonly actor: Actor; readonly email: string; readonly siteUrl: string },
      now: Moment,
    ): void =>
      change(parts, () => {
        const user = requireChangeable(store, username, actor);
        queueEmailConfirmation(store, user, address, now);
        log('user.email_asked', user, actor, now);
      }),
  };
}

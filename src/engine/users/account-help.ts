import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { KeyRecord } from '../../store/users/keys-table.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { queueEmailConfirmation } from './account-links.ts';
import { requireAccessChangeable } from './account-rights.ts';
import { endKeys, logKey, removeKey } from './keys/end-keys.ts';
import type { KeyUses } from './keys/key-uses.ts';
import { endLogins, type Logins, type OwnLogin } from './logins.ts';

interface EndLogins {
  readonly actor: Actor;
  readonly exceptLoginId?: number;
  /** True to delete the API keys as well. */
  readonly endsKeys?: boolean;
}

/**
 * What staff do for guests, and superusers for all, who lost a phone, a PIN, a key or a mailbox: `not_allowed` for others.
 * Throws `not_found` for an unknown name.
 */
export function createAccountHelp(parts: EngineParts, logins: Logins, uses: KeyUses) {
  const { store } = parts;
  const log = (action: string, { username }: User, actor: Actor, now: Moment) =>
    writeAudit(store, { actor, action, subject: { kind: 'user', id: username } }, now);
  return {
    /** The valid logins of an account, newest first. */
    logins: (username: string, actor: Actor, now: Moment): readonly OwnLogin[] =>
      logins.list(requireAccessChangeable(store, username, actor), now),

    /** Ends the logins of an account except the given one, and its API keys if asked; returns how many there were. */
    endLogins: (
      username: string,
      { actor, exceptLoginId, endsKeys = false }: EndLogins,
      now: Moment,
    ): { readonly logins: number; readonly keys: number } =>
      change(
        parts,
        () => {
          const user = requireAccessChangeable(store, username, actor);
          const ended = endLogins(store, user, { actor, now }, exceptLoginId);
          const keys = endsKeys ? endKeys(store, user, { actor, now }) : 0;
          return { logins: ended, keys };
        },
        'removal',
      ),

    /** The API keys of an account, newest first. */
    keys: (username: string, actor: Actor, page: PageRequest): Page<KeyRecord> => {
      const { id } = requireAccessChangeable(store, username, actor);
      return readPage(page, store.users.keys.countByUser(id), (slice) =>
        store.users.keys.pageByUser(id, slice).map(uses.withUse),
      );
    },

    /** Deletes one API key of an account. Throws `not_found` for a key of somebody else. */
    removeKey: (username: string, keyId: number, context: ActorContext): void =>
      change(
        parts,
        () => {
          const user = requireAccessChangeable(store, username, context.actor);
          const key = store.users.keys.byId(keyId);
          const found = requireFound(key?.userId === user.id ? key : null, 'such key of this user');
          removeKey(store, found);
          logKey(store, 'user.key_deleted', { user, before: found }, context);
        },
        'removal',
      ),

    /** Removes the PIN of an account, so that its owner can choose another one. */
    removePin: (username: string, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          const user = requireAccessChangeable(store, username, actor);
          if (store.users.pins.remove(user.id)) log('user.pin_removed', user, actor, now);
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
        const user = requireAccessChangeable(store, username, actor);
        queueEmailConfirmation(store, user, address, now);
        log('user.email_asked', user, actor, now);
      }),
  };
}

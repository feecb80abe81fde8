import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { User } from '../../core/records.ts';
import type { Corrected } from '../shared/actor-context.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import {
  nameTakenError,
  requireFewAliases,
  validateDisplayName,
  validateEmail,
  validateUsername,
} from './account-bounds.ts';
import { endAccess, findAlias, logAccountChange } from './account-corrections.ts';
import { queueEmailConfirmation } from './account-links.ts';
import {
  requireAccessChangeable,
  requireAccountsRemain,
  requireChangeable,
  requireSuperuser,
} from './account-rights.ts';
import { endKeys } from './keys/end-keys.ts';
import type { Logins } from './logins.ts';
import { requireOwnNames } from './names/own-names.ts';
import type { Pins } from './pins/pins.ts';
import type { HashedPassword } from './secrets.ts';

/** Fields of an account that its owner may change. */
interface OwnAccountChange {
  readonly displayName?: string;
  /** Null: the default language. */
  readonly notificationLanguage?: string | null;
}

/** Fields of an account that staff may change. */
interface AccountChange extends OwnAccountChange {
  /** A new name. The present one stays an alias. */
  readonly username?: string;
  readonly email?: string;
  readonly isStaff?: boolean;
  readonly isSuperuser?: boolean;
  readonly isActive?: boolean;
}

const dayMs = 24 * 3_600_000;

/** More often, somebody is playing, or trying to collect names. */
const maxRenamesPerDay = 3;

/** Whether somebody can log in, and when they last did. */
interface AccountState {
  readonly user: User;
  /** False while the owner has not chosen one; an account used only with a token needs none. */
  readonly hasPassword: boolean;
  /** Whether mail can be sent to its owner. */
  readonly hasEmail: boolean;
  /** To the hour, from logins that are still valid; null when there is none. */
  readonly lastSeenMs: number | null;
  readonly hasPin: boolean;
  /** After too many wrong PINs, until a login by password or a new PIN. */
  readonly isPinLocked: boolean;
}

/** Changes of accounts by staff and by their owners. */
export function createAccounts(
  parts: EngineParts,
  { endUserGrants }: { endUserGrants(username: string, now: Moment): void },
  { logins, pins }: { readonly logins: Pick<Logins, 'list'>; readonly pins: Pick<Pins, 'of'> },
) {
  const { store } = parts;
  const renames = new RecentRenames();

  /** Returns the account with the name, and with a display name that repeats it: that was not chosen. */
  const rename = (user: User, newName: string, now: Moment): User => {
    const username = validateUsername(newName);
    if (username === user.username) return user;
    const owner = store.users.byName(username);
    if (owner !== null && owner.id !== user.id) throw nameTakenError();
    renames.require(user.id, now);
    store.users.rename(user, username);
    requireFewAliases(store, user.id);
    return {
      ...user,
      username,
      displayName: user.displayName === user.username ? username : user.displayName,
    };
  };

  /** Names that stay as they are may be older than the rule. */
  const requireChangedNames = (before: User, after: User): void =>
    requireOwnNames(store, {
      id: after.id,
      ...(after.username !== before.username && { username: after.username }),
      ...(after.displayName !== before.displayName && { displayName: after.displayName }),
    });

  return {
    /**
     * Changes an account. Deactivating ends its logins, keys and invitations, and closes its taps. Only superusers change superusers and make
     * them, and change address and role of staff: `not_allowed`; the last active superuser and the last active staff account stay: `conflict`. A new name that an
     * account has or had is `invalid_request`, unless it is an earlier one of this account; `too_many` beyond three new
     * names a day, `conflict` beyond ten earlier names. An undo is no new name.
     */
    change(username: string, changes: AccountChange, actor: Actor, now: Moment): Corrected<User> {
      const { before, after, correctionId } = change(parts, () => {
        const { username: newName, ...others } = changes;
        const before = changesAccess(others)
          ? requireAccessChangeable(store, username, actor)
          : requireChangeable(store, username, actor);
        const alias = newName === undefined ? null : findAlias(store, before.id, newName);
        const user = newName === undefined ? before : rename(before, newName, now);
        const after = applyChanges(user, others);
        requireChangedNames(before, after);
        if (after.isSuperuser !== before.isSuperuser) requireSuperuser(store, actor);
        store.users.change(after);
        if (!after.isActive) endAccess(store, after, { actor, now });
        const correctionId = logAccountChange(parts, { before, after, alias }, { actor, now });
        requireAccountsRemain(store, before, after);
        return { before, after, correctionId };
      });
      if (before.username !== after.username) renames.add(after.id, now);
      if (before.isActive && !after.isActive) endUserGrants(after.username, now);
      return { result: after, correctionId };
    },

    /**
     * Changes the owner's account, and mails a link that confirms a new address. All or nothing. Throws
     * `invalid_request`; `conflict` without a mail server.
     */
    changeOwn: (
      user: User,
      { email, ...changes }: OwnAccountChange & { readonly email?: { email: string; siteUrl: string } },
      actor: Actor,
      now: Moment,
    ): User =>
      change(parts, () => {
        const before = store.users.byId(user.id)!;
        const after = applyChanges(before, changes);
        requireChangedNames(before, after);
        if (Object.keys(changes).length > 0) {
          store.users.change(after);
          logAccountChange(parts, { before, after, alias: null }, { actor, now });
        }
        if (email !== undefined) queueEmailConfirmation(store, after, email, now);
        return after;
      }),

    /** Throws `not_found`. */
    state(username: string, now: Moment): AccountState {
      const user = requireFound(store.users.byName(username), 'account of that name');
      const pin = pins.of(user);
      const seen = logins.list(user, now).map(({ seenTimeMs }) => seenTimeMs);
      return {
        user,
        hasPassword: store.users.passwordHash(username) !== null,
        hasEmail: user.email !== '',
        lastSeenMs: seen.length === 0 ? null : Math.max(...seen),
        hasPin: pin.isSet,
        isPinLocked: pin.isLocked,
      };
    },

    /**
     * Sets a password; ends the account's logins except the given one. Somebody else's ends its PIN and its API keys too; the
     * owner chooses about the keys. Throws as `requireAccessChangeable`.
     */
    setPassword: (
      username: string,
      password: HashedPassword,
      {
        actor,
        exceptLoginId,
        endsKeys = false,
        now,
      }: {
        readonly actor: Actor;
        readonly exceptLoginId?: number;
        readonly endsKeys?: boolean;
        readonly now: Moment;
      },
    ): User =>
      change(parts, () => {
        const user = requireAccessChangeable(store, username, actor);
        const isOwn = actor.userId === user.id;
        store.users.setPassword(user.id, password);
        store.users.logins.removeByUser(user.id, exceptLoginId);
        store.users.mailedSecrets.removePasswordSecrets(user.id);
        if (!isOwn) store.users.pins.remove(user.id);
        if (!isOwn || endsKeys) endKeys(store, user, { actor, now });
        writeAudit(
          store,
          { actor, action: 'user.password_set', subject: { kind: 'user', id: user.username } },
          now,
        );
        return user;
      }),

    /** Sets a user's picture, or removes it with null. */
    setMugshot: (username: string, picture: PreparedPicture | null): User =>
      change(
        parts,
        () => {
          const { id } = requireFound(store.users.byName(username), 'account of that name');
          if (picture === null) store.pictures.remove('user', id);
          else store.pictures.set({ subject: 'user', id, name: picture.name, caption: '' });
          return store.users.byId(id)!;
        },
        picture === null ? 'removal' : 'change',
      ),
  };
}

/** Times of the last renames, in memory on the monotonic clock: setting the time allows no further one. */
class RecentRenames {
  readonly #times = new Map<number, readonly number[]>();

  /** Throws `too_many` when the account was renamed too often within a day. */
  require(userId: number, { monoMs }: Moment): void {
    const recent = this.#recent(userId, monoMs);
    if (recent.length < maxRenamesPerDay) return;
    const seconds = Math.ceil((recent[0]! + dayMs - monoMs) / 1_000);
    throw new AppError('too_many', `An account may be renamed ${maxRenamesPerDay} times a day.`, {
      reason: { name: 'renamed_too_often', most: maxRenamesPerDay },
      retryAfterS: seconds,
    });
  }

  add(userId: number, { monoMs }: Moment): void {
    this.#times.set(userId, [...this.#recent(userId, monoMs), monoMs]);
  }

  #recent = (userId: number, monoMs: number): readonly number[] =>
    (this.#times.get(userId) ?? []).filter((time) => monoMs - time < dayMs);
}

/** True for a change of what the account is reached by, or of what it may do. */
const changesAccess = ({ email, isStaff, isSuperuser, isActive }: AccountChange): boolean =>
  [email, isStaff, isSuperuser, isActive].some((value) => value !== undefined);

const applyChanges = (user: User, changes: Omit<AccountChange, 'username'>): User => ({
  ...user,
  ...omitUndefined(changes),
  email: changes.email === undefined ? user.email : validateEmail(changes.email),
  displayName:
    changes.displayName === undefined
      ? user.displayName
      : validateDisplayName(changes.displayName, user.username),
});

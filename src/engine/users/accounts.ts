import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import { validateDisplayName, validateEmail } from './account-bounds.ts';
import type { Logins } from './logins.ts';
import type { HashedPassword } from './secrets.ts';

/** Fields of an account that staff may change. */
interface AccountChange {
  readonly email?: string;
  readonly displayName?: string;
  readonly isStaff?: boolean;
  readonly isActive?: boolean;
}

/** Whether somebody can log in, and when they last did. */
interface AccountState {
  /** False while the owner has not chosen one; an account used only with a token needs none. */
  readonly hasPassword: boolean;
  /** Whether mail can be sent to its owner. */
  readonly hasEmail: boolean;
  /** To the hour, from logins that are still valid; null when there is none. */
  readonly lastSeenMs: number | null;
}

/** Account management by staff. Accounts are deactivated, never deleted. */
export function createAccounts(
  parts: EngineParts,
  { endUserGrants }: { endUserGrants(username: string, now: Moment): void },
  logins: Pick<Logins, 'list'>,
) {
  const { store } = parts;
  return {
    /**
     * Changes an account. Deactivating ends its logins and closes its taps. Only superusers change superusers;
     * the last active staff account cannot be removed: `conflict`.
     */
    change(username: string, changes: AccountChange, actor: Actor, now: Moment): User {
      const { before, after } = change(parts, () => {
        const before = requireChangeable(store, username, actor);
        const after = applyChanges(before, changes);
        store.users.change(after);
        if (before.isStaff || before.isSuperuser) requireActiveStaff(store);
        if (!after.isActive) store.logins.removeByUser(after.id);
        const subject = { kind: 'user', id: after.username };
        writeAudit(
          store,
          {
            actor,
            action: 'user.changed',
            subject,
            before: toAuditSnapshot(before),
            after: toAuditSnapshot(after),
          },
          now,
        );
        return { before, after };
      });
      if (before.isActive && !after.isActive) endUserGrants(after.username, now);
      return after;
    },

    /** Throws `not_found`. */
    state(username: string, now: Moment): AccountState {
      const user = requireFound(store.users.byName(username), 'account of that name');
      const seen = logins.list(user, now).map(({ seenTimeMs }) => seenTimeMs);
      return {
        hasPassword: store.users.passwordHash(username) !== null,
        hasEmail: user.email !== '',
        lastSeenMs: seen.length === 0 ? null : Math.max(...seen),
      };
    },

    /**
     * Sets a password; ends the account's logins except the given one, and removes its PIN unless the owner did
     * it.
     */
    setPassword: (
      username: string,
      password: HashedPassword,
      {
        actor,
        exceptLoginId,
        now,
      }: { readonly actor: Actor; readonly exceptLoginId?: number; readonly now: Moment },
    ): User =>
      change(parts, () => {
        const user = requireChangeable(store, username, actor);
        store.users.setPassword(user.id, password);
        store.logins.removeByUser(user.id, exceptLoginId);
        store.mailedSecrets.removePasswordSecrets(user.id);
        if (actor.userId !== user.id) store.pins.remove(user.id);
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

/** The account, if the actor may change it. */
function requireChangeable(store: Store, username: string, actor: Actor): User {
  const user = requireFound(store.users.byName(username), 'account of that name');
  const actingUser = actor.userId === null ? null : store.users.byId(actor.userId);
  if (user.isSuperuser && actingUser !== null && !actingUser.isSuperuser) {
    throw new AppError('not_allowed', 'Only a superuser may change a superuser.', {
      reason: { name: 'superusers_only' },
    });
  }
  return user;
}

function applyChanges(user: User, { email, displayName, isStaff, isActive }: AccountChange): User {
  return {
    ...user,
    email: email === undefined ? user.email : validateEmail(email),
    displayName:
      displayName === undefined ? user.displayName : validateDisplayName(displayName, user.username),
    isStaff: isStaff ?? user.isStaff,
    isActive: isActive ?? user.isActive,
  };
}

/** At least one active staff account must remain. */
function requireActiveStaff(store: Store): void {
  if (store.users.hasActiveStaff()) return;
  throw new AppError('conflict', 'This is the last staff account. Make another account staff first.', {
    reason: { name: 'last_staff_account' },
  });
}

/** Values for the audit log, without the mail address. */
const toAuditSnapshot = ({ displayName, isStaff, isActive }: User) => ({ displayName, isStaff, isActive });

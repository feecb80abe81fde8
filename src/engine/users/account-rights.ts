import { AppError } from '../../core/app-error.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';

/** The account, if the actor may change its names: `not_found`, or `not_allowed` for a superuser's unless the actor is one. */
export function requireChangeable(store: Store, username: string, actor: Actor): User {
  const user = requireFound(store.users.byName(username), 'account of that name');
  if (user.isSuperuser) requireSuperuser(store, actor);
  return user;
}

/**
 * The account, if the actor may change what it is entered and reached by: password, PIN, logins, keys, address, role. Staff
 * may for guests and for themselves, superusers for all: whoever could for a colleague could act under that name.
 */
export function requireAccessChangeable(store: Store, username: string, actor: Actor): User {
  const user = requireFound(store.users.byName(username), 'account of that name');
  if (isStaffAccount(user) && actor.userId !== user.id) requireSuperuser(store, actor);
  return user;
}

/** True for an account that works at the bar. */
export const isStaffAccount = ({ isStaff, isSuperuser }: Pick<User, 'isStaff' | 'isSuperuser'>): boolean =>
  isStaff || isSuperuser;

/** Throws `not_allowed` unless the actor is a superuser, or no person. */
export function requireSuperuser(store: Store, actor: Actor): void {
  const actingUser = actor.userId === null ? null : store.users.byId(actor.userId);
  if (actingUser === null || actingUser.isSuperuser) return;
  throw new AppError('not_allowed', 'Only a superuser may do this for staff and superusers.', {
    reason: { name: 'superusers_only' },
  });
}

/** At least one active staff account must remain. */
export function requireActiveStaff(store: Store): void {
  if (store.users.hasActiveStaff()) return;
  throw new AppError('conflict', 'This is the last staff account. Make another account staff first.', {
    reason: { name: 'last_staff_account' },
  });
}

/** Throws `conflict` unless an active superuser remains without this user. */
export function requireOtherSuperuser(store: Store, { id }: User): void {
  if (store.users.hasOtherSuperuser(id)) return;
  throw new AppError('conflict', 'This is the last superuser. Make another account superuser first.', {
    reason: { name: 'last_superuser' },
  });
}

/** Throws `conflict` when a change leaves no active superuser, or no active staff account. */
export function requireAccountsRemain(store: Store, before: User, after: User): void {
  const isActiveSuperuser = ({ isSuperuser, isActive }: User) => isSuperuser && isActive;
  if (isActiveSuperuser(before) && !isActiveSuperuser(after)) requireOtherSuperuser(store, before);
  if (before.isStaff || before.isSuperuser) requireActiveStaff(store);
}

import { AppError } from '../../core/app-error.ts';
import type { User } from '../../core/records.ts';
import { toUsernameKey } from '../../core/users/username-rules.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { addCorrection, setUndone } from '../shared/corrections/add-correction.ts';
import type { LeastRole } from '../shared/corrections/undo-kinds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { requireFewAliases } from './account-bounds.ts';
import { isStaffAccount, requireAccountsRemain, requireSuperuser } from './account-rights.ts';
import { endKeys } from './keys/end-keys.ts';
import { endLogins } from './logins.ts';
import { otherNames } from './names/own-names.ts';

const fieldNames = [
  'username',
  'displayName',
  'email',
  'isStaff',
  'isSuperuser',
  'isActive',
  'notificationLanguage',
] as const;

type AccountFields = Partial<Pick<User, (typeof fieldNames)[number]>>;

/** An account before a change; only what the change gave another value. */
interface AccountBefore {
  readonly userId: number;
  /** Whether the account was or became a superuser's: only a superuser may undo it. */
  readonly isSuperusers: boolean;
  /** Whether it was or became one of staff: only a superuser may undo a change of its address and role. */
  readonly isStaffs: boolean;
  /** The new username as an alias, which it was before a rename. */
  readonly alias: string | null;
  readonly fields: AccountFields;
}

interface AccountAfter {
  readonly fields: AccountFields;
}

/** The alias of an account that has the same form for comparison as the name. */
export const findAlias = (store: Store, userId: number, name: string): string | null =>
  store.users.aliases(userId).find((one) => toUsernameKey(one) === toUsernameKey(name)) ?? null;

/**
 * Logs a change of an account. Returns the id of the entry, by which it is undone; null when nothing was changed. The
 * address is stored for the undo only: the log tells that it was changed. Call it in the transaction of the change.
 */
export function logAccountChange(
  parts: EngineParts,
  { before, after, alias }: { readonly before: User; readonly after: User; readonly alias: string | null },
  { actor, now }: ActorContext,
): number | null {
  const names = fieldNames.filter((name) => before[name] !== after[name]);
  const id = writeAudit(
    parts.store,
    {
      actor,
      action: changeAction(names),
      subject: { kind: 'user', id: after.username },
      ...toAuditSides(before, after),
    },
    now,
  );
  if (names.length === 0) return null;
  const stored: { before: AccountBefore; after: AccountAfter } = {
    before: {
      userId: after.id,
      isSuperusers: before.isSuperuser || after.isSuperuser,
      isStaffs: isStaffAccount(before) || isStaffAccount(after),
      alias,
      fields: pick(before, names),
    },
    after: { fields: pick(after, names) },
  };
  addCorrection(parts, {
    id,
    kind: 'user',
    before: JSON.stringify(stored.before),
    after: JSON.stringify(stored.after),
  });
  return id;
}

/** Changed fields that are credentials: how the account is reached, and what it may do. */
const accessFields = [
  'email',
  'isStaff',
  'isSuperuser',
  'isActive',
] as const satisfies readonly (keyof AccountFields)[];

/**
 * Who may undo a change: of a superuser's account, and of address and role of a staff account, a superuser; of address, role
 * and username who has just entered the password.
 */
export function leastRoleToUndo(store: Store, correction: CorrectionRow): LeastRole {
  const { isSuperusers, isStaffs } = toBefore(correction);
  const current = readChangedAccount(store, correction);
  const { fields } = toAfter(correction);
  if (accessFields.some((name) => name in fields))
    return isStaffs || (current !== null && isStaffAccount(current))
      ? 'confirmed-superuser'
      : 'confirmed-staff';
  const role = isSuperusers || current?.isSuperuser ? 'superuser' : 'staff';
  return 'username' in fields ? `confirmed-${role}` : role;
}

/**
 * Ends the logins, API keys and invitations of an account that was deactivated, for good: they do not come back with it. An
 * entry of the log says how many logins and keys. Call it in the transaction of the change.
 */
export function endAccess(store: Store, user: User, context: ActorContext): void {
  endLogins(store, user, context);
  endKeys(store, user, context);
  store.users.mailedSecrets.removeOld(user.id, 'invitation', 0);
}

/** The account of a change; null once it is erased. */
export const readChangedAccount = (store: Store, correction: CorrectionRow): User | null =>
  store.users.byId(toBefore(correction).userId);

/**
 * Gives an account the values before a change. Throws `not_allowed` unless the actor has the least role, `conflict`
 * when they were changed again since, when another account has the name by now, and when no superuser or no staff account
 * would be left. Call it in a transaction, and end the grants of an account that is inactive afterwards.
 */
export function undoAccountChange(
  parts: EngineParts,
  correction: CorrectionRow,
  context: ActorContext,
): void {
  const { store } = parts;
  const { actor, now } = context;
  const { fields, alias } = toBefore(correction);
  const current = readChangedAccount(store, correction);
  if (leastRoleToUndo(store, correction).endsWith('superuser')) requireSuperuser(store, actor);
  const isChanged = Object.entries(toAfter(correction).fields).some(
    ([name, value]) => current?.[name as keyof AccountFields] !== value,
  );
  if (current === null || isChanged) throw changedSinceError();
  const restored: User = { ...current, ...fields };
  requireNamesStillOwn(store, current, restored);
  if (restored.username !== current.username) undoRename(store, current, restored.username, alias);
  store.users.change(restored);
  requireAccountsRemain(store, current, restored);
  if (!restored.isActive) endAccess(store, restored, context);
  const { before, after } = toAuditSides(current, restored);
  const undone = { correction_id: correction.id, action: correction.action };
  const entry = writeAudit(
    store,
    {
      actor,
      action: 'correction.undone',
      subject: { kind: 'user', id: restored.username },
      before: { ...undone, ...before },
      after,
    },
    now,
  );
  setUndone(parts, correction, entry);
}

/** Throws `conflict` when another account has got a name since that can be taken for one of the earlier names. */
function requireNamesStillOwn(store: Store, current: User, restored: User): void {
  const isOthers = otherNames(store, restored.id);
  for (const name of ['username', 'displayName'] as const)
    if (restored[name] !== current[name] && isOthers(restored[name])) throw nameTakenSinceError();
}

/** Gives the earlier name back. The other one stays an alias only if it was one before. */
function undoRename(store: Store, current: User, username: string, alias: string | null): void {
  const owner = store.users.byName(username);
  if (owner !== null && owner.id !== current.id) throw nameTakenSinceError();
  store.users.rename(current, username);
  if (toUsernameKey(username) !== toUsernameKey(current.username)) {
    store.users.removeAlias(current.id, current.username);
    if (alias !== null) store.users.addAlias(current.id, alias);
  }
  requireFewAliases(store, current.id);
}

function changeAction(names: readonly (keyof AccountFields)[]): string {
  if (names.includes('username')) return 'user.renamed';
  return names.length === 1 && names[0] === 'email' ? 'user.email_changed' : 'user.changed';
}

/** Both sides for the audit log, with the username of a renamed account, and without the mail address. */
function toAuditSides(before: User, after: User) {
  const isRenamed = before.username !== after.username;
  const side = ({ username, ...user }: User) => ({
    ...(isRenamed && { username }),
    displayName: user.displayName,
    isStaff: user.isStaff,
    isSuperuser: user.isSuperuser,
    isActive: user.isActive,
    notificationLanguage: user.notificationLanguage,
    hasEmail: user.email !== '',
  });
  return { before: side(before), after: side(after) };
}

const toBefore = ({ before }: CorrectionRow) => JSON.parse(before) as AccountBefore;
const toAfter = ({ after }: CorrectionRow) => JSON.parse(after) as AccountAfter;

const pick = (user: User, names: readonly (keyof AccountFields)[]): AccountFields =>
  Object.fromEntries(names.map((name) => [name, user[name]]));

const changedSinceError = () =>
  new AppError('conflict', 'This cannot be undone: the account was changed again since.', {
    reason: { name: 'record_changed_since' },
  });

const nameTakenSinceError = () =>
  new AppError('conflict', 'This cannot be undone: another account has the name by now.', {
    reason: { name: 'name_taken_since' },
  });

import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { AuthToken, User } from '../../../core/records.ts';
import { toUsernameKey } from '../../../core/users/username-rules.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import type { createTokens } from '../../access/tokens.ts';
import { type Actor, writeAudit } from '../../shared/audit.ts';
import { requireFound, validationError } from '../../shared/bounds.ts';
import { addCorrection } from '../../shared/corrections/add-correction.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import type { createRegistration } from '../../users/registration.ts';
import { findToken, findUniqueToken, normalizeTokenText, splitToken } from '../../users/resolve-user.ts';
import { requireAccountId, requireDrink } from './corrected-drink.ts';

/** Most drinks of one assignment: writing more would stop everything else for a second on a Pi 3. */
export const maxAssigned = 1_000;

/** The device of a bound token that was sent without one; such a token is found by its value alone. */
const defaultDevice = 'core.rfid';

/** The drinks to assign: those without a user with which this name or token was sent, or these ids (at most `maxAssigned`). */
export type AssignedDrinks =
  | { readonly claimedUsername: string }
  | { readonly authToken: string }
  | { readonly drinkIds: readonly number[] };

interface Assignment {
  readonly drinks: AssignedDrinks;
  readonly username: string;
  /** Creates the account `username`; absent: it exists. */
  readonly newUser?: {
    readonly displayName: string;
    readonly email: string;
    readonly siteUrl: string | null;
  };
  /** True: later pours with the token belong to the user, too. Only for drinks by token. */
  readonly bindsToken?: boolean;
  readonly actor: Actor;
}

interface AssignmentResult {
  readonly user: User;
  /** Number of drinks that got the user. */
  readonly assigned: number;
  /** Number of drinks that still match, for further assignments. */
  readonly remaining: number;
  /** Undoes the assignment; null when no drink changed. */
  readonly correctionId: number | null;
  /** The bound token; null without one. */
  readonly token: AuthToken | null;
}

interface Services {
  readonly registration: ReturnType<typeof createRegistration>;
  readonly tokens: ReturnType<typeof createTokens>;
}

/** Assigns many drinks without a user at once. */
export function createAssignments(parts: EngineParts, { registration, tokens }: Services) {
  const { store } = parts;

  const createUser = (
    { username, newUser, actor }: Assignment & { newUser: NonNullable<Assignment['newUser']> },
    now: Moment,
  ) => registration.addByStaff({ ...newUser, username, isStaff: false, actor }, now).user;

  const bindToken = (authToken: string, user: User, actor: Actor, now: Moment): AuthToken => {
    const { device, value } = splitToken(authToken);
    const existing = findToken(store, authToken) ?? (device === null ? findUniqueToken(store, value) : null);
    if (existing === null) {
      const token = { device: device ?? defaultDevice, value, username: user.username };
      return tokens.create(token, now, actor);
    }
    if (existing.username === user.username) return existing;
    if (existing.username === null)
      return tokens.change(existing.id, { username: user.username }, { actor, now });
    throw new AppError(
      'conflict',
      `That token belongs to ${existing.username}: change its owner in the auth tokens first.`,
      { reason: { name: 'token_has_user', user: existing.username } },
    );
  };

  return {
    /**
     * Assigns up to `maxAssigned` drinks, the newest first, in one transaction with the new account and the bound token.
     * Held pours are assigned too and stay held. Throws `not_found` when no drink has that name or token, unless a token
     * is bound; `conflict` for a drink of somebody else, or a token of somebody else.
     */
    assign: (assignment: Assignment, now: Moment): AssignmentResult =>
      change(parts, () => {
        const { drinks, username, newUser, bindsToken = false, actor } = assignment;
        const selection = select(store, drinks);
        if (selection.ids.length === 0 && !bindsToken) throw noDrinksError(drinks);
        const user = newUser ? createUser({ ...assignment, newUser }, now) : requireAccount(store, username);
        const ids = selection.ids.filter((id) => needsUser(store, id, user));
        const correctionId =
          ids.length === 0 ? null : writeCorrection(parts, { ids, user, drinks, actor }, now);
        for (const id of ids) {
          store.drinks.setUser(id, user.id);
          store.drinks.events.setUser(id, user.id);
          store.drinks.corrections.addCorrectedDrink(correctionId!, id);
        }
        const token =
          bindsToken && 'authToken' in drinks ? bindToken(drinks.authToken, user, actor, now) : null;
        return {
          user,
          assigned: ids.length,
          remaining: selection.total - selection.ids.length,
          correctionId,
          token,
        };
      }),
  };
}

/** Removes the user from the drinks of an assignment; call it in the transaction that logs it. */
export function undoAssignment(store: Store, correction: CorrectionRow): void {
  for (const id of store.drinks.corrections.drinkIds(correction.id)) {
    if (store.drinks.byId(id) === null) {
      throw new AppError('conflict', `This cannot be undone: drink ${id} is gone.`, {
        reason: { name: 'drink_gone', drink: id },
      });
    }
    store.drinks.setUser(id, null);
    store.drinks.events.setUser(id, null);
  }
}

/** The drinks of one assignment, and the number of all that match. */
function select(
  store: Store,
  drinks: AssignedDrinks,
): { readonly ids: readonly number[]; readonly total: number } {
  if ('drinkIds' in drinks) {
    const ids = [...new Set(drinks.drinkIds)];
    if (ids.length > maxAssigned)
      throw validationError('drinks', `must be at most ${maxAssigned} ids`, {
        name: 'at_most',
        most: maxAssigned,
      });
    return { ids, total: ids.length };
  }
  const [by, value] =
    'authToken' in drinks
      ? (['token', normalizeTokenText(drinks.authToken)] as const)
      : (['claim', toUsernameKey(drinks.claimedUsername)] as const);
  return {
    ids: store.drinks.unattributedIds(by, value, maxAssigned),
    total: store.drinks.unattributedCount(by, value),
  };
}

/** Throws `not_found` for an unknown drink, `conflict` for one of another user. */
function needsUser(store: Store, id: number, user: User): boolean {
  const { username } = requireDrink(store, id);
  if (username === null) return true;
  if (username === user.username) return false;
  throw new AppError('conflict', `Drink ${id} belongs to ${username}: reassign it alone.`, {
    reason: { name: 'drink_has_user', drink: id },
  });
}

function requireAccount(store: Store, username: string): User {
  const id = requireAccountId(store, username);
  if (id === null)
    throw validationError('username', 'must be the name of an account', { name: 'exists', what: 'account' });
  return requireFound(store.users.byId(id), `user ${username}`);
}

function noDrinksError(drinks: AssignedDrinks): AppError {
  const what = 'authToken' in drinks ? 'this token' : 'this name';
  return new AppError('not_found', `There is no drink without a user with which ${what} was sent.`, {
    reason: { name: 'not_found' },
  });
}

/** Writes the audit entry, without the token's value, and the correction; returns their id. */
function writeCorrection(
  parts: EngineParts,
  { ids, user, drinks, actor }: { ids: readonly number[]; user: User; drinks: AssignedDrinks; actor: Actor },
  now: Moment,
): number {
  const id = writeAudit(
    parts.store,
    {
      actor,
      action: 'drink.assigned',
      subject: ids.length === 1 ? { kind: 'drink', id: ids[0]! } : { kind: 'user', id: user.username },
      before: { user_id: null },
      after: {
        user_id: user.username,
        drinks: ids.length,
        drink_ids: ids.slice(0, 100),
        ...('claimedUsername' in drinks ? { claimed_username: drinks.claimedUsername } : {}),
        ...('authToken' in drinks ? { auth_device: splitToken(drinks.authToken).device } : {}),
      },
    },
    now,
  );
  const [before, after] = [JSON.stringify({ user_id: null }), JSON.stringify({ user_id: user.id })];
  addCorrection(parts, { id, kind: 'assignment', before, after });
  return id;
}

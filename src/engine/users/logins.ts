import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import { removeHiddenCharacters } from '../../core/text/text-rules.ts';
import type { Store } from '../../store/store.ts';
import type { StoredLogin } from '../../store/users/logins-table.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { PasswordConfirmations } from './passwords/passwords.ts';

/** A login expires this long after its last use, milliseconds: fourteen days. */
export const loginLifeMs = 14 * 24 * 3_600_000;

/** Enough for one person's devices. The oldest login is removed. */
export const maxLoginsPerUser = 20;

/** Uses closer together than this count as one, to avoid a write to the SD card with every page. */
const touchMs = 3_600_000;

/** Enough of the user agent to tell browsers apart. */
const maxBrowserLength = 256;

/** Part of the hashed text. A change of the stored data changes this version, which ends every login once. */
const format = 'tapster-login-1';

/** How the user logged in. */
export const loginMethods = ['password', 'registration', 'activation', 'setup', 'demo'] as const;
type LoginMethod = (typeof loginMethods)[number];

/** A login as shown to its owner. */
export interface OwnLogin {
  readonly id: number;
  readonly by: LoginMethod;
  /** User agent; may be empty. */
  readonly browser: string;
  readonly createdTimeMs: number;
  /** To the hour: use is not written with every page. */
  readonly seenTimeMs: number;
}

/** A valid login. */
interface FoundLogin {
  readonly loginId: number;
  readonly user: User;
  /** True for the login of a demo, which may do less than its account. */
  readonly isDemo: boolean;
  /** True when it was just extended: the cookie must be sent again. */
  readonly extended: boolean;
}

/** Logins, identified by the secret in the cookie. Only a hash of the secret is stored. */
export type Logins = ReturnType<typeof createLogins>;

/** Whether a text has the format of our tokens: 256 bits in 43 characters. */
export const isTokenFormat = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

export function createLogins(parts: EngineParts) {
  const { store } = parts;
  const confirmations = new PasswordConfirmations();

  const extend = (login: StoredLogin, now: Moment): boolean => {
    if (toAgeMs(login, now) < touchMs && (login.provisional === null || !now.synced)) return false;
    try {
      store.transaction(() => store.users.logins.touch({ ...login, ...toTimes(login, now) }));
      return true;
    } catch {
      // A full disk must not lock out the person who comes to free space.
      return false;
    }
  };

  return {
    /**
     * Logs an active account in; `not_allowed` for an inactive one. The token is returned only here. It is valid over HTTPS only if
     * the login was `isSecure`, over plain HTTP only if it was not: a token that was read in the network opens nothing over HTTPS.
     */
    open(
      username: string,
      by: LoginMethod,
      now: Moment,
      browser: string = '',
      isSecure = false,
    ): { readonly loginId: number; readonly token: string } {
      const token = randomBytes(32).toString('base64url');
      const loginId = change(
        parts,
        () => {
          const user = store.users.byName(username);
          if (!user?.isActive)
            throw new AppError('not_allowed', 'This account is switched off. Ask the staff.', {
              reason: { name: 'switched_off' },
            });
          if (now.synced) store.users.logins.removeExpired(Math.round(now.wallMs));
          const createdTimeMs = Math.max(0, Math.round(now.wallMs));
          const login = {
            userId: user.id,
            data: {
              by,
              browser: [...removeHiddenCharacters(browser, 'line')].slice(0, maxBrowserLength).join(''),
            },
            createdTimeMs,
            seenTimeMs: createdTimeMs,
          };
          const id = store.users.logins.add(hashToken(token, isSecure), {
            ...login,
            expireTimeMs: createdTimeMs + loginLifeMs,
            provisional: toProvisional(now),
          });
          store.users.logins.removeOld(user.id, maxLoginsPerUser);
          if (by === 'password') store.users.pins.resetWrong(user.id);
          return id;
        },
        'operation',
      );
      return { loginId, token };
    },

    /** The login of a token while it is valid, over HTTPS or not, and its account is active, else null. */
    find(token: string, now: Moment, isSecure = false): FoundLogin | null {
      if (!isTokenFormat(token)) return null;
      const login = store.users.logins.byHash(hashToken(token, isSecure));
      if (login === null || toAgeMs(login, now) >= loginLifeMs) return null;
      const user = store.users.byId(login.userId);
      if (!user?.isActive) return null;
      const isDemo = login.data.by === 'demo';
      return { loginId: login.id, user, isDemo, extended: extend(login, now) };
    },

    /** Records that the owner of a login has entered the password again; returns for how many seconds that counts. */
    confirmPassword: (loginId: number, now: Moment): number => confirmations.add(loginId, now),
    /** Whether the owner of a login has entered the password again within five minutes. */
    isPasswordConfirmed: (loginId: number, now: Moment): boolean => confirmations.has(loginId, now),

    /** A user's valid logins, newest first. */
    list: (user: User, now: Moment): readonly OwnLogin[] =>
      validLogins(store, user, now).map((login) => toOwnLogin(login, now)),

    /** Ends one of the user's own logins. Throws `not_found`, also for those of others. */
    closeOwn: (user: User, loginId: number): void =>
      change(
        parts,
        () => {
          const isOwn = store.users.logins.byUser(user.id).some(({ id }) => id === loginId);
          if (!isOwn)
            throw new AppError('not_found', 'There is no such login of yours.', {
              reason: { name: 'not_found' },
            });
          store.users.logins.remove(loginId);
        },
        'operation',
      ),
    close: (loginId: number): void => change(parts, () => store.users.logins.remove(loginId), 'operation'),

    /** Ends all logins of a user except the given one. */
    closeAllOf: (username: string, exceptLoginId?: number): void =>
      change(
        parts,
        () => {
          const user = store.users.byName(username);
          if (user !== null) store.users.logins.removeByUser(user.id, exceptLoginId);
        },
        'operation',
      ),

    /** Ends all logins: after a restore it is unknown whose they were. */
    closeAll: (): void => change(parts, () => store.users.logins.removeAll(), 'operation'),
  };
}

/**
 * Ends all logins of a user except the given one, with one audit entry; returns how many were valid. Call it inside a
 * transaction.
 */
export function endLogins(
  store: Store,
  user: User,
  { actor, now }: ActorContext,
  exceptLoginId?: number,
): number {
  const count = validLogins(store, user, now).filter(({ id }) => id !== exceptLoginId).length;
  store.users.logins.removeByUser(user.id, exceptLoginId);
  const subject = { kind: 'user', id: user.username };
  if (count > 0) writeAudit(store, { actor, action: 'user.logins_ended', subject, before: { count } }, now);
  return count;
}

const validLogins = (store: Store, { id }: User, now: Moment): readonly StoredLogin[] =>
  store.users.logins.byUser(id).filter((login) => toAgeMs(login, now) < loginLifeMs);

/** A single hash is enough for 256 random bits, which cannot be guessed. */
const hashToken = (token: string, isSecure: boolean): Buffer =>
  createHash('sha256')
    .update(`${format}${isSecure ? '-https' : ''}:${token}`)
    .digest();

const toProvisional = ({ synced, bootId, monoMs }: Moment): StoredLogin['provisional'] =>
  synced ? null : { bootId, monoMs };

/** Time since the last use. Setting the clock must not end the login of the person who sets it. */
function toAgeMs({ seenTimeMs, provisional }: StoredLogin, now: Moment): number {
  if (provisional?.bootId === now.bootId) return now.monoMs - provisional.monoMs;
  return Math.round(now.wallMs) - seenTimeMs;
}

function toOwnLogin(login: StoredLogin, now: Moment): OwnLogin {
  const { by, browser } = login.data;
  // A time from an unset clock is corrected in the view as soon as it can be computed.
  const errorMs = Math.round(now.wallMs) - toAgeMs(login, now) - login.seenTimeMs;
  return {
    id: login.id,
    by: loginMethods.find((method) => method === by) ?? 'password',
    browser: typeof browser === 'string' ? browser : '',
    createdTimeMs: Math.max(0, login.createdTimeMs + errorMs),
    seenTimeMs: Math.max(0, login.seenTimeMs + errorMs),
  };
}

/**
 * Times of a login used now; a creation time from an unset clock is corrected as soon as it can be computed.
 */
function toTimes(login: StoredLogin, now: Moment) {
  const nowMs = Math.max(0, Math.round(now.wallMs));
  const wasProvisional = login.provisional?.bootId === now.bootId;
  const errorMs = wasProvisional ? nowMs - toAgeMs(login, now) - login.seenTimeMs : 0;
  return {
    createdTimeMs: Math.max(0, Math.round(login.createdTimeMs + errorMs)),
    seenTimeMs: nowMs,
    expireTimeMs: nowMs + loginLifeMs,
    provisional: toProvisional(now),
  };
}

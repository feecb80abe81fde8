import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { Engine, Tablet } from '../../engine/engine.ts';
import type { Access, Fields } from '../routes/route.ts';
import { type AccessDecision, decideAccess, userRole } from './access.ts';
import { isForeignOrigin, isFromThisMachine, namesThisHost, namesThisHostOrAddress } from './origin.ts';

/** Longer than any key; a longer text is not hashed. */
const maxKeyLength = 256;

/** The parts of a request that may contain a key. */
export interface KeySources {
  readonly request: IncomingMessage;
  readonly body: Fields;
  readonly query: Fields;
  /** True when `Authorization: Basic api:<key>` counts. */
  readonly basic: boolean;
}

/** Returns the first key found in this order: header, body field, query, Bearer, Basic. */
export function findKey({ request, body, query, basic }: KeySources): string | null {
  const { 'x-kegbot-api-key': header, authorization = '' } = request.headers;
  const candidates = [header, body.api_key, query.api_key, parseBearerKey(authorization)];
  if (basic) candidates.push(parseBasicKey(authorization));
  for (const candidate of candidates) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate.trim();
  }
  return null;
}

/** Who sent a request. A key takes precedence over a login. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'key'; readonly user: User }
  | { readonly kind: 'bad key'; readonly refused: 'unknown' | 'inactive' }
  | { readonly kind: 'login'; readonly user: User; readonly loginId: number; readonly extended: boolean }
  /** A shared tablet; `user` is set while a PIN unlock is valid. */
  | {
      readonly kind: 'tablet';
      readonly tablet: Tablet;
      readonly extended: boolean;
      readonly user?: User;
    }
  /** An expired login. The caller is anonymous and the cookie is removed. */
  | { readonly kind: 'stale login' };

/** The parts of a request that identify the caller. */
export interface Credentials {
  readonly engine: Engine;
  readonly key: string | null;
  /** Token of the login cookie, on routes that accept logins. */
  readonly login: string | null;
  /** Token of a shared tablet's cookie, on routes that accept logins. */
  readonly tabletToken?: string | null;
  /** Set on routes that accept a PIN, with the token of the PIN unlock if one was sent. */
  readonly byPin?: { readonly pinUnlock: string | null } | null;
  readonly now: Moment;
}

/** Finds the caller of a request. Does not decide on access. */
export function identify(credentials: Credentials): Caller {
  const { engine, key, login, now } = credentials;
  if (key !== null) {
    const found =
      key.length <= maxKeyLength ? engine.users.byKey(key, now) : ({ refused: 'unknown' } as const);
    return 'user' in found ? { kind: 'key', user: found.user } : { kind: 'bad key', refused: found.refused };
  }
  const found = login === null ? null : engine.logins.find(login, now);
  if (found !== null) return { kind: 'login', ...found };
  return findTablet(credentials) ?? { kind: login === null ? 'anonymous' : 'stale login' };
}

/** Finds the shared tablet of a request and the user who has unlocked it. */
function findTablet({ engine, tabletToken, byPin, now }: Credentials): Caller | null {
  const found = tabletToken ? engine.tablets.find(tabletToken, now) : null;
  if (found === null) return null;
  const { extended, ...tablet } = found;
  const user = byPin?.pinUnlock ? engine.tablets.unlockedUser(tablet.id, byPin.pinUnlock, now) : null;
  return { kind: 'tablet', tablet, extended, ...(user === null ? {} : { user }) };
}

/** What the access decision depends on. */
export interface AuthorizationInput extends Pick<Credentials, 'byPin'> {
  readonly engine: Engine;
  readonly request: IncomingMessage;
  readonly caller: Caller;
  /** True for a method that changes something. */
  readonly writes: boolean;
  /** True when unauthenticated callers must wait until the site is set up. */
  readonly requiresSetUp: boolean;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
}

/** Returns the user of an allowed request, or throws `no_key`, `bad_key`, `not_allowed` or `conflict`. */
export function authorize(access: Access, input: AuthorizationInput): User | null {
  const { engine, request, caller, writes } = input;
  const user = callerUser(caller);
  // A browser also sends cookies for requests of foreign pages; a key is only sent by a client that knows it.
  const isBrowserLogin = caller.kind === 'login' || caller.kind === 'tablet';
  if (writes && (isBrowserLogin || access === 'setup')) requireSameOrigin(request);
  if (user === null && input.requiresSetUp && !engine.users.site().isSetUp) {
    throw new AppError('conflict', 'Set-up is not finished: open the web page and complete it.', {
      reason: { name: 'set_up_required' },
    });
  }
  if (access === 'loopback') requireThisMachine(input);
  if (access === 'same-origin') requireOwnPage(input);
  const role = user === null && caller.kind === 'tablet' ? 'tablet' : userRole(user);
  const decision = decideAccess(access, role, () => engine.users.site());
  if (decision === 'allow') return user;
  throw toRefusal(decision, input);
}

const callerUser = (caller: Caller): User | null => ('user' in caller ? (caller.user ?? null) : null);

function toRefusal(
  decision: Exclude<AccessDecision, 'allow'>,
  { caller, byPin }: Pick<AuthorizationInput, 'caller' | 'byPin'>,
): AppError {
  if (decision === 'already-set-up')
    return new AppError('not_allowed', 'Set-up is already finished.', {
      reason: { name: 'already_set_up' },
    });
  if (caller.kind === 'tablet') return byPin ? pinNeededError() : notOnTabletsError();
  if (decision === 'forbidden') {
    return new AppError('not_allowed', 'Only staff may do this: use a staff key or log in as staff.', {
      reason: { name: 'staff_only' },
    });
  }
  if (caller.kind === 'bad key') return badKeyError(caller.refused);
  const why = caller.kind === 'stale login' ? 'This login has ended. Log in again' : 'Log in';
  return new AppError('no_key', `${why}, or send an API key.`, {
    reason: { name: caller.kind === 'stale login' ? 'login_expired' : 'login_needed' },
  });
}

const pinNeededError = () =>
  new AppError('no_key', 'This needs a PIN: choose your name and enter your PIN.', {
    reason: { name: 'pin_needed' },
    fields: { pin: 'is needed' },
  });

const notOnTabletsError = () =>
  new AppError('not_allowed', 'A shared tablet may not do this: log in with your own name and password.', {
    reason: { name: 'not_on_tablets' },
  });

const badKeyError = (refused: 'unknown' | 'inactive') =>
  new AppError(
    'bad_key',
    refused === 'inactive' ? 'This API key or its owner is switched off.' : 'This API key does not exist.',
  );

function requireThisMachine(input: AuthorizationInput): void {
  const { request, caller, hosts } = input;
  if (caller.kind === 'bad key') throw badKeyError(caller.refused);
  const role = userRole(callerUser(caller));
  if (role === 'staff') return;
  if (caller.kind === 'key') throw toRefusal('forbidden', input);
  if (!isFromThisMachine(request)) {
    if (caller.kind === 'login' || caller.kind === 'tablet') throw toRefusal('forbidden', input);
    throw new AppError('no_key', 'Only this machine may do this. Log in as staff, or send a staff key.', {
      reason: { name: 'staff_only' },
    });
  }
  if (!namesThisHost(request, hosts)) throw foreignPageError();
  requireSameOrigin(request);
}

function requireOwnPage({ request, hosts }: AuthorizationInput): void {
  requireSameOrigin(request);
  if (!namesThisHostOrAddress(request, hosts)) {
    throw new AppError(
      'not_allowed',
      'Open the page by this machine’s own name or address, then try again.',
      { reason: { name: 'cross_site_request' } },
    );
  }
}

function requireSameOrigin(request: IncomingMessage): void {
  if (isForeignOrigin(request)) throw foreignPageError();
}

const foreignPageError = () =>
  new AppError('not_allowed', 'A page of another site may not do this.', {
    reason: { name: 'cross_site_request' },
  });

function parseBearerKey(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** User name `api`, the key as password. */
function parseBasicKey(authorization: string): string | undefined {
  const packed = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (packed === undefined) return undefined;
  const text = Buffer.from(packed, 'base64').toString('utf8');
  return text.startsWith('api:') ? text.slice('api:'.length) : undefined;
}

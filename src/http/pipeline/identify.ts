import { omitUndefined } from '../../core/omit-undefined.ts';
import { acceptsKeyInBody, acceptsLogins } from '../routes/api-definition.ts';
import type { Caller, Credentials } from './caller.ts';
import type { IdentifiedRequest, ReadRequest } from './context.ts';
import {
  parseLoginToken,
  parsePinUnlock,
  parseTabletToken,
  setLoginCookie,
  setTabletCookie,
} from './cookies.ts';

/** Longer than any key; a longer text is not hashed. */
const maxKeyLength = 256;

/** Identifies the caller, and renews or removes the browser's cookies. Does not decide on access. */
export function identify(read: ReadRequest): IdentifiedRequest {
  const { request, response } = read;
  const credentials = findCredentials(read);
  const caller = findCaller(read, credentials);
  if (caller.kind === 'stale login') setLoginCookie(request, response, null);
  if (caller.kind === 'login' && caller.extended) setLoginCookie(request, response, credentials.loginToken);
  if (caller.kind === 'tablet' && caller.extended)
    setTabletCookie(request, response, credentials.tabletToken);
  return { ...read, credentials, caller };
}

/** Returns the credentials of a request. */
export function findCredentials(read: ReadRequest): Credentials {
  const { api, route, request } = read;
  const acceptsLogin = acceptsLogins(api, route);
  return {
    key: findKey(read),
    loginToken: acceptsLogin ? parseLoginToken(request, request.secure) : null,
    tabletToken: acceptsLogin ? parseTabletToken(request, request.secure) : null,
  };
}

/** Finds the caller with these credentials at the request's time. */
export function findCaller(read: ReadRequest, credentials: Credentials): Caller {
  const { engine, now, request } = read;
  const { key, loginToken } = credentials;
  if (key !== null) {
    const found =
      key.length <= maxKeyLength
        ? engine.users.byKey(key, now, request.ip)
        : ({ refused: 'unknown' } as const);
    return 'user' in found ? { kind: 'key', user: found.user } : { kind: 'bad key', refused: found.refused };
  }
  const found = loginToken === null ? null : engine.users.logins.find(loginToken, now, request.secure);
  if (found !== null) return { kind: 'login', ...found };
  return findTablet(read, credentials) ?? { kind: loginToken === null ? 'anonymous' : 'stale login' };
}

/** Finds the shared tablet of a request and, if the route accepts a PIN, the user who has unlocked it. */
function findTablet(
  { engine, route, request, now }: ReadRequest,
  { tabletToken }: Credentials,
): Caller | null {
  const found = tabletToken === null ? null : engine.users.tablets.find(tabletToken, now, request.secure);
  if (found === null) return null;
  const { extended, ...tablet } = found;
  const pinUnlock = route.byPin ? parsePinUnlock(request) : null;
  const user = pinUnlock === null ? null : engine.users.tablets.unlockedUser(tablet.id, pinUnlock, now);
  return { kind: 'tablet', tablet, extended, ...omitUndefined({ user: user ?? undefined }) };
}

/** True if the key of a request may be a field of its body: it then decides, unless one stands in the header. */
export const mayBodyHoldKey = ({ api, route, writes, request }: ReadRequest): boolean =>
  writes && acceptsKeyInBody(api, route) && !isKey(request.headers['x-kegbot-api-key']);

/** Returns the first key found in this order: header, body field where permitted, query, Bearer, Basic. */
function findKey({ api, route, request, body, query }: ReadRequest): string | null {
  const { 'x-kegbot-api-key': header, authorization = '' } = request.headers;
  const field = acceptsKeyInBody(api, route) ? body.fields.api_key : undefined;
  const candidates = [header, field, query.api_key, parseBearerKey(authorization)];
  if (api.basicKeys) candidates.push(parseBasicKey(authorization));
  for (const candidate of candidates) {
    if (isKey(candidate)) return candidate.trim();
  }
  return null;
}

const isKey = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

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

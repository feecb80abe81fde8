import type { IncomingMessage } from 'node:http';
import { isTokenFormat, loginLifeMs } from '../../engine/accounts/logins.ts';

/** The cookie that carries a login. */
export const loginCookie = 'sessionid';

/** The cookie that makes a browser a shared tablet. It stays when somebody logs in on it, and out again. */
export const tabletCookie = 'tabletid';

/** The header in which a tablet's page sends the leave that a PIN gave; no foreign page can add it. */
export const pinUnlockHeader = 'x-tapster-pin-unlock';

/** The longest that browsers keep a cookie, seconds: 400 days. Each is given out again long before. */
const tabletLifeS = 400 * 86_400;

/** The login a request carries, null when it carries none of ours: another program of the same host may use the name. */
export const parseLoginToken = (request: IncomingMessage): string | null => parseToken(request, loginCookie);

/** The same for what a shared tablet carries. */
export const parseTabletToken = (request: IncomingMessage): string | null =>
  parseToken(request, tabletCookie);

function parseToken({ headers }: IncomingMessage, cookie: string): string | null {
  const { cookie: text } = headers;
  if (text === undefined) return null;
  for (const pair of text.split(';')) {
    const cut = pair.indexOf('=');
    if (cut < 0 || pair.slice(0, cut).trim() !== cookie) continue;
    const value = pair.slice(cut + 1).trim();
    if (isTokenFormat(value)) return value;
  }
  return null;
}

/**
 * The header that hands a login to a browser; null takes it away again. No script can read it, no foreign page's
 * request carries it. `Secure` only where the browser came by TLS: a bar's own network speaks plain HTTP.
 */
export function formatLoginCookie(token: string | null, isSecure: boolean): string {
  return formatCookie(loginCookie, token, {
    lifeS: Math.floor(loginLifeMs / 1_000),
    sameSite: 'Lax',
    isSecure,
  });
}

/** The same for a shared tablet. Only the house's own page ever asks with it, so it follows no link either. */
export function formatTabletCookie(token: string | null, isSecure: boolean): string {
  return formatCookie(tabletCookie, token, { lifeS: tabletLifeS, sameSite: 'Strict', isSecure });
}

interface CookieOptions {
  readonly lifeS: number;
  readonly sameSite: 'Lax' | 'Strict';
  readonly isSecure: boolean;
}

function formatCookie(
  name: string,
  token: string | null,
  { lifeS, sameSite, isSecure }: CookieOptions,
): string {
  const maxAgeS = token === null ? 0 : lifeS;
  const parts = [
    `${name}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${maxAgeS}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

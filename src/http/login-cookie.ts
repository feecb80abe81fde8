import type { IncomingMessage } from 'node:http';
import { loginLifeMs, looksLikeLogin } from '../engine/accounts/logins.ts';

/** The cookie that carries a login. */
export const loginCookie = 'sessionid';

/** The login a request carries, null when it carries none of ours: another program of the same host may use the name. */
export function loginTokenOf({ headers }: IncomingMessage): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const cut = pair.indexOf('=');
    if (cut < 0 || pair.slice(0, cut).trim() !== loginCookie) continue;
    const value = pair.slice(cut + 1).trim();
    if (looksLikeLogin(value)) return value;
  }
  return null;
}

/**
 * The header that hands a login to a browser; null takes it away again. No script can read it, no foreign page's
 * request carries it. `Secure` only where the browser came by TLS: a bar's own network speaks plain HTTP.
 */
export function loginHeader(token: string | null, isSecure: boolean): string {
  const maxAgeS = token === null ? 0 : Math.floor(loginLifeMs / 1_000);
  const parts = [`${loginCookie}=${token ?? ''}`, 'Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Lax'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

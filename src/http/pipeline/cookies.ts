import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { isTokenFormat, loginLifeMs } from '../../engine/users/logins.ts';

/** Name of the login cookie. */
export const loginCookie = 'sessionid';

/** Name of the cookie that marks a browser as a shared tablet. Logging in and out does not remove it. */
export const tabletCookie = 'tabletid';

/** The header in which a tablet's page sends its PIN unlock. A foreign page cannot set it. */
const pinUnlockHeader = 'x-tapster-pin-unlock';

/**
 * Prefix of the cookies over HTTPS. A browser accepts such a cookie over HTTPS only, and sends it to no other host; whoever
 * changes the traffic of plain HTTP can neither read nor plant it. Browsers do not tell ports apart, so both servers need names
 * of their own.
 */
const securePrefix = '__Host-';

/** 400 days in seconds, the longest life that browsers allow. The cookie is renewed long before. */
const tabletLifeS = 400 * 86_400;

/**
 * Returns the login token of a request, or null: over HTTPS that of the cookie for HTTPS alone. Another program on the same
 * host may use the same cookie name.
 */
export const parseLoginToken = (request: IncomingMessage, isSecure: boolean): string | null =>
  parseToken(request, toName(loginCookie, isSecure));

/** Returns the token of a shared tablet, or null. */
export const parseTabletToken = (request: IncomingMessage, isSecure: boolean): string | null =>
  parseToken(request, toName(tabletCookie, isSecure));

/** Returns the PIN unlock that a tablet's page sends, or null. */
export function parsePinUnlock({ headers }: IncomingMessage): string | null {
  const pinUnlock = headers[pinUnlockHeader];
  return typeof pinUnlock === 'string' && pinUnlock !== '' ? pinUnlock : null;
}

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

/** Sets the login cookie, or removes it; nothing once the reply has started. */
export function setLoginCookie(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', formatLoginCookie(token, request.secure));
}

/** As `setLoginCookie`, for the cookie of a shared tablet. */
export function setTabletCookie(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', formatTabletCookie(token, request.secure));
}

/** Removes the login cookie of plain HTTP over HTTPS, where it may be removed; the other way browsers do not permit it. */
export function removePlainLoginCookie(response: Response): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', formatLoginCookie(null, false));
}

/**
 * Formats the `Set-Cookie` header for a login; null removes it. Scripts cannot read the cookie and requests of foreign
 * pages do not carry it. `Secure` is set over TLS only.
 */
function formatLoginCookie(token: string | null, isSecure: boolean): string {
  return formatCookie(loginCookie, token, {
    lifeS: Math.floor(loginLifeMs / 1_000),
    sameSite: 'Lax',
    isSecure,
  });
}

/** Formats the cookie of a shared tablet. Only the app's own page uses it, so it is `Strict`. */
function formatTabletCookie(token: string | null, isSecure: boolean): string {
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
    `${toName(name, isSecure)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${maxAgeS}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

const toName = (cookie: string, isSecure: boolean): string =>
  isSecure ? `${securePrefix}${cookie}` : cookie;

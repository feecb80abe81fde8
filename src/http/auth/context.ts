import type { Request, Response } from 'express';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Access, RouteContext } from '../routes/route.ts';
import { authorize, type Caller, identify } from './authorize.ts';
import { formatLoginCookie, formatTabletCookie } from './login-cookie.ts';
import { findOwnAddress } from './own-address.ts';

/** A request with its credentials and the rules that apply to it. */
export interface AuthRequest {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly request: Request;
  readonly response: Response;
  readonly access: Access;
  readonly key: string | null;
  readonly loginToken: string | null;
  readonly tabletToken: string | null;
  readonly byPin: { readonly pinUnlock: string | null } | null;
  readonly writes: boolean;
  readonly requiresSetUp: boolean;
  readonly hosts: readonly string[];
}

/** Identifies the caller and renews or removes the browser's cookies. */
export function resolveCaller(authRequest: AuthRequest, now: Moment): Caller {
  const { request, response, loginToken, tabletToken } = authRequest;
  const caller = identify({ ...authRequest, login: loginToken, now });
  if (caller.kind === 'stale login') setLoginCookie(request, response, null);
  if (caller.kind === 'tablet' && caller.extended) setTabletCookie(request, response, tabletToken);
  if (caller.kind === 'login' && caller.extended) setLoginCookie(request, response, loginToken);
  return caller;
}

/** Creates the context of the handler for an authorized request. */
export function createContext(authRequest: AuthRequest, caller: Caller, now: Moment): RouteContext {
  const { engine, clock, request, response, access, loginToken, hosts } = authRequest;
  return {
    engine,
    now,
    user: 'user' in caller ? (caller.user ?? null) : null,
    login: caller.kind === 'login' ? caller.loginId : null,
    tablet: caller.kind === 'tablet' ? caller.tablet : null,
    // Computed on access: behind a proxy Express parses the forwarded addresses.
    get address() {
      return request.ip ?? '';
    },
    get ownAddress() {
      return findOwnAddress(request, hosts);
    },
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    setLogin: (token) => setLoginCookie(request, response, token),
    setTablet: (token) => setTabletCookie(request, response, token),
    isStillAllowed() {
      const caller = identify({ ...authRequest, login: loginToken, now: clock.now() });
      try {
        authorize(access, { ...authRequest, caller });
        return true;
      } catch {
        return false;
      }
    },
  };
}

function setLoginCookie(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', formatLoginCookie(token, request.secure));
}

function setTabletCookie(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', formatTabletCookie(token, request.secure));
}

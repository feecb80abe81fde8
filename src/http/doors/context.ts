import type { Request, Response } from 'express';
import type { Clock, Moment } from '../../core/moment.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Access, RouteContext } from '../routes/route.ts';
import { admit, type Caller, identify } from './auth.ts';
import { loginHeader, tabletHeader } from './login-cookie.ts';
import { ownAddressOf } from './own-address.ts';

/** Who asks, and all that was known when it was asked. */
export interface Asking {
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
  readonly waitsForSetUp: boolean;
  readonly hosts: readonly string[];
}

/** Finds out who asks, and tells the browser what has become of its login. */
export function callerOf(asking: Asking, now: Moment): Caller {
  const { request, response, loginToken, tabletToken } = asking;
  const caller = identify({ ...asking, login: loginToken, now });
  if (caller.kind === 'stale login') handLogin(request, response, null);
  if (caller.kind === 'tablet' && caller.extended) handTablet(request, response, tabletToken);
  if (caller.kind === 'login' && caller.extended) handLogin(request, response, loginToken);
  return caller;
}

/** The surroundings of a handler whose request was let in. */
export function contextOf(asking: Asking, caller: Caller, now: Moment): RouteContext {
  const { engine, clock, request, response, access, loginToken, hosts } = asking;
  return {
    engine,
    now,
    user: 'user' in caller ? (caller.user ?? null) : null,
    login: caller.kind === 'login' ? caller.loginId : null,
    tablet: caller.kind === 'tablet' ? caller.tablet : null,
    // Looked up only where it is asked for: proxies make a search of it.
    get address() {
      return request.ip ?? '';
    },
    get ownAddress() {
      return ownAddressOf(request, hosts);
    },
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    setLogin: (token) => handLogin(request, response, token),
    setTablet: (token) => handTablet(request, response, token),
    stillWelcome() {
      const caller = identify({ ...asking, login: loginToken, now: clock.now() });
      try {
        admit(access, { ...asking, caller });
        return true;
      } catch {
        return false;
      }
    },
  };
}

function handLogin(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', loginHeader(token, request.secure));
}

function handTablet(request: Request, response: Response, token: string | null): void {
  if (!response.headersSent) response.appendHeader('Set-Cookie', tabletHeader(token, request.secure));
}

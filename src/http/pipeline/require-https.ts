import { AppError } from '../../core/app-error.ts';
import { isHttpsRequired } from '../../core/network/https-requirement.ts';
import type { Route } from '../routes/route.ts';
import { isStaffRole, userRole } from './access.ts';
import type { Caller } from './caller.ts';
import type { IdentifiedRequest } from './context.ts';
import { findHttpsAddress, isFromThisMachine } from './origin.ts';

/** True if secrets in plain HTTP are refused for the client of a request; the configuration file wins over the page. */
export const mustUseHttps = ({
  request,
  engine,
  https,
}: Pick<IdentifiedRequest, 'request' | 'engine' | 'https'>): boolean =>
  !request.secure &&
  !isFromThisMachine(request) &&
  isHttpsRequired({
    requirement: https.fixedRequirement ?? engine.users.site().requireHttps,
    isServed: https.port() !== null,
    isUsedByStaff: engine.site.httpsUse.isUsedByStaff(),
  });

/**
 * Throws if the request must be sent over HTTPS: it carries a secret, or acts for staff by a cookie, and comes in plain HTTP from
 * another machine. Keys are never refused: their clients may be unable to use HTTPS.
 */
export function requireHttps(identified: IdentifiedRequest): void {
  const { request, route, caller, writes, https, hosts } = identified;
  if (!needsHttps(route, caller, writes) || !mustUseHttps(identified)) return;
  const address = findHttpsAddress(request, hosts, https.port());
  throw new AppError('not_allowed', `This needs HTTPS: open the page at ${address ?? 'its HTTPS address'}.`, {
    reason: { name: 'https_required', address: address ?? 'unknown' },
  });
}

/** True if a route carries a password, a PIN, a set-up code or a new key. */
const carriesSecret = ({ access, attempt, method, transport }: Route): boolean =>
  transport === 'https' || attempt === 'login' || (access === 'setup' && method !== 'get');

function needsHttps(route: Route, caller: Caller, writes: boolean): boolean {
  if (route.transport === 'any' || caller.kind === 'key' || caller.kind === 'bad key') return false;
  if (carriesSecret(route)) return true;
  if (!writes) return false;
  // On a shared tablet only staff act, by their PINs.
  if (caller.kind === 'tablet') return caller.user !== undefined;
  return caller.kind === 'login' && isStaffRole(userRole(caller.user));
}

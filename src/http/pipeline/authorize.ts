import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import { acceptsLogins } from '../routes/api-definition.ts';
import { isAllowedInDemo } from '../routes/demo-access.ts';
import { noteLogin, notingFailure } from '../routes/note-login.ts';
import { type AccessDecision, decideAccess, isStaffRole, requiresSetUp, userRole } from './access.ts';
import { attemptSource } from './attempt-source.ts';
import { callerUser } from './caller.ts';
import type { IdentifiedRequest, ReadRequest } from './context.ts';
import { findCaller, findCredentials } from './identify.ts';
import { isForeignOrigin, isFromThisMachine, namesThisHost, namesThisHostOrAddress } from './origin.ts';
import { requireConfirmedLogin, requireCredentialProof } from './require-credential-proof.ts';
import { requireHttps } from './require-https.ts';

/**
 * Lets a request pass if its caller may use the route, and counts it for its key. Throws `no_key`, `bad_key`,
 * `not_allowed`, `conflict` or `too_many`.
 */
export async function authorize(identified: IdentifiedRequest): Promise<void> {
  const { limits, request, response, credentials, caller } = identified;
  try {
    requireAccess(identified);
  } catch (refusal) {
    throw await toReportedError(identified, refusal);
  }
  if (caller.kind === 'key') await limits.countKey(request, response, credentials.key!);
}

/** True if the request is allowed with what has been read of it so far, at its time `now`. */
export function isAllowed(read: ReadRequest): boolean {
  const credentials = findCredentials(read);
  try {
    requireAccess({ ...read, credentials, caller: findCaller(read, credentials) });
    return true;
  } catch {
    return false;
  }
}

/** True if the caller is, at the time `now`, staff or a superuser, or uses a shared tablet, on which staff act by their PINs. */
export function actsAsStaff(read: ReadRequest): boolean {
  const caller = findCaller(read, findCredentials(read));
  return caller.kind === 'tablet' || isStaffRole(userRole(callerUser(caller)));
}

/**
 * Returns the error to report. A wrong key is counted for its address first. If no key was found and the body is
 * unreadable, the key may have been one of its fields, so the body's error is reported instead of a missing key.
 */
async function toReportedError(identified: IdentifiedRequest, refusal: unknown): Promise<unknown> {
  const { limits, request, response, bodyFault } = identified;
  const code = refusal instanceof AppError ? refusal.code : null;
  if (code === 'bad_key') {
    const source = attemptSource(identified);
    noteLogin(source, { method: 'key', outcome: 'failed' });
    await notingFailure(source, { method: 'key' }, () => limits.countWrongKey(request, response));
  }
  return code === 'no_key' && bodyFault !== null ? bodyFault : refusal;
}

/** Throws unless the caller may use the route. */
export function requireAccess(identified: IdentifiedRequest): void {
  const { api, engine, request, route, caller, writes } = identified;
  const { access, allowedBeforeSetUp = false } = route;
  const user = callerUser(caller);
  // A browser also sends cookies for requests of foreign pages, and a foreign page must not log it in as somebody else.
  // A key is only sent by a client that knows it.
  const isByKey = caller.kind === 'key' || caller.kind === 'bad key';
  if (writes && (access === 'setup' || (!isByKey && acceptsLogins(api, route)))) requireSameOrigin(request);
  requireHttps(identified);
  if (
    user === null &&
    api.requiresSetUp &&
    requiresSetUp(access, allowedBeforeSetUp) &&
    !engine.users.site().isSetUp
  ) {
    throw new AppError('conflict', 'Set-up is not finished: open the web page and complete it.', {
      reason: { name: 'set_up_required' },
    });
  }
  if (access === 'loopback') requireThisMachine(identified);
  if (access === 'same-origin') requireOwnPage(identified);
  const role = user === null && caller.kind === 'tablet' ? 'tablet' : userRole(user);
  const decision = decideAccess(access, role, () => engine.users.site());
  if (decision !== 'allow') throw toRefusal(decision, identified);
  if (caller.kind === 'login' && caller.isDemo && !isAllowedInDemo(route)) throw notInDemoError();
  if (access === 'confirmed-superuser') requireConfirmedLogin(identified);
  requireCredentialProof(identified);
}

/** Throws unless the caller is a superuser who has entered the password again within five minutes. */
export function requireConfirmedSuperuser(identified: IdentifiedRequest): void {
  if (userRole(callerUser(identified.caller)) !== 'superuser') throw superusersOnlyError();
  requireConfirmedLogin(identified);
}

function toRefusal(
  decision: Exclude<AccessDecision, 'allow'>,
  { caller, route }: IdentifiedRequest,
): AppError {
  if (decision === 'already-set-up')
    return new AppError('not_allowed', 'Set-up is already finished.', {
      reason: { name: 'already_set_up' },
    });
  if (caller.kind === 'tablet') return route.byPin ? pinNeededError() : notOnTabletsError();
  if (decision === 'forbidden') {
    if (route.access === 'superuser' || route.access === 'confirmed-superuser') return superusersOnlyError();
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

const notInDemoError = () =>
  new AppError('not_allowed', 'The log-in of the demo may not do this.', { reason: { name: 'not_in_demo' } });

const superusersOnlyError = () =>
  new AppError('not_allowed', 'Only a superuser may do this.', { reason: { name: 'superuser_needed' } });

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

function requireThisMachine(identified: IdentifiedRequest): void {
  const { request, caller, hosts } = identified;
  if (caller.kind === 'bad key') throw badKeyError(caller.refused);
  const role = userRole(callerUser(caller));
  if (isStaffRole(role)) return;
  if (caller.kind === 'key') throw toRefusal('forbidden', identified);
  if (!isFromThisMachine(request)) {
    if (caller.kind === 'login' || caller.kind === 'tablet') throw toRefusal('forbidden', identified);
    throw new AppError('no_key', 'Only this machine may do this. Log in as staff, or send a staff key.', {
      reason: { name: 'staff_only' },
    });
  }
  if (!namesThisHost(request, hosts)) throw foreignPageError();
  requireSameOrigin(request);
}

function requireOwnPage({ request, hosts }: IdentifiedRequest): void {
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

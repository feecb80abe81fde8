import type { Request } from 'express';
import { AppError } from '../../core/app-error.ts';
import { noteLogin, notingFailure } from '../routes/note-login.ts';
import type { Attempt, JsonAnswer, RawAnswer } from '../routes/route.ts';
import type { RouteContext } from '../routes/route-context.ts';
import { attemptSource } from './attempt-source.ts';
import { actsAsStaff, isAllowed, requireConfirmedSuperuser } from './authorize.ts';
import { callerUser } from './caller.ts';
import type { ValidatedRequest } from './context.ts';
import { parseLoginToken, removePlainLoginCookie, setLoginCookie, setTabletCookie } from './cookies.ts';
import { findHttpsAddress, findOwnAddress, isOverOwnTls } from './origin.ts';
import { requireUnchanged } from './precondition.ts';
import { setBaseHeaders } from './reply.ts';
import { requestAddress } from './request-address.ts';
import { requireConfirmedLogin } from './require-credential-proof.ts';
import { mustUseHttps } from './require-https.ts';

/**
 * Runs the handler of a route that answers JSON, after `If-Match` was checked. Most handlers return their result at once, so
 * that nothing else can write between the check and their own write.
 */
export function runHandler(validated: ValidatedRequest, answer: JsonAnswer): unknown {
  const { request, route, largeFileSlot } = validated;
  if (route.attempt !== undefined && !largeFileSlot.hasCountedAttempt(request))
    return runAttempt(validated, answer, route.attempt);
  return run(validated, answer);
}

function run(validated: ValidatedRequest, answer: JsonAnswer): unknown {
  const context = createRouteContext(validated);
  context.requireUnchanged();
  return answer.run(context, validated.input);
}

/**
 * Counts the attempt before its password or code is checked. A right one no longer counts, nor one that was refused
 * unchecked because too many were waiting.
 */
async function runAttempt(
  validated: ValidatedRequest,
  answer: JsonAnswer,
  attempt: Attempt,
): Promise<unknown> {
  const { limits, request, response, route } = validated;
  const source = attemptSource(validated);
  const method = attempt === 'login' ? 'password' : route.access === 'setup' ? 'code' : 'link';
  const count = () => limits.countAttempt(attempt, request, response);
  const removeAttempt = await (attempt === 'mail' ? count() : notingFailure(source, { method }, count));
  try {
    const result = await run(validated, answer);
    removeAttempt();
    return result;
  } catch (fault) {
    if (isUnchecked(fault)) removeAttempt();
    if (isWrongCode(fault, attempt)) noteLogin(source, { method, outcome: 'failed' });
    throw fault;
  }
}

const isUnchecked = (fault: unknown): boolean =>
  fault instanceof AppError && (fault.code === 'too_many' || fault.code === 'unavailable');

/** True for a code, or the secret of a link, that is wrong, used or expired. Passwords are noted where they are checked. */
function isWrongCode(fault: unknown, attempt: Attempt): boolean {
  if (!(fault instanceof AppError)) return false;
  const { code, reason, rules = {} } = fault;
  return (
    (attempt === 'code' && code === 'not_found') ||
    reason?.name === 'wrong_code' ||
    reason?.name === 'link_invalid' ||
    Object.values(rules).some(({ name }) => name === 'link')
  );
}

/** Runs the handler of a route that writes its own answer. */
export async function runRawHandler(validated: ValidatedRequest, answer: RawAnswer): Promise<void> {
  const { request, response, input, baseHeaders } = validated;
  setBaseHeaders(response, baseHeaders);
  const { mediaType, send } = answer;
  if (isHeadForStream(request, answer)) response.writeHead(200, { 'Content-Type': mediaType }).end();
  else await send(createRouteContext(validated), { request, response }, input);
}

/** True for HEAD of an event stream: Node omits the body but would keep the stream open. */
const isHeadForStream = ({ method }: Request, { mediaType }: RawAnswer): boolean =>
  method === 'HEAD' && mediaType === 'text/event-stream';

function createRouteContext(validated: ValidatedRequest): RouteContext {
  const { engine, clock, now, log, uploads, request, response, caller, hosts, https } = validated;
  return {
    engine,
    now,
    log,
    keepUpload: (upload) => void uploads.splice(uploads.indexOf(upload), 1),
    user: callerUser(caller),
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
    addressWith: (changes) => requestAddress(validated, changes),
    isSecure: request.secure,
    isOverOwnTls: isOverOwnTls(request),
    get httpsAddress() {
      return findHttpsAddress(request, hosts, https.port());
    },
    get mustUseHttps() {
      return mustUseHttps(validated);
    },
    endPlainLogin: () => endPlainLogin(validated),
    setLogin: (token) => setLoginCookie(request, response, token),
    setTablet: (token) => setTabletCookie(request, response, token),
    requireUnchanged: () =>
      requireUnchanged(validated, (read, answer) => answer.run(createRouteContext(read), read.input)),
    requireConfirmedLogin: () => requireConfirmedLogin(validated),
    requireConfirmedSuperuser: () => requireConfirmedSuperuser(validated),
    isStillAllowed: () => isAllowed({ ...validated, now: clock.now() }),
    actsAsStaff: () => actsAsStaff({ ...validated, now: clock.now() }),
  };
}

function endPlainLogin({ engine, request, response, now }: ValidatedRequest): void {
  if (!request.secure) return;
  const token = parseLoginToken(request, false);
  if (token === null) return;
  const plain = engine.users.logins.find(token, now);
  if (plain !== null) engine.users.logins.close(plain.loginId);
  removePlainLoginCookie(response);
}

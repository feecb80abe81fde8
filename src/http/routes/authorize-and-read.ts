import type { Request } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { requiresSetUp } from '../auth/access.ts';
import { authorize, findKey, identify } from '../auth/authorize.ts';
import { type AuthRequest, createContext, resolveCaller } from '../auth/context.ts';
import { parseLoginToken, parseTabletToken, pinUnlockHeader } from '../auth/login-cookie.ts';
import { maxPictureBytes, type ReadBody, readBody, type UploadTarget } from '../body/read-body.ts';
import { parseUrlencoded } from '../body/urlencoded.ts';
import { acceptsLogins, bodyReadersFor } from './api-definition.ts';
import type { Exchange } from './exchange.ts';
import { parseInput } from './parse-input.ts';
import type { Fields } from './route.ts';

const nothing: Fields = {};
const emptyBody: ReadBody = { fields: nothing, areTexts: false };

/** Authorizes a request, counts it for its limits, and reads and validates its input. Throws an `AppError`. */
export async function authorizeAndRead(exchange: Exchange) {
  const { api, options, request, response, match, route, writes } = exchange;
  const { limits, clock } = options;
  await limits.countRequest(request, response, writes ? 'write' : 'read');

  const query = parseQuery(request);
  const { body, fault } = writes
    ? await tryReadBody(exchange, () =>
        isAuthorizedByHeaders(toAuthRequest(exchange, query, nothing), clock.now()),
      )
    : { body: emptyBody, fault: null };
  // The request's time is when its body is complete.
  const now = clock.now();
  const authRequest = toAuthRequest(exchange, query, body.fields);
  const caller = resolveCaller(authRequest, now);
  try {
    authorize(route.access, { ...authRequest, caller });
  } catch (refusal) {
    throw await toReportedError(exchange, refusal, fault);
  }
  if (caller.kind === 'key' && authRequest.key !== null)
    await limits.countKey(request, response, authRequest.key);
  if (fault !== null) throw fault;
  const input = parseInput(route, api, { paramValues: match.paramValues, query, body });
  return { input, context: createContext(authRequest, caller, now) };
}

function toAuthRequest(exchange: Exchange, query: Fields, fields: Fields): AuthRequest {
  const { api, options, request, response, route, writes } = exchange;
  const acceptsLogin = acceptsLogins(api, route);
  return {
    engine: options.engine,
    clock: options.clock,
    hosts: options.hosts,
    request,
    response,
    access: route.access,
    key: findKey({ request, body: fields, query, basic: api.basicKeys }),
    loginToken: acceptsLogin ? parseLoginToken(request) : null,
    tabletToken: acceptsLogin ? parseTabletToken(request) : null,
    byPin: route.byPin ? { pinUnlock: parsePinUnlock(request) } : null,
    writes,
    requiresSetUp:
      api.requiresSetUp === true && requiresSetUp(route.access, route.allowedBeforeSetUp === true),
  };
}

/**
 * Returns the error to report. A wrong key is counted for its address first. If no key was found and the body is
 * unreadable, the key may have been one of its fields, so the body's error is reported instead of a missing key.
 */
async function toReportedError(
  { options, request, response }: Exchange,
  refusal: unknown,
  bodyFault: unknown,
): Promise<unknown> {
  const code = refusal instanceof AppError ? refusal.code : null;
  if (code === 'bad_key') await options.limits.countWrongKey(request, response);
  return code === 'no_key' && bodyFault !== null ? bodyFault : refusal;
}

/** Returns the PIN unlock that a tablet's page sends. */
function parsePinUnlock({ headers }: Request): string | null {
  const pinUnlock = headers[pinUnlockHeader];
  return typeof pinUnlock === 'string' && pinUnlock !== '' ? pinUnlock : null;
}

function parseQuery({ url }: Request): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? nothing : parseUrlencoded(url.slice(mark + 1));
}

/** Reads the body and returns its error instead of throwing, since authorization errors come first. */
async function tryReadBody(
  exchange: Exchange,
  isAuthorized: () => boolean,
): Promise<{ body: ReadBody; fault: unknown }> {
  const { api, options, request, response, route, uploads, uploadSlots, largeFileSlot } = exchange;
  const uploadTarget: UploadTarget = {
    files: route.accepts.files ?? [],
    maxFileBytes: route.largeFile?.maxBytes ?? maxPictureBytes,
    async createUpload(earlierFields) {
      if (!isAuthorized()) uploadSlots.acquire(request);
      const maxBytes = route.largeFile
        ? await largeFileSlot.acquire({ route, earlierFields, request, response })
        : maxPictureBytes;
      const upload = options.engine.pictures.receive();
      uploads.push(upload);
      return { upload, maxBytes };
    },
  };
  try {
    return { body: await readBody(request, bodyReadersFor(api, route), uploadTarget), fault: null };
  } catch (fault) {
    return { body: emptyBody, fault };
  }
}

/** True if the headers and query alone authorize the request. */
function isAuthorizedByHeaders(authRequest: AuthRequest, now: Moment): boolean {
  try {
    authorize(authRequest.access, {
      ...authRequest,
      caller: identify({ ...authRequest, login: authRequest.loginToken, now }),
    });
    return true;
  } catch (refusal) {
    if (refusal instanceof AppError) return false;
    throw refusal;
  }
}

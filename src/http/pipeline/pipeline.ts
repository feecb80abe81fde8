import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import type { JsonAnswer } from '../routes/route.ts';
import { errorsOf, isDeclaredError } from '../routes/route-errors.ts';
import { createLargeFileSlot } from '../server/large-file.ts';
import { createUploadSlots } from '../server/upload-slots.ts';
import { authorize, requireAccess } from './authorize.ts';
import type {
  IdentifiedRequest,
  MatchedRequest,
  MountedApi,
  MountOptions,
  ReceivedRequest,
  ValidatedRequest,
} from './context.ts';
import { allowOrigin } from './cors.ts';
import { runHandler, runRawHandler } from './handler.ts';
import { findCaller, identify, mayBodyHoldKey } from './identify.ts';
import { matchRoute } from './match-route.ts';
import { readBodyOf, readQuery } from './read-input.ts';
import { createRepeatedWrites } from './repeated-writes.ts';
import { reply, replyAgain, replyToOptions, sendFailure, setBaseHeaders } from './reply.ts';
import { routeTable } from './route-table.ts';
import { validateInput } from './validate-input.ts';

/** Answers every request below the API's prefix: routes, retired addresses and unknown addresses. */
export function mountApi(api: ApiDefinition, options: MountOptions): RequestHandler {
  const mounted: MountedApi = {
    ...options,
    api,
    baseHeaders: [...(options.headers ?? []), ...Object.entries(api.headers).flat()],
    findEndpoint: currentTable(api),
    uploadSlots: createUploadSlots(),
    largeFileSlot: createLargeFileSlot(options),
    repeatedWrites: createRepeatedWrites(),
  };
  return (request, response) => handleRequest(receive(mounted, request, response));
}

/** Looks endpoints up in the routes that the API has now. */
function currentTable(api: ApiDefinition): MountedApi['findEndpoint'] {
  let { routes } = api;
  let find = routeTable(routes, api.retired);
  return (segments) => {
    if (api.routes !== routes) {
      routes = api.routes;
      find = routeTable(routes, api.retired);
    }
    return find(segments);
  };
}

/**
 * The path of a request, in order. Each step throws the error to be answered, or returns the request with its own
 * result added. The overload protection of `http/server` comes before it.
 */
async function handleRequest(received: ReceivedRequest): Promise<void> {
  let isKnown = false;
  try {
    const matched = matchRoute(received); // 404, 405, 410
    await limitRequests(received); // 429, by address
    if (matched === 'options') return replyToOptions(received);
    const unread = readQuery(matched); // 400
    const isBodyFirst = mayBodyHoldKey(unread); // it is then read within narrow bounds
    const early = identify(isBodyFirst ? await readBodyOf(unread, 'anonymous') : unread); // key, login, tablet with PIN
    isKnown = isKnownSender(early);
    await authorize(early); // 401, 403; 429, by key
    const identified = isBodyFirst ? early : await readAuthorized(early);
    const validated = validateInput(identified); // the error of the body, 400
    const { answer } = matched.route;
    if (answer.kind === 'raw') return await runRawHandler(validated, answer);
    const earlier = received.repeatedWrites.begin(validated); // 409
    if (earlier !== null) return replyAgain(validated, earlier);
    await answerRequest(validated, answer);
  } catch (fault) {
    const turn = isKnown ? undefined : received.refusedBodies?.beforeAnswer(received);
    if (turn !== undefined) {
      await releaseUploads(received);
      await turn;
    }
    sendFailure(received.checkReplies ? requireDeclaredError(fault, received) : fault, received);
  } finally {
    await releaseUploads(received);
  }
}

/** Reads the body of an authorized request. It may arrive slowly: afterwards the caller must still be allowed. */
async function readAuthorized(early: IdentifiedRequest): Promise<IdentifiedRequest> {
  const read = await readBodyOf(early, isKnownSender(early) ? 'known' : 'anonymous'); // an error of the body is kept
  if (read === early) return early;
  const identified = { ...read, caller: findCaller(read, early.credentials) };
  requireAccess(identified); // 401, 403
  return identified;
}

const isKnownSender = ({ caller: { kind } }: IdentifiedRequest): boolean =>
  kind === 'key' || kind === 'login' || kind === 'tablet';

async function answerRequest(validated: ValidatedRequest, answer: JsonAnswer): Promise<void> {
  const { repeatedWrites } = validated;
  try {
    const outcome = runHandler(validated, answer); // 429, by attempt; errors of the engine
    // Awaited only if it is a promise: nothing else runs between a handler and its view.
    const sending = reply(validated, answer, outcome instanceof Promise ? await outcome : outcome);
    if (sending !== undefined) await sending;
  } finally {
    repeatedWrites.fail(validated);
  }
}

/** Returns the error, or a fault of the program if the route does not declare it. */
function requireDeclaredError(fault: unknown, received: ReceivedRequest): unknown {
  const matched = fault instanceof AppError ? tryMatch(received) : null;
  if (matched === null || !(fault instanceof AppError)) return fault;
  const { route, api } = matched;
  if (isDeclaredError(fault, errorsOf(route, api))) return fault;
  const { code, reason } = fault;
  return new Error(`Add to the errors of the route ${route.id}: ${code}, ${reason?.name ?? 'no reason'}.`, {
    cause: fault,
  });
}

function tryMatch(received: ReceivedRequest): MatchedRequest | null {
  try {
    const matched = matchRoute(received);
    return matched === 'options' ? null : matched;
  } catch {
    return null;
  }
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function receive(mounted: MountedApi, request: Request, response: Response): ReceivedRequest {
  const writes = !readMethods.has(request.method);
  // The HTTP server answers a body that breaks off, with the headers that are set by then.
  if (writes) setBaseHeaders(response, mounted.baseHeaders);
  allowOrigin(mounted, request, response);
  // The copied fields last: adding fields to a copy of this size takes 10 µs, this way it takes 1.
  return { request, response, format: mounted.api.formatFor(request), writes, uploads: [], ...mounted };
}

const limitRequests = ({ limits, request, response, writes }: ReceivedRequest): Promise<void> =>
  limits.countRequest(request, response, writes ? 'write' : 'read');

/** Deletes uploads after the answer. The periodic clean-up deletes those that remain. */
async function releaseUploads(received: ReceivedRequest): Promise<void> {
  const { request, uploads, uploadSlots, largeFileSlot, log } = received;
  largeFileSlot.release(request);
  for (const upload of uploads.splice(0)) {
    await upload.discard().catch((err: unknown) => log.warn({ err }, 'cannot delete an upload'));
  }
  uploadSlots.release(request);
}

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type Type from 'typebox';
import { AppError } from '../../core/app-error.ts';
import type { Log } from '../ports.ts';
import type { ReplyFormat } from '../routes/reply-format.ts';
import type { JsonAnswer, Route, View } from '../routes/route.ts';
import {
  acceptedCoding,
  addVary,
  type Coding,
  compress,
  compressShared,
  minCompressedBytes,
} from '../server/compression.ts';
import { entityTag, findKnownTag, formatEntityTag } from '../server/entity-tags.ts';
import { isStaffRole, userRole } from './access.ts';
import { hasBody, isLong } from './body/read-body.ts';
import { callerUser } from './caller.ts';
import type { BaseHeaders, MatchedRequest, ReceivedRequest, ValidatedRequest } from './context.ts';
import { allowMethods } from './cors.ts';
import type { WriteAnswer } from './repeated-writes.ts';
import { schemaMismatch } from './validate.ts';

/** Default `Retry-After` of a temporary failure. */
const retryAfterSeconds = 5;

/** Sets the base headers one by one, for answers that start early and for streams. */
export function setBaseHeaders(response: ServerResponse, baseHeaders: BaseHeaders): void {
  // The last one belongs to the API itself; the security headers before it may already be set.
  const last = baseHeaders.at(-2);
  if (last === undefined || response.hasHeader(last)) return;
  for (let i = 0; i < baseHeaders.length; i += 2) response.setHeader(baseHeaders[i]!, baseHeaders[i + 1]!);
}

/** Shows the result of a handler in the reply format of the request, and sends it. */
export function reply(
  validated: ValidatedRequest,
  answer: JsonAnswer,
  result: unknown,
): void | Promise<void> {
  const { status } = answer;
  const json = printAnswer(validated, answer, result);
  if (validated.writes) validated.repeatedWrites.finish(validated, { status, json });
  if (validated.writes || status !== 200) sendInFormat(validated, status, json);
  else return sendRead(validated, json);
}

/** Sends the answer of the same request again. */
export function replyAgain(validated: ValidatedRequest, { status, json }: WriteAnswer): void {
  sendInFormat(validated, status, json);
}

/** Serializes the result of a handler in the reply format of the request; a buffer if it is cached. */
export function printAnswer(
  { route, format, checkReplies }: Pick<ValidatedRequest, 'route' | 'format' | 'checkReplies'>,
  answer: JsonAnswer,
  result: unknown,
): string | Buffer {
  const view = findView(answer, format);
  const print = () => {
    const value = view.show(result as never);
    if (checkReplies) requireDeclaredReply(route, view.body, value);
    return JSON.stringify(format.ok(value));
  };
  const { cacheKey } = answer;
  return cacheKey ? cachedDocument(cacheKey(result as never), view, print) : print();
}

/**
 * Sends the answer to a read: as 304 if the client has it, compressed if it is large enough. An answer to a write is never
 * compressed: beside the client's own texts it may hold a new key, which the compressed length would reveal bit by bit.
 */
function sendRead(matched: ValidatedRequest, json: string | Buffer): void | Promise<void> {
  const { api, request, response, route, format, baseHeaders } = matched;
  // JSONP contains a name that the client chooses: it is neither compressed nor compared.
  const isPlain = format.wrap === undefined;
  const tag = api.entityTags && isPlain ? entityTag(json) : null;
  if (tag !== null) {
    setBaseHeaders(response, baseHeaders);
    // What guests see may stay in a browser's cache, which asks each time whether it is current; all else is not stored.
    // Staff get more from the same addresses, such as auth tokens.
    const isForStaff = isStaffRole(userRole(callerUser(matched.caller)));
    if (route.access === 'viewer' && !isForStaff) response.setHeader('Cache-Control', 'private, no-cache');
    addVary(response, 'Accept-Encoding');
    const knownTag = findKnownTag(request.headers['if-none-match'], tag);
    response.setHeader('ETag', knownTag ?? formatEntityTag(tag, null));
    if (knownTag !== null) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  const isLarge = isPlain && Buffer.byteLength(json) >= minCompressedBytes;
  const coding = isLarge ? acceptedCoding(request) : null;
  if (coding === null) sendInFormat(matched, 200, json);
  else return sendCompressed(matched, json, { coding, tag });
}

async function sendCompressed(
  matched: MatchedRequest,
  json: string | Buffer,
  { coding, tag }: { readonly coding: Coding; readonly tag: string | null },
): Promise<void> {
  const { response } = matched;
  const bytes = await (typeof json === 'string'
    ? compress(Buffer.from(json), coding)
    : compressShared(json, coding));
  if (bytes !== null) {
    setBaseHeaders(response, matched.baseHeaders);
    response.setHeader('Content-Encoding', coding);
    addVary(response, 'Accept-Encoding');
    if (tag !== null) response.setHeader('ETag', formatEntityTag(tag, coding));
  }
  sendInFormat(matched, 200, bytes ?? json);
}

/** Answers `OPTIONS`; the header `Allow` is already set. */
export function replyToOptions(received: ReceivedRequest): void {
  allowMethods(received);
  sendInFormat(received, 200, JSON.stringify(received.format.ok({})));
}

function findView(answer: JsonAnswer, format: ReplyFormat): View<never> {
  const view = answer.views[format.name] ?? answer.views.any;
  if (!view) throw new Error(`No view for the reply format ${format.name}.`);
  return view;
}

function requireDeclaredReply(route: Route, schema: Type.TSchema, value: unknown): void {
  const fault = schemaMismatch(schema, value);
  if (fault !== null) throw new Error(`The reply of ${route.id} is not as declared: ${fault}`);
}

/** Sends a serialized answer, a buffer if it is cached. */
function sendInFormat(
  { response, format: { headers, wrap }, baseHeaders }: ReceivedRequest,
  status: number,
  json: string | Buffer,
): void {
  if (headers) {
    setBaseHeaders(response, baseHeaders);
    for (const [name, text] of Object.entries(headers)) {
      if (text === null) response.removeHeader(name);
      else response.setHeader(name, text);
    }
  }
  // Headers that the format has removed must not be set again.
  send(response, {
    status,
    body: wrap ? wrap(json.toString()) : json,
    baseHeaders: headers ? [] : baseHeaders,
  });
}

/** Sends one JSON answer. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, { status, body: JSON.stringify(value), baseHeaders: [] });
}

interface JsonReply {
  readonly status: number;
  readonly body: string | Buffer;
  readonly baseHeaders: BaseHeaders;
}

function send(response: ServerResponse, { status, body, baseHeaders }: JsonReply): void {
  const contentHeaders = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    Buffer.byteLength(body),
  ];
  if (response.getHeaderNames().length === 0) {
    // One call takes half the time of setting a dozen headers one by one.
    response.writeHead(status, [...baseHeaders, ...contentHeaders]);
  } else {
    setBaseHeaders(response, baseHeaders);
    for (let i = 0; i < contentHeaders.length; i += 2)
      response.setHeader(String(contentHeaders[i]), contentHeaders[i + 1]!);
    response.statusCode = status;
  }
  response.end(body);
}

/** Serialized answers by source object, garbage-collected with it, then by view. */
const cache = new WeakMap<object, Map<View<never>, Buffer>>();

/** Returns the serialized answer for `source` and this view; calls `print` only the first time. */
export function cachedDocument(source: object, view: View<never>, print: () => string): Buffer {
  let texts = cache.get(source);
  if (texts === undefined) {
    texts = new Map();
    cache.set(source, texts);
  }
  let text = texts.get(view);
  if (text === undefined) {
    text = Buffer.from(print());
    texts.set(view, text);
  }
  return text;
}

/** Answers a request with an error. Unexpected errors are logged. */
export function sendFailure(fault: unknown, received: ReceivedRequest): void {
  const { request, response, format, baseHeaders, log } = received;
  const error = fault instanceof AppError ? fault : toInternalError(fault, request, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  setBaseHeaders(response, baseHeaders);
  // A rate limit has set its own.
  const isTemporary = error.code === 'unavailable' || error.code === 'too_many';
  if (isTemporary && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', retryAfterSeconds);
  if (error.retryAfterS !== undefined) response.setHeader('Retry-After', error.retryAfterS);
  // The rest of an oversized body is not read, nor a long one that nobody has begun to read.
  if (error.code === 'too_large' || request.isPaused() || isLongUnread(request))
    response.setHeader('Connection', 'close');
  const { status, body } = format.fail(error);
  // Not `Basic`, although it is accepted: a browser would then show its own password dialog.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendInFormat(received, status, JSON.stringify(body));
}

const isLongUnread = (request: Request): boolean =>
  hasBody(request) && !request.complete && !request.readableDidRead && isLong(request);

/** Logs an unexpected error and returns an error with its log id for the client. */
function toInternalError(fault: unknown, request: Request, log: Log): AppError {
  const faultId = randomUUID().slice(0, 8);
  log.error({ err: fault, faultId, method: request.method, path: request.path }, 'a request failed');
  return new AppError('internal', `Internal error. Look for ${faultId} in the log.`, {
    reason: { name: 'internal_error', fault: faultId },
  });
}

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { KegError } from '../core/keg-error.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { Engine, Upload } from '../engine/engine.ts';
import { waitsForSetUp } from './access.ts';
import { admit, identify, keyOf } from './auth.ts';
import { type Intake, mostPictureBytes, type ReadBody, readBody } from './body.ts';
import { type Asking, callerOf, contextOf } from './context.ts';
import { type Edition, readersOf, takesLogins, type WireForm } from './edition.ts';
import { readTexts } from './form-values.ts';
import { createYard, type Yard } from './large-file.ts';
import type { Limits } from './limits.ts';
import { leaveHeader, loginTokenOf, tabletTokenOf } from './login-cookie.ts';
import { createPorch, type Porch } from './porch.ts';
import type { Log } from './ports.ts';
import { printOnce } from './print-once.ts';
import type { Accepts, Fields, JsonAnswer, Route, RouteInput } from './route.ts';
import { type FoundPlace, type Place, paramNames, routeTable } from './route-table.ts';
import { readUrlencoded } from './urlencoded.ts';
import { misfit, mustFit } from './validate.ts';

/** What an edition is mounted on. */
export interface Mounting {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Names under which this house is reached, beside its own host name. */
  readonly hosts: readonly string[];
  /** True in tests: a reply that differs from its schema is a fault. */
  readonly checkReplies: boolean;
}

const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A passing fault passes within seconds. */
const retryAfterSeconds = 5;

/** Answers every request under the edition's prefix: routes, retired addresses, and everything that is neither. */
export function mountEdition(edition: Edition, mounting: Mounting): RequestHandler {
  const find = routeTable(edition.routes, edition.retired);
  const porch = createPorch();
  const yard = createYard(mounting);

  return async (request, response) => {
    for (const [name, value] of Object.entries(edition.headers)) response.setHeader(name, value);
    const form = edition.formFor(request);
    const uploads: Upload[] = [];
    try {
      const found = find(segmentsOf(request.path));
      if (!found) throw new KegError('not_found', `Nothing is at this address of ${edition.prefix}.`);
      const route = routeFor(request.method, found.place, response);
      if (route === 'options') sendInForm(response, form, 200, JSON.stringify(form.ok({})));
      else await answer({ edition, mounting, request, response, form, found, route, uploads, porch, yard });
    } catch (fault) {
      yard.leave(request);
      sendFailure({ fault, form, request, response, log: mounting.log });
    } finally {
      await discardAll(uploads, mounting.log);
      porch.leave(request);
    }
  };
}

interface Exchange {
  readonly edition: Edition;
  readonly mounting: Mounting;
  readonly request: Request;
  readonly response: Response;
  readonly form: WireForm;
  readonly found: FoundPlace;
  readonly route: Route;
  /** Files the body has brought; they are cleared away after the answer. */
  readonly uploads: Upload[];
  readonly porch: Porch;
  readonly yard: Yard;
}

async function answer(exchange: Exchange): Promise<void> {
  const { mounting, request, response, form, route } = exchange;
  const { input, context } = await admitAndRead(exchange);
  if (route.answer.kind === 'raw') {
    const { mediaType, send } = route.answer;
    // Node leaves out the body of such an answer, but a stream would be held open for it.
    const isHeadOfStream = request.method === 'HEAD' && mediaType === 'text/event-stream';
    if (isHeadOfStream) response.writeHead(200, { 'Content-Type': mediaType }).end();
    else await send(context, { request, response }, input);
    return;
  }
  const isCharged = route.attempt === undefined || exchange.yard.hasJudged(request);
  const giveBack = !isCharged && (await mounting.limits.chargeAttempt(route.attempt!, request, response));
  const result = (await route.answer.run(context, input)) as never;
  if (giveBack) giveBack();
  exchange.yard.leave(request);
  const shown = viewFor(route.answer, form);
  const print = () => {
    const value = shown.show(result);
    if (mounting.checkReplies) mustBeAsDeclared(route, shown.body, value);
    return JSON.stringify(form.ok(value));
  };
  const { status, printOnceFor } = route.answer;
  sendInForm(response, form, status, printOnceFor ? printOnce(printOnceFor(result), shown, print) : print());
}

async function admitAndRead(exchange: Exchange) {
  const { edition, mounting, request, response, found, route } = exchange;
  const { limits } = mounting;
  const writes = !harmless.has(request.method);
  await limits.chargeAddress(request, response, writes ? 'write' : 'read');

  const query = queryOf(request);
  const asks = (fields: Fields): Asking => ({
    engine: mounting.engine,
    clock: mounting.clock,
    hosts: mounting.hosts,
    request,
    response,
    access: route.access,
    key: keyOf({ request, body: fields, query, basic: edition.basicKeys }),
    loginToken: takesLogins(edition, route) ? loginTokenOf(request) : null,
    tabletToken: takesLogins(edition, route) ? tabletTokenOf(request) : null,
    byPin: route.byPin ? { leave: leaveIn(request) } : null,
    writes,
    waitsForSetUp:
      edition.waitsForSetUp === true && waitsForSetUp(route.access, route.opensBeforeSetUp === true),
  });
  const isWelcome = () => mayComeIn(asks({}), mounting.clock.now());
  const { body, fault } = writes ? await tryBody(exchange, isWelcome) : { body: emptyBody, fault: null };
  // The time of asking is when all of the question is here.
  const now = mounting.clock.now();
  const asking = asks(body.fields);
  const { key } = asking;
  const caller = callerOf(asking, now);
  await admitted(() => admit(route.access, { ...asking, caller }), {
    chargeBadKey: () => limits.chargeBadKey(request, response),
    bodyFault: fault,
  });
  if (caller.kind === 'key' && key !== null) await limits.chargeKey(request, response, key);
  if (fault !== null) throw fault;

  const params = Object.fromEntries(paramNames(route.path).map((name, i) => [name, found.values[i]!]));
  const { accepts } = route;
  const input = {
    params: accepts.params ? fitted(accepts.params, params, true) : {},
    query: accepts.query ? fitted(accepts.query, withoutKey(query), true) : {},
    body: accepts.body ? fittedBody(route, body, edition) : {},
    files: body.files ?? noFiles,
  } as RouteInput<Accepts>;
  return { input, context: contextOf(asking, caller, now) };
}

/**
 * A wrong key is charged to its address before it is refused. Where none was found, it may have been a field of a body
 * that could not be read: to say that it was missing would mislead.
 */
async function admitted<T>(
  judge: () => T,
  { chargeBadKey, bodyFault }: { chargeBadKey(): Promise<void>; readonly bodyFault: unknown },
): Promise<T> {
  try {
    return judge();
  } catch (refusal) {
    const code = refusal instanceof KegError ? refusal.code : null;
    if (code === 'bad_key') await chargeBadKey();
    throw code === 'no_key' && bodyFault !== null ? bodyFault : refusal;
  }
}

/** The leave somebody's PIN gave, as the tablet's page sends it. */
function leaveIn({ headers }: Request): string | null {
  const leave = headers[leaveHeader];
  return typeof leave === 'string' && leave !== '' ? leave : null;
}

const emptyBody: ReadBody = { fields: {}, areTexts: false };
const noFiles: ReadonlyMap<string, Upload> = new Map();

/** A broken body waits until it is known whether its sender may come in at all. */
async function tryBody(
  exchange: Exchange,
  isWelcome: () => boolean,
): Promise<{ body: ReadBody; fault: unknown }> {
  const { edition, mounting, request, response, route, uploads, porch, yard } = exchange;
  const intake: Intake = {
    files: route.accepts.files ?? [],
    mostFileBytes: route.largeFile?.mostBytes ?? mostPictureBytes,
    async receive(before) {
      if (!isWelcome()) porch.enter(request);
      const mostBytes = route.largeFile
        ? await yard.enter({ route, before, request, response })
        : mostPictureBytes;
      const upload = mounting.engine.pictures.receive();
      uploads.push(upload);
      return { upload, mostBytes };
    },
  };
  try {
    return { body: await readBody(request, readersOf(edition, route), intake), fault: null };
  } catch (fault) {
    return { body: emptyBody, fault };
  }
}

/** Whether what a request carries beside its body is enough to let it in. */
function mayComeIn(asking: Asking, now: Moment): boolean {
  try {
    admit(asking.access, { ...asking, caller: identify({ ...asking, login: asking.loginToken, now }) });
    return true;
  } catch (refusal) {
    if (refusal instanceof KegError) return false;
    throw refusal;
  }
}

/** Files that stay behind are swept up later; the answer is out already. */
async function discardAll(uploads: readonly Upload[], log: Log): Promise<void> {
  for (const upload of uploads) {
    await upload.discard().catch((err: unknown) => log.warn({ err }, 'an upload could not be cleared away'));
  }
}

function fittedBody(route: Route, body: ReadBody, edition: Edition): Fields {
  const fields = withoutKey(body.fields);
  const tidy = route.tidyBody ? route.tidyBody(fields) : fields;
  return fitted(route.accepts.body!, tidy, body.areTexts || edition.lenientJson);
}

function fitted(schema: NonNullable<Accepts['body']>, fields: Fields, areTexts: boolean): Fields {
  const values = areTexts ? readTexts(schema, fields) : fields;
  mustFit(schema, values);
  return values;
}

function withoutKey(fields: Fields): Fields {
  const { api_key: _key, ...rest } = fields;
  return rest;
}

/** The route for a method; `wrong_method` and `gone` when there is none. Sets `Allow` where it is asked for. */
function routeFor(method: string, { routes, retired }: Place, response: Response): Route | 'options' {
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return route;
  // Where nothing is served any more, no method can bring it back.
  if (routes.size === 0 || retired.has(method) || (method === 'HEAD' && retired.has('GET'))) {
    throw new KegError('gone', 'This address has been retired; use the current API under /api/.');
  }
  const allowed = [...routes.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (method === 'OPTIONS') return 'options';
  throw new KegError('wrong_method', `This address answers ${allowed.join(', ')} only.`);
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  try {
    return segments.map(decodeURIComponent);
  } catch {
    throw new KegError('invalid_request', 'The address is not properly percent-encoded.');
  }
}

function queryOf({ url }: Request): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : readUrlencoded(url.slice(mark + 1));
}

function viewFor(answer: JsonAnswer, form: WireForm) {
  const shown = answer.views[form.name] ?? answer.views.any;
  if (!shown) throw new Error(`No view for the wire form ${form.name}.`);
  return shown;
}

function mustBeAsDeclared(route: Route, schema: Parameters<typeof misfit>[0], value: unknown): void {
  const fault = misfit(schema, value);
  if (fault !== null) throw new Error(`The reply of ${route.id} is not as declared: ${fault}`);
}

interface Failure {
  readonly fault: unknown;
  readonly form: WireForm;
  readonly request: Request;
  readonly response: Response;
  readonly log: Log;
}

function sendFailure({ fault, form, request, response, log }: Failure): void {
  const error = fault instanceof KegError ? fault : unexpected(fault, request, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const retryAfterS = error.retryAfterS ?? (error.code === 'unavailable' ? retryAfterSeconds : null);
  if (retryAfterS !== null) response.setHeader('Retry-After', retryAfterS);
  // The rest of an oversized body is not waited for.
  if (error.code === 'too_large' || request.isPaused()) response.setHeader('Connection', 'close');
  const { status, body } = form.fail(error);
  // Not Basic, though it is read: a browser would then ask for a name and password of its own accord.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendInForm(response, form, status, JSON.stringify(body));
}

/** What nobody foresaw: the log gets everything, the client a number to ask for. */
function unexpected(fault: unknown, request: Request, log: Log): KegError {
  const faultId = randomUUID().slice(0, 8);
  log.error({ err: fault, faultId, method: request.method, path: request.path }, 'a request failed');
  return new KegError('internal', `Something went wrong in here. The log knows it as ${faultId}.`);
}

function sendInForm(response: Response, { headers, wrap }: WireForm, status: number, json: string): void {
  for (const [name, text] of Object.entries(headers ?? {})) {
    if (text === null) response.removeHeader(name);
    else response.setHeader(name, text);
  }
  sendText(response, status, wrap ? wrap(json) : json);
}

/** Writes one JSON answer. */
export function sendJson(response: Response, status: number, value: unknown): void {
  sendText(response, status, JSON.stringify(value));
}

function sendText(response: Response, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

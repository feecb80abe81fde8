import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Upload } from '../../engine/engine.ts';
import { createLargeFileSlot } from '../body/large-file.ts';
import { createUploadSlots } from '../body/upload-slots.ts';
import type { Log } from '../ports.ts';
import type { ApiDefinition, WireForm } from './api-definition.ts';
import { authorizeAndRead } from './authorize-and-read.ts';
import { cachedDocument } from './cached-document.ts';
import type { Exchange, MountOptions } from './exchange.ts';
import { sendFailure, sendInForm, setBaseHeaders } from './replies.ts';
import type { JsonAnswer, RawAnswer, Route } from './route.ts';
import { type Endpoint, routeTable } from './route-table.ts';
import { schemaMismatch } from './validate.ts';

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A usual request URL: without scheme, host and fragment. */
const plainUrl = /^(\/[^?#\s]*)(?:\?|$)/;

/** Answers every request below the API's prefix: routes, retired addresses and unknown addresses. */
export function mountApi(api: ApiDefinition, options: MountOptions): RequestHandler {
  const find = routeTable(api.routes, api.retired);
  const uploadSlots = createUploadSlots();
  const largeFileSlot = createLargeFileSlot(options);
  const baseHeaders = [...(options.headers ?? []), ...Object.entries(api.headers).flat()];
  const { log } = options;

  return async (request, response) => {
    const writes = !readMethods.has(request.method);
    // The HTTP server answers a body that breaks off, with the headers that are set by then.
    if (writes) setBaseHeaders(response, baseHeaders);
    const form = api.formFor(request);
    const uploads: Upload[] = [];
    try {
      const match = find(splitPath(requestPath(request)));
      if (!match) throw new AppError('not_found', `This address does not exist below ${api.prefix}.`);
      const route = routeFor(request.method, match.endpoint, response);
      if (route === 'options') {
        sendInForm(response, { form, status: 200, json: JSON.stringify(form.ok({})), baseHeaders });
      } else {
        const rest = {
          api,
          options,
          request,
          response,
          baseHeaders,
          form,
          match,
          uploads,
          uploadSlots,
          largeFileSlot,
        };
        await sendAnswer({ ...rest, route, writes });
      }
    } catch (fault) {
      largeFileSlot.release(request);
      sendFailure({ fault, form, request, response, baseHeaders, log });
    } finally {
      if (uploads.length > 0) await discardAll(uploads, log);
      uploadSlots.release(request);
    }
  };
}

async function sendAnswer(exchange: Exchange): Promise<void> {
  const { options, request, response, baseHeaders, form, route, largeFileSlot } = exchange;
  const { input, context } = await authorizeAndRead(exchange);
  if (route.answer.kind === 'raw') {
    setBaseHeaders(response, baseHeaders);
    const { mediaType, send } = route.answer;
    if (isHeadForStream(request, route.answer)) response.writeHead(200, { 'Content-Type': mediaType }).end();
    else await send(context, { request, response }, input);
    return;
  }
  const isCounted = route.attempt === undefined || largeFileSlot.hasCountedAttempt(request);
  const removeAttempt = !isCounted && (await options.limits.countAttempt(route.attempt!, request, response));
  const outcome = route.answer.run(context, input);
  const result = (outcome instanceof Promise ? await outcome : outcome) as never;
  if (removeAttempt) removeAttempt();
  largeFileSlot.release(request);
  const view = findView(route.answer, form);
  const print = () => {
    const value = view.show(result);
    if (options.checkReplies) requireDeclaredReply(route, view.body, value);
    return JSON.stringify(form.ok(value));
  };
  const { status, cacheKey } = route.answer;
  const json = cacheKey ? cachedDocument(cacheKey(result), view, print) : print();
  sendInForm(response, { form, status, json, baseHeaders });
}

/** True for HEAD of an event stream: Node omits the body but would keep the stream open. */
const isHeadForStream = ({ method }: Request, { mediaType }: RawAnswer): boolean =>
  method === 'HEAD' && mediaType === 'text/event-stream';

/** Deletes uploads after the answer. The periodic clean-up deletes those that remain. */
async function discardAll(uploads: readonly Upload[], log: Log): Promise<void> {
  for (const upload of uploads) {
    await upload.discard().catch((err: unknown) => log.warn({ err }, 'cannot delete an upload'));
  }
}

/** Returns the route for a method, or throws `wrong_method` or `gone`. Sets `Allow` for `OPTIONS` and 405. */
function routeFor(method: string, { routes, retired }: Endpoint, response: Response): Route | 'options' {
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return route;
  // An address without any route left is gone for every method.
  if (routes.size === 0 || retired.has(method) || (method === 'HEAD' && retired.has('GET'))) {
    throw new AppError('gone', 'This address has been retired; use the current API under /api/.');
  }
  const allowed = [...routes.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (method === 'OPTIONS') return 'options';
  throw new AppError('wrong_method', `This address accepts only ${allowed.join(', ')}.`);
}

const requestPath = (request: Request): string => plainUrl.exec(request.url)?.[1] ?? request.path;

function splitPath(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  try {
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    throw new AppError('invalid_request', 'The address is not valid percent-encoded UTF-8.');
  }
}

function findView(answer: JsonAnswer, form: WireForm) {
  const view = answer.views[form.name] ?? answer.views.any;
  if (!view) throw new Error(`No view for the wire form ${form.name}.`);
  return view;
}

function requireDeclaredReply(
  route: Route,
  schema: Parameters<typeof schemaMismatch>[0],
  value: unknown,
): void {
  const fault = schemaMismatch(schema, value);
  if (fault !== null) throw new Error(`The reply of ${route.id} is not as declared: ${fault}`);
}

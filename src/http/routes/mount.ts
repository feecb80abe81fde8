import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Upload } from '../../engine/engine.ts';
import { createLargeFileSlot } from '../body/large-file.ts';
import { createUploadSlots } from '../body/upload-slots.ts';
import type { Log } from '../ports.ts';
import { authorizeAndRead } from './authorize-and-read.ts';
import type { Edition, WireForm } from './edition.ts';
import type { Exchange, Mounting } from './mounting.ts';
import { printOnce } from './print-once.ts';
import { raise, sendFailure, sendInForm } from './replies.ts';
import type { JsonAnswer, RawAnswer, Route } from './route.ts';
import { type Place, routeTable } from './route-table.ts';
import { misfit } from './validate.ts';

const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An address as nearly everybody writes it: no scheme, no host, nothing behind a `#`. */
const plainAddress = /^(\/[^?#\s]*)(?:\?|$)/;

/** Answers every request under the edition's prefix: routes, retired addresses, and everything that is neither. */
export function mountEdition(edition: Edition, mounting: Mounting): RequestHandler {
  const find = routeTable(edition.routes, edition.retired);
  const uploadSlots = createUploadSlots();
  const largeFileSlot = createLargeFileSlot(mounting);
  const standing = [...(mounting.headers ?? []), ...Object.entries(edition.headers).flat()];
  const { log } = mounting;

  return async (request, response) => {
    const writes = !harmless.has(request.method);
    // A body that breaks off is answered by whoever reads the bytes, with the headers that are there by then.
    if (writes) raise(response, standing);
    const form = edition.formFor(request);
    const uploads: Upload[] = [];
    try {
      const found = find(segmentsOf(pathOf(request)));
      if (!found) throw new AppError('not_found', `Nothing is at this address of ${edition.prefix}.`);
      const route = routeFor(request.method, found.place, response);
      if (route === 'options') {
        sendInForm(response, { form, status: 200, json: JSON.stringify(form.ok({})), standing });
      } else {
        const rest = {
          edition,
          mounting,
          request,
          response,
          standing,
          form,
          found,
          uploads,
          uploadSlots,
          largeFileSlot,
        };
        await answer({ ...rest, route, writes });
      }
    } catch (fault) {
      largeFileSlot.release(request);
      sendFailure({ fault, form, request, response, standing, log });
    } finally {
      if (uploads.length > 0) await discardAll(uploads, log);
      uploadSlots.release(request);
    }
  };
}

async function answer(exchange: Exchange): Promise<void> {
  const { mounting, request, response, standing, form, route, largeFileSlot } = exchange;
  const { input, context } = await authorizeAndRead(exchange);
  if (route.answer.kind === 'raw') {
    raise(response, standing);
    const { mediaType, send } = route.answer;
    if (isHeadOfStream(request, route.answer)) response.writeHead(200, { 'Content-Type': mediaType }).end();
    else await send(context, { request, response }, input);
    return;
  }
  const isCharged = route.attempt === undefined || largeFileSlot.hasCountedAttempt(request);
  const giveBack = !isCharged && (await mounting.limits.chargeAttempt(route.attempt!, request, response));
  const outcome = route.answer.run(context, input);
  const result = (outcome instanceof Promise ? await outcome : outcome) as never;
  if (giveBack) giveBack();
  largeFileSlot.release(request);
  const shown = viewFor(route.answer, form);
  const print = () => {
    const value = shown.show(result);
    if (mounting.checkReplies) mustBeAsDeclared(route, shown.body, value);
    return JSON.stringify(form.ok(value));
  };
  const { status, printOnceFor } = route.answer;
  const json = printOnceFor ? printOnce(printOnceFor(result), shown, print) : print();
  sendInForm(response, { form, status, json, standing });
}

/** Node leaves out the body of such an answer, but a stream would be held open for it. */
const isHeadOfStream = ({ method }: Request, { mediaType }: RawAnswer): boolean =>
  method === 'HEAD' && mediaType === 'text/event-stream';

/** Files that stay behind are swept up later; the answer is out already. */
async function discardAll(uploads: readonly Upload[], log: Log): Promise<void> {
  for (const upload of uploads) {
    await upload.discard().catch((err: unknown) => log.warn({ err }, 'an upload could not be cleared away'));
  }
}

/** The route for a method; `wrong_method` and `gone` when there is none. Sets `Allow` where it is asked for. */
function routeFor(method: string, { routes, retired }: Place, response: Response): Route | 'options' {
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return route;
  // Where nothing is served any more, no method can bring it back.
  if (routes.size === 0 || retired.has(method) || (method === 'HEAD' && retired.has('GET'))) {
    throw new AppError('gone', 'This address has been retired; use the current API under /api/.');
  }
  const allowed = [...routes.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (method === 'OPTIONS') return 'options';
  throw new AppError('wrong_method', `This address answers ${allowed.join(', ')} only.`);
}

const pathOf = (request: Request): string => plainAddress.exec(request.url)?.[1] ?? request.path;

function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  try {
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    throw new AppError('invalid_request', 'The address is not properly percent-encoded.');
  }
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

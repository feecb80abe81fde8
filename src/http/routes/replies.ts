import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Log } from '../ports.ts';
import type { WireForm } from './api-definition.ts';

/** Headers that every answer of a face carries: name, value, name, value, as Node writes them in one go. */
export type BaseHeaders = readonly string[];

/** A passing fault passes within seconds. */
const retryAfterSeconds = 5;

/** One printed answer on its way out. */
export interface Reply {
  readonly form: WireForm;
  readonly status: number;
  /** What was printed before is there as bytes already. */
  readonly json: string | Buffer;
  readonly baseHeaders: BaseHeaders;
}

/** Sets the standing headers one by one: for answers that begin before they are known, and for those that go on. */
export function setBaseHeaders(response: ServerResponse, baseHeaders: BaseHeaders): void {
  // The last one is the face's own: the house's may be there already.
  const last = baseHeaders.at(-2);
  if (last === undefined || response.hasHeader(last)) return;
  for (let i = 0; i < baseHeaders.length; i += 2) response.setHeader(baseHeaders[i]!, baseHeaders[i + 1]!);
}

/** Writes a printed answer as its wire form wants it. */
export function sendInForm(response: ServerResponse, { form, status, json, baseHeaders }: Reply): void {
  const { headers, wrap } = form;
  if (headers) {
    setBaseHeaders(response, baseHeaders);
    for (const [name, text] of Object.entries(headers)) {
      if (text === null) response.removeHeader(name);
      else response.setHeader(name, text);
    }
  }
  // What the form has taken away stays away.
  send(response, {
    status,
    body: wrap ? wrap(json.toString()) : json,
    baseHeaders: headers ? [] : baseHeaders,
  });
}

/** Writes one JSON answer. */
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
    // Setting a dozen headers one by one takes twice as long.
    response.writeHead(status, [...baseHeaders, ...contentHeaders]);
  } else {
    setBaseHeaders(response, baseHeaders);
    for (let i = 0; i < contentHeaders.length; i += 2)
      response.setHeader(String(contentHeaders[i]), contentHeaders[i + 1]!);
    response.statusCode = status;
  }
  response.end(body);
}

/** A refusal, or a fault, on its way out. */
export interface Failure {
  readonly fault: unknown;
  readonly form: WireForm;
  readonly request: Request;
  readonly response: Response;
  readonly baseHeaders: BaseHeaders;
  readonly log: Log;
}

/** Tells the sender of a request what became of it. What nobody foresaw goes to the log. */
export function sendFailure({ fault, form, request, response, baseHeaders, log }: Failure): void {
  const error = fault instanceof AppError ? fault : toInternalError(fault, request, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  setBaseHeaders(response, baseHeaders);
  const retryAfterS = error.retryAfterS ?? (error.code === 'unavailable' ? retryAfterSeconds : null);
  if (retryAfterS !== null) response.setHeader('Retry-After', retryAfterS);
  // The rest of an oversized body is not waited for.
  if (error.code === 'too_large' || request.isPaused()) response.setHeader('Connection', 'close');
  const { status, body } = form.fail(error);
  // Not Basic, though it is read: a browser would then ask for a name and password of its own accord.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendInForm(response, { form, status, json: JSON.stringify(body), baseHeaders });
}

/** What nobody foresaw: the log gets everything, the client a number to ask for. */
function toInternalError(fault: unknown, request: Request, log: Log): AppError {
  const faultId = randomUUID().slice(0, 8);
  log.error({ err: fault, faultId, method: request.method, path: request.path }, 'a request failed');
  return new AppError('internal', `Something went wrong in here. The log knows it as ${faultId}.`, {
    reason: { name: 'fault_within', fault: faultId },
  });
}

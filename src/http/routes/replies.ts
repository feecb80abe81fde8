import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Log } from '../ports.ts';
import type { WireForm } from './api-definition.ts';

/** Headers of every answer: name, value, name, value, the form in which Node writes them fastest. */
export type BaseHeaders = readonly string[];

/** Default `Retry-After` of a temporary failure. */
const retryAfterSeconds = 5;

/** A serialized answer. */
export interface Reply {
  readonly form: WireForm;
  readonly status: number;
  /** A cached answer is a buffer. */
  readonly json: string | Buffer;
  readonly baseHeaders: BaseHeaders;
}

/** Sets the base headers one by one, for answers that start early and for streams. */
export function setBaseHeaders(response: ServerResponse, baseHeaders: BaseHeaders): void {
  // The last one belongs to the API itself; the security headers before it may already be set.
  const last = baseHeaders.at(-2);
  if (last === undefined || response.hasHeader(last)) return;
  for (let i = 0; i < baseHeaders.length; i += 2) response.setHeader(baseHeaders[i]!, baseHeaders[i + 1]!);
}

/** Sends a serialized answer in its wire form. */
export function sendInForm(response: ServerResponse, { form, status, json, baseHeaders }: Reply): void {
  const { headers, wrap } = form;
  if (headers) {
    setBaseHeaders(response, baseHeaders);
    for (const [name, text] of Object.entries(headers)) {
      if (text === null) response.removeHeader(name);
      else response.setHeader(name, text);
    }
  }
  // Headers that the form has removed must not be set again.
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

/** An error and what is needed to answer it. */
export interface Failure {
  readonly fault: unknown;
  readonly form: WireForm;
  readonly request: Request;
  readonly response: Response;
  readonly baseHeaders: BaseHeaders;
  readonly log: Log;
}

/** Answers a request with an error. Unexpected errors are logged. */
export function sendFailure({ fault, form, request, response, baseHeaders, log }: Failure): void {
  const error = fault instanceof AppError ? fault : toInternalError(fault, request, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  setBaseHeaders(response, baseHeaders);
  const retryAfterS = error.retryAfterS ?? (error.code === 'unavailable' ? retryAfterSeconds : null);
  if (retryAfterS !== null) response.setHeader('Retry-After', retryAfterS);
  // The rest of an oversized body is not read.
  if (error.code === 'too_large' || request.isPaused()) response.setHeader('Connection', 'close');
  const { status, body } = form.fail(error);
  // Not `Basic`, although it is accepted: a browser would then show its own password dialog.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendInForm(response, { form, status, json: JSON.stringify(body), baseHeaders });
}

/** Logs an unexpected error and returns an error with its log id for the client. */
function toInternalError(fault: unknown, request: Request, log: Log): AppError {
  const faultId = randomUUID().slice(0, 8);
  log.error({ err: fault, faultId, method: request.method, path: request.path }, 'a request failed');
  return new AppError('internal', `Internal error. Look for ${faultId} in the log.`, {
    reason: { name: 'internal_error', fault: faultId },
  });
}

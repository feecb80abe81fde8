import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Log } from '../ports.ts';
import type { WireForm } from './edition.ts';

/** Headers that every answer of a face carries: name, value, name, value, as Node writes them in one go. */
export type StandingHeaders = readonly string[];

/** A passing fault passes within seconds. */
const retryAfterSeconds = 5;

/** One printed answer on its way out. */
export interface Reply {
  readonly form: WireForm;
  readonly status: number;
  /** What was printed before is there as bytes already. */
  readonly json: string | Buffer;
  readonly standing: StandingHeaders;
}

/** Sets the standing headers one by one: for answers that begin before they are known, and for those that go on. */
export function raise(response: ServerResponse, standing: StandingHeaders): void {
  // The last one is the face's own: the house's may be there already.
  const last = standing.at(-2);
  if (last === undefined || response.hasHeader(last)) return;
  for (let i = 0; i < standing.length; i += 2) response.setHeader(standing[i]!, standing[i + 1]!);
}

/** Writes a printed answer as its wire form wants it. */
export function sendInForm(response: ServerResponse, { form, status, json, standing }: Reply): void {
  const { headers, wrap } = form;
  if (headers) {
    raise(response, standing);
    for (const [name, text] of Object.entries(headers)) {
      if (text === null) response.removeHeader(name);
      else response.setHeader(name, text);
    }
  }
  // What the form has taken away stays away.
  send(response, { status, body: wrap ? wrap(json.toString()) : json, standing: headers ? [] : standing });
}

/** Writes one JSON answer. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, { status, body: JSON.stringify(value), standing: [] });
}

interface Sending {
  readonly status: number;
  readonly body: string | Buffer;
  readonly standing: StandingHeaders;
}

function send(response: ServerResponse, { status, body, standing }: Sending): void {
  const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', Buffer.byteLength(body)];
  if (response.getHeaderNames().length === 0) {
    // Setting a dozen headers one by one takes twice as long.
    response.writeHead(status, [...standing, ...own]);
  } else {
    raise(response, standing);
    for (let i = 0; i < own.length; i += 2) response.setHeader(String(own[i]), own[i + 1]!);
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
  readonly standing: StandingHeaders;
  readonly log: Log;
}

/** Tells the sender of a request what became of it. What nobody foresaw goes to the log. */
export function sendFailure({ fault, form, request, response, standing, log }: Failure): void {
  const error = fault instanceof AppError ? fault : unexpected(fault, request, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  raise(response, standing);
  const retryAfterS = error.retryAfterS ?? (error.code === 'unavailable' ? retryAfterSeconds : null);
  if (retryAfterS !== null) response.setHeader('Retry-After', retryAfterS);
  // The rest of an oversized body is not waited for.
  if (error.code === 'too_large' || request.isPaused()) response.setHeader('Connection', 'close');
  const { status, body } = form.fail(error);
  // Not Basic, though it is read: a browser would then ask for a name and password of its own accord.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendInForm(response, { form, status, json: JSON.stringify(body), standing });
}

/** What nobody foresaw: the log gets everything, the client a number to ask for. */
function unexpected(fault: unknown, request: Request, log: Log): AppError {
  const faultId = randomUUID().slice(0, 8);
  log.error({ err: fault, faultId, method: request.method, path: request.path }, 'a request failed');
  return new AppError('internal', `Something went wrong in here. The log knows it as ${faultId}.`, {
    reason: { name: 'fault_within', fault: faultId },
  });
}

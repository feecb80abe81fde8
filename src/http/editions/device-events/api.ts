import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../../core/app-error.ts';
import type { Clock } from '../../../core/moment.ts';
import type { BoardAnswer, Engine } from '../../../engine/engine.ts';
import { readBytes } from '../../body/read-body.ts';
import type { Log } from '../../ports.ts';
import { sendJson } from '../../routes/replies.ts';
import { misfit, mustFit } from '../../routes/validate.ts';
import { Envelope, Sender } from './envelope.ts';
import { readEvent } from './events.ts';

/** Where boards report. A board keeps the whole address and reads nothing into it; the second one is of old. */
export const deviceEventPaths = ['/api/device-event', '/api/kegboard-event'];

/** The largest batch, bytes. */
const maxBatchBytes = 16_384;

/** A passing fault passes within seconds; boards have a back-off of their own. */
const retryAfterSeconds = 5;

/** A refusal in the protocol's own words. */
interface Refusal {
  readonly status: number;
  readonly body: object;
  /** For staff, beside the board's name. */
  readonly reason: string;
}

interface Dependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Device events, version 1. Statuses are chosen by what a board does with them: at a 4xx it throws the batch away, so
 * whatever passes is a 503; at a 401 it asks to be paired; a 2xx promises that everything in the batch is kept.
 * No rate limit and no set-up stands before it.
 */
export function deviceEventsApi(parts: Dependencies): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      await handleRequest(parts, request, response);
    } catch (fault) {
      sendFailure(fault, { log: parts.log, request, response });
    }
  };
}

async function handleRequest(
  { engine, clock, log }: Dependencies,
  request: Request,
  response: Response,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    sendJson(response, 405, { error: 'wrong_method' });
    return;
  }
  const caller = { token: bearerToken(request), address: remoteAddress(request) };
  const read = await readBatch(request);
  if ('refusal' in read) {
    const { status, body, reason } = read.refusal;
    if (status === 413) response.setHeader('Connection', 'close');
    if (misfit(Sender, read.body) === null) {
      const { device } = read.body as { device: string };
      tryRecord(() => engine.kegboards.noteRefusal({ device, ...caller }, reason, clock.now()), log);
    }
    log.warn({ address: caller.address, reason }, 'a board’s batch was refused');
    sendJson(response, status, body);
    return;
  }
  const { device, boot_id: bootId, events } = read.envelope;
  const batch = { bootId, events: events.map(readEvent) };
  sendAnswer(engine.kegboards.recordBatch({ device, ...caller, batch }, clock.now()), {
    device,
    response,
    log,
  });
}

function sendAnswer(
  answer: BoardAnswer,
  { device, response, log }: { device: string; response: Response; log: Log },
): void {
  if (answer.kind === 'pairing') {
    response.setHeader('WWW-Authenticate', 'Bearer');
    sendJson(response, 401, { pairing: answer.pairing });
    return;
  }
  const { commands, notes } = answer;
  if (notes.length > 0) log.warn({ device, notes }, 'some events of a board could not be used');
  sendJson(response, 200, { commands });
}

/** In the order boards are used to: size, JSON, media type, envelope, version. */
async function readBatch(
  request: Request,
): Promise<{ readonly envelope: Envelope } | { readonly refusal: Refusal; readonly body: unknown }> {
  let body: unknown;
  const refuse = (status: number, answered: object, reason: string) => ({
    refusal: { status, body: answered, reason },
    body,
  });
  let bytes: Buffer;
  try {
    bytes = await readBytes(request, maxBatchBytes);
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    if (fault.code === 'too_large') return refuse(413, { error: 'too_large' }, fault.message);
    // The line broke: nobody waits for this answer, and a board must not lose its batch by it.
    throw new AppError('unavailable', 'The batch broke off.', { cause: fault });
  }
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse(400, { detail: 'JSON parse error: the body is not JSON in UTF-8.' }, 'It was not JSON.');
  }
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    return refuse(415, { detail: 'Send the batch as application/json.' }, 'It was not sent as JSON.');
  }
  try {
    mustFit(Envelope, body);
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    return refuse(400, { error: 'invalid', detail: fault.fields ?? {} }, fault.message);
  }
  const envelope = body as Envelope;
  if (envelope.v !== 1) {
    const reason = `It speaks version ${envelope.v} of the protocol; this house knows version 1.`;
    return refuse(400, { error: 'unsupported_version' }, reason);
  }
  return { envelope };
}

const bearerToken = ({ headers }: Request): string | null =>
  /^Bearer +(\S{1,256})$/i.exec(headers.authorization ?? '')?.[1] ?? null;

function remoteAddress({ ip }: Request): string | null {
  return ip === undefined ? null : ip.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 64);
}

/** The roster is for staff; that it cannot be written just now does not change what the board is told. */
function tryRecord(note: () => void, log: Log): void {
  try {
    note();
  } catch (err) {
    log.warn({ err }, 'a refused batch could not be noted');
  }
}

function sendFailure(
  fault: unknown,
  { log, request, response }: { log: Log; request: Request; response: Response },
): void {
  const isTemporary = fault instanceof AppError && fault.code === 'unavailable';
  if (!isTemporary) log.error({ err: fault, path: request.path }, 'a board’s batch could not be taken');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('Retry-After', retryAfterSeconds);
  sendJson(response, isTemporary ? 503 : 500, { error: isTemporary ? 'unavailable' : 'internal' });
}

import type { Request, RequestHandler, Response } from 'express';
import type { Static } from 'typebox';
import { AppError } from '../../../../core/app-error.ts';
import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import type { Engine } from '../../../../engine/engine.ts';
import type { ExtensionApi } from '../../../../http/extension.ts';
import { readBytes } from '../../../../http/pipeline/body/read-body.ts';
import type { MountOptions } from '../../../../http/pipeline/context.ts';
import { sendJson } from '../../../../http/pipeline/reply.ts';
import { listFields, schemaMismatch, validate } from '../../../../http/pipeline/validate.ts';
import type { Log } from '../../../../http/ports.ts';
import { noteLogin } from '../../../../http/routes/note-login.ts';
import type { ApiParts } from '../../../extension.ts';
import type { KegboardAnswer, Kegboards } from '../../engine/kegboards.ts';
import { cleanNames, Envelope, Sender } from './envelope.ts';
import { readEvent } from './events.ts';
import { deviceEventOperations } from './operations.ts';
import { UnpairedLog } from './unpaired-log.ts';

/** Paths for kegboards. A kegboard stores the whole URL; the second path is for older ones. */
const deviceEventPaths = ['/api/device-event', '/api/kegboard-event'];

/** The largest batch, bytes. */
const maxBatchBytes = 16_384;

/** Temporary faults last seconds; kegboards also back off by themselves. */
const retryAfterSeconds = 5;

/** A refusal as the protocol defines it. */
interface Refusal {
  readonly status: number;
  readonly body: object;
  /** For staff, shown with the kegboard's name. */
  readonly problem: Problem;
}

interface Parts extends Pick<MountOptions, 'engine' | 'clock' | 'log' | 'limits' | 'refusedBodies'> {
  readonly kegboards: Kegboards;
  readonly unpairedLog: UnpairedLog;
}

/**
 * Device events, version 1. The status decides what a kegboard does: at 4xx it drops the batch, so temporary faults and
 * limits are 503; at 401 it asks for pairing; 2xx confirms that the whole batch is stored. A client without a valid token
 * writes nothing and is limited by its address, except for repeating a request that is listed. Neither a limit nor an
 * unfinished set-up applies to a paired kegboard.
 */
export const deviceEventsApi = ({ servicesOf }: ApiParts<Kegboards>): ExtensionApi => ({
  paths: deviceEventPaths,
  operations: deviceEventOperations,
  createHandler: (options) => createHandler(options, servicesOf),
});

function createHandler(options: MountOptions, servicesOf: (engine: Engine) => Kegboards): RequestHandler {
  const { engine, log } = options;
  const unpairedLog = new UnpairedLog(options);
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      await handleRequest({ ...options, kegboards: servicesOf(engine), unpairedLog }, request, response);
    } catch (fault) {
      sendFailure(fault, { log, request, response });
    }
  };
}

async function handleRequest(parts: Parts, request: Request, response: Response): Promise<void> {
  const { engine, kegboards, clock, log } = parts;
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    sendJson(response, 405, { error: 'wrong_method' });
    return;
  }
  const bearer = bearerToken(request);
  const isPaired = kegboards.isValidToken(bearer);
  const caller = { token: isPaired ? bearer : null, address: remoteAddress(request) };
  const read = await readBatch(request);
  if (!isPaired) {
    const source = { engine, log, now: clock.now(), address: caller.address ?? '' };
    if (bearer !== null) noteLogin(source, { method: 'token', outcome: 'failed' });
    await admitUnpaired(parts, { request, response, read, address: caller.address });
  }
  if ('refusal' in read) {
    const { status, body, problem } = read.refusal;
    if (status === 413) response.setHeader('Connection', 'close');
    const device = senderName(read.body);
    if (device !== null) {
      tryRecord(() => kegboards.noteRefusal({ device, ...caller }, problem, clock.now()), log);
    }
    if (isPaired)
      log.warn({ address: caller.address, reason: problem.message }, 'batch of a kegboard refused');
    else await parts.refusedBodies?.beforeAnswer({ request, response });
    sendJson(response, status, body);
    return;
  }
  const { device, boot_id: bootId, events } = read.envelope;
  const batch = { bootId, events: isPaired ? events.map(readEvent) : [] };
  sendAnswer(kegboards.recordBatch({ device, ...caller, batch }, clock.now()), {
    device,
    response,
    log,
  });
}

/** Logs and counts a request without a valid token, unless it repeats one that is listed. Throws `too_many`. */
async function admitUnpaired(
  { kegboards, limits, unpairedLog }: Parts,
  {
    request,
    response,
    read,
    address,
  }: { request: Request; response: Response; read: ReadBatch; address: string | null },
): Promise<void> {
  if ('refusal' in read) {
    unpairedLog.add({ address, device: senderName(read.body), reason: read.refusal.problem.message });
  } else {
    const { device, boot_id: bootId } = read.envelope;
    if (kegboards.isKnownRequest({ device, address, bootId })) return;
    unpairedLog.add({ address, device, reason: 'It asks for pairing.' });
  }
  await limits.countUnpairedBatch(request, response);
}

const senderName = (body: unknown): string | null =>
  schemaMismatch(Sender, body) === null ? (body as Static<typeof Sender>).device : null;

function sendAnswer(
  answer: KegboardAnswer,
  { device, response, log }: { device: string; response: Response; log: Log },
): void {
  if (answer.kind === 'pairing') {
    response.setHeader('WWW-Authenticate', 'Bearer');
    sendJson(response, 401, { pairing: answer.pairing });
    return;
  }
  const { commands, notes } = answer;
  if (notes.length > 0) log.warn({ device, notes }, 'some events of a kegboard could not be used');
  sendJson(response, 200, { commands });
}

type ReadBatch = { readonly envelope: Envelope } | { readonly refusal: Refusal; readonly body: unknown };

/** Checks in the order that kegboards expect: size, JSON, media type, envelope, version. */
async function readBatch(request: Request): Promise<ReadBatch> {
  let body: unknown;
  const refuse = (status: number, answered: object, problem: Problem) => ({
    refusal: { status, body: answered, problem },
    body,
  });
  let bytes: Buffer;
  try {
    bytes = await readBytes(request, maxBatchBytes);
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    if (fault.code === 'too_large') return refuse(413, { error: 'too_large' }, unreadable('too_large'));
    // The connection broke. A 503 makes the kegboard keep its batch, in case it still reads the answer.
    throw new AppError('unavailable', 'The batch is incomplete.', { cause: fault });
  }
  try {
    body = cleanNames(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return refuse(
      400,
      { detail: 'JSON parse error: the body is not JSON in UTF-8.' },
      unreadable('not_json'),
    );
  }
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    return refuse(415, { detail: 'Send the batch as application/json.' }, unreadable('media_type'));
  }
  try {
    validate(Envelope, body);
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    const { fields = {} } = fault;
    return refuse(400, { error: 'invalid', detail: fields }, unreadable('fields', listFields(fields)));
  }
  const envelope = body as Envelope;
  if (envelope.v !== 1) {
    const problem = createProblem('kegboard_protocol_unknown', { version: envelope.v });
    return refuse(400, { error: 'unsupported_version' }, problem);
  }
  return { envelope };
}

/** The problem of a batch as a whole; `fields` are the names of its wrong fields. */
const unreadable = (reason: 'too_large' | 'not_json' | 'media_type' | 'fields', fields = ''): Problem =>
  createProblem('kegboard_batch_refused', { reason, fields });

const bearerToken = ({ headers }: Request): string | null =>
  /^Bearer +(\S{1,256})$/i.exec(headers.authorization ?? '')?.[1] ?? null;

function remoteAddress({ ip }: Request): string | null {
  return ip === undefined ? null : ip.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 64);
}

/** The list of kegboards is for staff; failing to write it does not change the answer. */
function tryRecord(record: () => void, log: Log): void {
  try {
    record();
  } catch (err) {
    log.warn({ err }, 'refused batch could not be recorded');
  }
}

function sendFailure(
  fault: unknown,
  { log, request, response }: { log: Log; request: Request; response: Response },
): void {
  const isTemporary =
    fault instanceof AppError && (fault.code === 'unavailable' || fault.code === 'too_many');
  if (!isTemporary) log.error({ err: fault, path: request.path }, 'batch of a kegboard failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('Retry-After', retryAfterSeconds);
  sendJson(response, isTemporary ? 503 : 500, { error: isTemporary ? 'unavailable' : 'internal' });
}

import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { ownAddresses } from '../system/own-addresses.ts';
import {
  ForbiddenAddress,
  findLiteralProblem,
  guardedLookup,
  type OwnAddresses,
  type ResolveHost,
} from './address-guard.ts';

interface HttpMessage {
  /** `POST` unless told. */
  readonly method?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** From the DNS lookup to the response status, milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** True if the target may be this machine itself. */
  readonly allowsLocal: boolean;
  readonly find?: ResolveHost;
  readonly own?: OwnAddresses;
  /** Bytes of the answer that are read; default: none. */
  readonly maxAnswerBytes?: number;
}

/** Result of a request: a status, or an error and whether the receiver was reached. */
export type HttpSendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The beginning of the answer, if it is read. */
      readonly text: string;
    }
  /** `wasReached`: the connection was established, so the receiver may have read the body. */
  | { readonly kind: 'failed'; readonly code: string; readonly wasReached: boolean }
  | { readonly kind: 'forbidden'; readonly reason: ForbiddenAddress['reason'] };

/** Sends once: follows no redirect, and reads of the answer no more than it is told. Never rejects. */
export function httpSend({
  method = 'POST',
  url: address,
  headers,
  body,
  timeoutMs,
  signal,
  allowsLocal,
  find,
  own = ownAddresses,
  maxAnswerBytes = 0,
}: HttpMessage): Promise<HttpSendResult> {
  const url = new URL(address);
  const reason = allowsLocal ? null : findLiteralProblem(url.hostname, own);
  if (reason !== null) return Promise.resolve({ kind: 'forbidden', reason });

  return new Promise((resolve) => {
    let wasReached = false;
    const fail = (fault: NodeJS.ErrnoException) => {
      if (fault instanceof ForbiddenAddress) return resolve({ kind: 'forbidden', reason: fault.reason });
      return resolve({ kind: 'failed', code: fault.code ?? fault.name, wasReached });
    };
    const timeout = AbortSignal.timeout(timeoutMs);
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const request = send(url, {
      method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
      // A new connection each time, so that the address is checked each time and no socket stays open.
      agent: false,
      signal: AbortSignal.any([signal, timeout]),
      ...(allowsLocal ? {} : { lookup: guardedLookup(own, find) as never }),
    });
    request.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        wasReached = true;
      });
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // Also after a time-out or a broken answer: the status is known.
      const finish = () => {
        resolve({
          kind: 'answered',
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text: Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString(),
        });
        request.destroy();
      };
      if (maxAnswerBytes === 0) return finish();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= maxAnswerBytes) finish();
      });
      for (const end of ['end', 'error', 'close']) response.once(end, finish);
    });
    request.on('error', (fault: NodeJS.ErrnoException) =>
      fail(timeout.aborted ? Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }) : fault),
    );
    request.end(body);
  });
}

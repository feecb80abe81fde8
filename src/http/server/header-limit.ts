import type { IncomingMessage, ServerResponse } from 'node:http';
import { overloadLimits } from './overload-limits.ts';

const { maxHeadersCount } = overloadLimits.parser;

/**
 * The limit of Node's parser, which drops the headers beyond it silently: one more than ours, so that one too many is seen. A
 * proxy appends `X-Forwarded-For` as the last header; without it its client would be this machine.
 */
export const parsedHeadersCount = maxHeadersCount + 1;

/** True for a request with more headers than are read. */
export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.length > 2 * maxHeadersCount;

/** Answers a request with too many headers, and closes its connection. */
export function refuseHeaders({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const message = `The request has more than ${maxHeadersCount} headers.`;
  const body = JSON.stringify({ error: { code: 'BadRequestError', message } });
  response.writeHead(431, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...(isLegacyAddress(url) && { Deprecation: 'true' }),
  });
  response.end(body);
}

/** True for the address of a request to the legacy API. */
export const isLegacyAddress = (address: string): boolean =>
  /^(?:https?:\/\/[^/ ]*)?\/api\/v1(?:[/?]|$)/.test(address);

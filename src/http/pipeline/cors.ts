import type { Request, Response } from 'express';
import { addVary } from '../server/compression.ts';
import type { MountedApi, ReceivedRequest } from './context.ts';

/** How long a browser may remember the answer to its preflight request, seconds: the longest that Chrome takes. */
const maxAgeSeconds = 7_200;

/** Headers that a page of another origin may send, beside those that every page may. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Kegbot-Api-Key',
].join(', ');

/** Headers of an answer that it may read, beside the usual ones. */
const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
].join(', ');

/**
 * Lets the scripts of a listed origin read the answer, whatever its status. `Access-Control-Allow-Credentials` is never
 * sent: browsers then hide answers to requests with cookies, so that such a page works with a key only.
 */
export function allowOrigin(
  { api, corsOrigins = [] }: Pick<MountedApi, 'api' | 'corsOrigins'>,
  request: Request,
  response: Response,
): void {
  if (!api.crossOrigin || corsOrigins.length === 0) return;
  addVary(response, 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !corsOrigins.includes(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
}

/** Answers the preflight request of a listed origin with the methods of the address, which `Allow` has. */
export function allowMethods({ request, response }: ReceivedRequest): void {
  if (!response.hasHeader('Access-Control-Allow-Origin')) return;
  if (request.headers['access-control-request-method'] === undefined) return;
  response.setHeader('Access-Control-Allow-Methods', String(response.getHeader('Allow') ?? ''));
  response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
  response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
}

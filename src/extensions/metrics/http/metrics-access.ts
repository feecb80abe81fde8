import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isFromThisMachine, namesThisHost } from '../../../http/pipeline/origin.ts';

/** Who may read the metrics. */
export interface MetricsAccess {
  readonly allowsLoopback: boolean;
  /** Empty: no token is accepted. */
  readonly token: string;
  isListed(address: string): boolean;
}

export type MetricsDecision = 'allow' | 'wrong-token' | 'unauthenticated' | 'forbidden';

/** Headers that proxies add. A request with one of them was not sent by the address of its connection. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
] as const;

/**
 * Decides by the token if there is one, else by the address of the connection. What a header says of the address never
 * counts, also with `trust_proxy`: a client that reaches the port itself can send any.
 */
export function decideMetricsAccess(
  request: IncomingMessage,
  { allowsLoopback, token, isListed }: MetricsAccess,
  ownNames: readonly string[],
): MetricsDecision {
  const sent = readBearerToken(request);
  if (sent !== null && token !== '') return isSameText(sent, token) ? 'allow' : 'wrong-token';
  if (!proxyHeaders.some((name) => request.headers[name] !== undefined)) {
    if (isListed(request.socket.remoteAddress ?? '')) return 'allow';
    // The page of a foreign site can resolve its own name to this machine, but its browser then sends that name.
    if (allowsLoopback && isFromThisMachine(request) && namesThisHost(request, ownNames)) return 'allow';
  }
  return token === '' ? 'forbidden' : 'unauthenticated';
}

function readBearerToken({ headers }: IncomingMessage): string | null {
  return /^Bearer +([!-~]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Compares in a time that does not depend on where the texts differ. */
function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

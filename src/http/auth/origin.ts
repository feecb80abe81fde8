import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** True for a request made on this very machine. Whatever came through a proxy was made elsewhere. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address === '::1' || address.startsWith('127.');
}

/**
 * True when the Host header names us. A page of a foreign site can make its own name point at this address,
 * but it cannot make the browser send another name than its own.
 */
export function namesThisHost(request: IncomingMessage, ownNames: readonly string[]): boolean {
  const host = parseHostName(request.headers.host);
  if (host === null) return false;
  const own = hostname().toLowerCase();
  return (
    loopbackNames.has(host) ||
    host === own ||
    host === `${own}.local` ||
    ownNames.some((name) => name.toLowerCase() === host)
  );
}

/** As `namesThisHouse`, or by any bare address: a number in the address bar belongs to no foreign site. */
export function namesThisHostOrAddress(request: IncomingMessage, ownNames: readonly string[]): boolean {
  const host = parseHostName(request.headers.host);
  return host !== null && (isIP(host) !== 0 || namesThisHost(request, ownNames));
}

/** A request as express reads it: behind a proxy that is believed, `host` is the one the browser asked for. */
export type HostedRequest = IncomingMessage & { readonly host?: string };

/** True when a browser says that the request comes from a page of another site. */
export function isForeignOrigin({ headers, host = headers.host }: HostedRequest): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  try {
    return new URL(origin).host !== new URL(`http://${host}`).host;
  } catch {
    return true; // `null`, and whatever else is no address
  }
}

/** The name in a Host header, lower case, without port and brackets; null when it is no name. */
export function parseHostName(host: string | undefined): string | null {
  try {
    return new URL(`http://${host ?? ''}`).hostname.replace(/^\[|\]$/g, '').toLowerCase() || null;
  } catch {
    return null;
  }
}
